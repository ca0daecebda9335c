import type { PlatformDeps } from '../deps.ts';
import type { SweepReport } from '../service-options.ts';
import { deadLetter } from '../worker/dead-letter.ts';
import { recoverOrphans } from '../worker/recover-orphans.ts';
import { sweepDeadlines } from './sweep-deadlines.ts';
import { sweepTasks } from './sweep-tasks.ts';

function sweepLeases(deps: PlatformDeps): number {
  const limit = deps.config.queueMaxAttempts;
  if (limit <= 0) return 0;
  const exhausted = deps.queue.exhausted(limit);
  return exhausted.filter((entry) => deadLetter(deps, entry)).length;
}

/** One pass: what dead services left, leases past their attempts, deadlines, human tasks (contract/platform.md 6.6). */
export async function sweepOnce(deps: PlatformDeps): Promise<SweepReport> {
  recoverOrphans(deps);
  const deadLettered = sweepLeases(deps);
  const timedOut = sweepDeadlines(deps);
  const tasks = await sweepTasks(deps);
  return { timed_out: timedOut, dead_lettered: deadLettered, ...tasks };
}
