import { type KeptRead, pauseOfFailure } from './failure-pace.ts';

/** While the service tells of a run, what is shown of it is asked for this often all the same. */
const NET_MS = 60_000;

/**
 * Runs of which a stream tells whenever something of them is stored. Who shows one need not ask; a
 * stream that breaks asks for what is shown once, which begins the asking again.
 */
export const followedRuns = new Set<string>();

/**
 * How long to wait before the next read of a run: `otherwise`, unless a stream tells of it; after a
 * failure as long as that asks for, as no stream tells of what was not read.
 */
export function paceOfRun<Pace extends number | false>(
  runId: string,
  query: KeptRead,
  otherwise: Pace,
): Pace | number {
  const failed = otherwise === false ? undefined : pauseOfFailure(query);
  if (failed !== undefined) {
    return failed;
  }
  return followedRuns.has(runId) && otherwise !== false ? NET_MS : otherwise;
}
