import { worker } from 'workerpool';
import { openReader } from '../../store/open-reader.ts';
import type { ResumePointsTable } from '../../store/platform-tables.ts';
import { type MaskedRun, maskStored, PointMask } from './mask-run.ts';
import { createMaskingRepository, type MaskingRepository } from './masking-repository.ts';

// Entry of a thread that masks what large runs left.

let current: { readonly run: number; readonly mask: PointMask } | undefined;

let opened: { readonly file: string; readonly masking: MaskingRepository } | undefined;

/** Reads and masks what a run of the store left; null when it is gone. */
function maskRun(file: string, runId: string): MaskedRun | null {
  if (opened?.file !== file) {
    opened = { file, masking: createMaskingRepository({ sync: openReader(file) }) };
  }
  return maskStored(opened.masking, runId);
}

/** Masks a piece of the points of one masking of a run; `begins` = its first one. */
function maskPoints(
  run: number,
  begins: boolean,
  points: readonly ResumePointsTable[],
): ResumePointsTable[] {
  if (begins) current = { run, mask: new PointMask() };
  if (current?.run !== run) throw new TypeError('this thread has not masked the points before');
  return current.mask.mask(points);
}

/** What the thread offers. */
export interface MaskThread {
  readonly mask: typeof maskRun;
  readonly points: typeof maskPoints;
}

const offered: MaskThread = { mask: maskRun, points: maskPoints };
worker({ ...offered });
