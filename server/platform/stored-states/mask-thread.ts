import { worker } from 'workerpool';
import type { ResumePointsTable } from '../../store/platform-tables.ts';
import { maskLeft, PointMask } from './mask-run.ts';

// Entry of a thread that masks what large runs left.

let current: { readonly run: number; readonly mask: PointMask } | undefined;

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
  readonly mask: typeof maskLeft;
  readonly points: typeof maskPoints;
}

const offered: MaskThread = { mask: maskLeft, points: maskPoints };
worker({ ...offered });
