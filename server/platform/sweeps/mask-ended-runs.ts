import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ResumePointsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { RunRead } from '../stored-states/mask-run.ts';
import { takePiece } from '../stored-states/point-piece.ts';

/** What masking needs of the platform. */
export type MaskingDeps = Pick<PlatformDeps, 'masking' | 'masker' | 'commits'>;

/** Others get their turn for so long between two runs. */
const PAUSE_MS = 1;
/** Points are numbered from 1. */
const BEFORE_ALL = 0;

/** The resume points of a run without credentials, read and masked in pieces; those that change. */
async function maskedPoints(
  { masking, masker }: MaskingDeps,
  runId: string,
  signal: AbortSignal,
): Promise<ResumePointsTable[]> {
  const mask = masker.points();
  const changed: ResumePointsTable[] = [];
  for (let after = BEFORE_ALL; ; ) {
    const piece = masking.points(runId, after);
    for (const point of await mask(piece)) changed.push(point);
    if (!piece.more) return changed;
    after = piece.points.at(-1)?.number ?? after;
    await turnOfLoop();
    signal.throwIfAborted();
  }
}

/**
 * Writes all but the first of the changed points, which are left for the end. The last go first:
 * what is masked names only earlier texts, so that after a stop in between all points can still be
 * read, and masked. Undefined when the run went on meanwhile.
 */
async function writeLatest(
  { masking, commits }: MaskingDeps,
  run: RunRead,
  changed: readonly ResumePointsTable[],
  signal: AbortSignal,
): Promise<readonly ResumePointsTable[] | undefined> {
  let left = changed.toReversed();
  for (;;) {
    const { points, more } = takePiece(left);
    if (!more) return points;
    if (!(await commits.turn(() => masking.writePoints(run, points)))) return undefined;
    left = left.slice(points.length);
    await turnOfLoop();
    signal.throwIfAborted();
  }
}

/** Masks what one run left. True when it is done or gone. */
async function maskRun(deps: MaskingDeps, runId: string, signal: AbortSignal): Promise<boolean> {
  const masked = await deps.masker.mask(runId);
  if (masked === null) return true;
  const points = await maskedPoints(deps, runId, signal);
  const first = await writeLatest(deps, masked.run, points, signal);
  if (first === undefined) return false;
  return deps.commits.turn(() => deps.masking.write(masked, first));
}

async function maskAll(deps: MaskingDeps, signal: AbortSignal): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const runs = deps.masking.waiting().filter((id) => !tried.has(id));
    if (runs.length === 0) return;
    for (const id of runs) {
      if (signal.aborted) return;
      if (!(await maskRun(deps, id, signal))) tried.add(id);
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Masks what ended runs still hold (SECURITY.md): inputs, messages, metadata, resume points. A run at
 * a time, its points in pieces; what a stop leaves, in the middle of a run too, is done at the next start.
 */
export async function maskEndedRuns(deps: MaskingDeps, signal: AbortSignal): Promise<void> {
  const stop = (): void => void deps.masker.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await maskAll(deps, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
