import type { PlatformDeps } from '../deps.ts';
import type { SweepReport } from '../service-options.ts';
import { deadLetter } from '../worker/dead-letter.ts';
import { recoverOrphans } from '../worker/recover-orphans.ts';
import { sweepDeadlines } from './sweep-deadlines.ts';
import { sweepTasks } from './sweep-tasks.ts';

async function sweepLeases(deps: PlatformDeps): Promise<number> {
  const limit = deps.config.queueMaxAttempts;
  if (limit <= 0) return 0;
  let given = 0;
  for (const entry of deps.queue.exhausted(limit)) {
    if (await deps.commits.turn(() => deadLetter(deps, entry))) given += 1;
  }
  return given;
}

/** One pass: what dead services left, leases past their attempts, deadlines, human tasks (contract/platform.md 6.6). */
export async function sweepOnce(deps: PlatformDeps): Promise<SweepReport> {
  await deps.commits.turn(() => recoverOrphans(deps));
  const deadLettered = await sweepLeases(deps);
  const timedOut = await sweepDeadlines(deps);
  const tasks = await sweepTasks(deps);
  return { timed_out: timedOut, dead_lettered: deadLettered, ...tasks };
}
