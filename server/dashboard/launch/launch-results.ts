import type { z } from 'zod';
import { type listLaunchResults, MOST_RESULTS } from '../../contract/dashboard/launch.ts';
import { getRun } from '../../contract/platform/runs.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { refusalOfPlatform } from '../refusals.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

/** So many are asked for at a time: a history is of no haste. */
const AT_ONCE = 4;

type Answer = z.output<(typeof listLaunchResults.responses)[200]>;

/** How a run stands; null where the platform has it not; else why it was not read. */
interface Outcome {
  readonly run_id: string;
  readonly status: string | null;
  readonly error?: PlatformError;
}

async function outcomeOf(
  platform: PlatformClient,
  run_id: string,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    // It belongs to another platform, or was removed.
    const run = await unlessNotFound(platform.call(getRun, { params: { run_id } }, { signal }));
    return { run_id, status: typeof run?.status === 'string' ? run.status : null };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { run_id, status: null, error };
  }
}

/**
 * How runs stand, as far as the platform has them; at most {@link MOST_RESULTS}. One that is not
 * read costs the others nothing. Once all of a handful fail, the rest is not asked for: a platform
 * that does not answer would be waited for again and again.
 * @throws PlatformError where none was read.
 */
export async function readResults(
  platform: PlatformClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const asked = [...new Set(ids)].slice(0, MOST_RESULTS);
  const outcomes: Outcome[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE);
    const told = await Promise.all(some.map((id) => outcomeOf(platform, id, signal)));
    outcomes.push(...told);
    const error = told.every((one) => one.error !== undefined) ? told[0]?.error : undefined;
    if (error !== undefined) {
      const rest = asked.slice(at + AT_ONCE);
      outcomes.push(...rest.map((run_id) => ({ run_id, status: null, error })));
      break;
    }
  }
  const failed = outcomes.flatMap(({ run_id, error }) =>
    error === undefined ? [] : [{ run_id, error }],
  );
  const [first] = failed;
  if (first !== undefined && failed.length === outcomes.length) throw first.error;
  return {
    results: outcomes.flatMap(({ run_id, status }) =>
      status === null ? [] : [{ run_id, status }],
    ),
    ...(failed.length === 0
      ? {}
      : {
          unread: failed.map(({ run_id, error }) => ({
            run_id,
            code: refusalOfPlatform(error).code,
          })),
        }),
  };
}
