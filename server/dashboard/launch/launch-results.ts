import { MOST_RESULTS } from '../../contract/dashboard/launch.ts';
import { getRun } from '../../contract/platform/runs.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

/** So many are asked for at a time: a history is of no haste. */
const AT_ONCE = 4;

interface Result {
  readonly run_id: string;
  readonly status: string;
}

async function resultOf(
  platform: PlatformClient,
  run_id: string,
  signal: AbortSignal,
): Promise<Result | undefined> {
  // It belongs to another platform, or was removed.
  const run = await unlessNotFound(platform.call(getRun, { params: { run_id } }, { signal }));
  return typeof run?.status === 'string' ? { run_id, status: run.status } : undefined;
}

/** How runs stand, as far as the platform has them; at most {@link MOST_RESULTS}. @throws PlatformError */
export async function readResults(
  platform: PlatformClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result[]> {
  const asked = [...new Set(ids)].slice(0, MOST_RESULTS);
  const found: (Result | undefined)[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE);
    found.push(...(await Promise.all(some.map((id) => resultOf(platform, id, signal)))));
  }
  return found.filter((result) => result !== undefined);
}
