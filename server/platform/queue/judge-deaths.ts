import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { statusOf } from '../run-record/run-view.ts';
import { type DeadService, deadServices, removeMarks } from './computing-marks.ts';

/** A service that is killed from outside may hit a run once; twice at the same place is no accident. */
const KILLS_AT_ONE_PLACE = 2;

const ENDED_SERVICE =
  'The run ended the whole service when it was computed, so it is not taken up again by itself. Look for what grows without an end in its spec; then start it again, or run it again from a checkpoint.';
const KILLED_TWICE =
  'The service was killed twice while it computed this run at the same place, so the run is not taken up again by itself. If the system ended it for want of memory, make the run smaller; else start it again, or run it again from a checkpoint.';

function stop(deps: PlatformDeps, runId: string, message: string): boolean {
  const row = deps.runs.find(runId);
  if (row === undefined) return false;
  const error = { type: 'RunStopped', message };
  const { changed } = endRun(deps, row, { type: 'failed', at: deps.clock.now(), error });
  if (!changed) return false;
  deps.queue.end(runId, 'failed');
  deps.metrics.add('runs_failed');
  deps.metrics.add('runs_crashed');
  deps.log.error({ run_id: runId }, message);
  deps.recordAudit({
    event_type: 'run.stopped',
    actor: null,
    run_id: runId,
    metadata: { reason: 'service_died' },
  });
  return true;
}

function judge(deps: PlatformDeps, runId: string, byItself: boolean): void {
  const row = deps.runs.find(runId);
  if (row === undefined || isTerminalStatus(statusOf(row))) return;
  if (byItself) {
    stop(deps, runId, ENDED_SERVICE);
    return;
  }
  const seq = deps.runStates.find(runId)?.seq ?? 0;
  const before = deps.deaths.find(runId);
  const deaths = before?.seq === seq ? before.deaths + 1 : 1;
  const died_at = toTimestamp(deps.clock.now());
  deps.deaths.save({ run_id: runId, deaths, seq, died_at });
  if (deaths >= KILLS_AT_ONE_PLACE) stop(deps, runId, KILLED_TWICE);
}

function judgeService(deps: PlatformDeps, { owner, runs, byItself }: DeadService): void {
  for (const runId of runs) {
    try {
      judge(deps, runId, byItself);
    } catch (error) {
      deps.log.error(
        { run_id: runId, err: error },
        'a run that a service died of could not be judged',
      );
    }
  }
  removeMarks(deps.databaseFile, owner);
}

/**
 * Stops runs that services died of: one that the service ended itself in is never taken up again
 * without a person, one that it was killed in is, unless it happens again before the run got on.
 */
export function judgeDeaths(deps: PlatformDeps, alive: ReadonlySet<string>): void {
  for (const dead of deadServices(deps.databaseFile, alive)) judgeService(deps, dead);
}
