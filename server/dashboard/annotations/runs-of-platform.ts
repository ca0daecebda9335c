import { getRun } from '../../contract/platform/runs.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { readRunState } from '../platform-answers.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

/** So many runs are asked for at a time. */
const AT_ONCE = 8;
/** What a platform said of more runs than this is forgotten at once. */
const MOST_KNOWN = 20_000;

/**
 * Whether each platform has a run. No answer ever changes: ids are random, and a note is written
 * after its run was made.
 */
const known = new WeakMap<PlatformClient, Map<string, boolean>>();

/** Those of the runs that a platform has. */
export async function runsOfPlatform(
  platform: PlatformClient,
  runIds: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const before = known.get(platform);
  const told = before === undefined || before.size > MOST_KNOWN ? new Map() : before;
  known.set(platform, told);
  const wanted = [...new Set(runIds)];
  const open = wanted.filter((runId) => !told.has(runId)).values();
  const ask = async (): Promise<void> => {
    for (const run_id of open) {
      const run = platform.read(getRun, readRunState, { params: { run_id } }, { signal });
      told.set(run_id, (await unlessNotFound(run)) !== undefined);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return new Set(wanted.filter((runId) => told.get(runId) === true));
}
