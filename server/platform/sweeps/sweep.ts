import type { Clock } from '../../kernel/clock.ts';
import type { PlatformDeps } from '../deps.ts';
import { createJumpWatch } from '../queue/clock-jumps.ts';
import { deadLetter } from '../queue/dead-letter.ts';
import { recoverOrphans } from '../queue/recover-orphans.ts';
import type { SweepReport } from '../service-options.ts';
import { createDeadlineWatch, type DeadlineWatch } from './deadline-watch.ts';
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

/** What the passes of one service remember of the time before. */
export interface SweepMemory {
  readonly runs: DeadlineWatch;
  readonly tasks: DeadlineWatch;
  /** The clock was set, or the machine slept, since the last pass. */
  jumped(): boolean;
}

export function createSweepMemory(clock: Clock): SweepMemory {
  return {
    runs: createDeadlineWatch(),
    tasks: createDeadlineWatch(),
    jumped: createJumpWatch(clock),
  };
}

/** One pass: what dead services left, leases past their attempts, deadlines, human tasks (contract/platform.md 6.6). */
export async function sweepOnce(deps: PlatformDeps, memory: SweepMemory): Promise<SweepReport> {
  await deps.commits.turn(() => recoverOrphans(deps));
  // Right after a jump a lease that looks run out may be about to be renewed.
  const deadLettered = memory.jumped() ? 0 : await sweepLeases(deps);
  const timedOut = await sweepDeadlines(deps, memory.runs);
  const tasks = await sweepTasks(deps, memory.tasks);
  return { timed_out: timedOut, dead_lettered: deadLettered, ...tasks };
}
