import type { HumanDecision } from '../../engine/event.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { ContinuationsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import { refuse } from '../refuse.ts';
import { OUTDATED_RUN } from '../stored-states/remnant-state.ts';

/** The 409 of a run whose state does not allow an operation (contract/platform.md 6.4). */
export function stateConflict(
  row: Pick<RunsTable, 'id' | 'status'>,
  operation: 'continue' | 'resume',
  message?: string,
) {
  return refuse('run_state_conflict', {
    message: message ?? `Cannot ${operation} run ${row.id}: status is '${row.status}'.`,
    details: { run_id: row.id, status: row.status },
  });
}

/** @throws Refusal human_task_expired, unless the task may be answered late. */
export function refuseExpired(deps: PlatformDeps, task: ContinuationsTable): void {
  if (task.expires_at === null || task.on_timeout === 'escalate') return;
  if (task.expires_at > deps.clock.now() / 1000) return;
  throw refuse('human_task_expired', {
    details: { continuation_id: task.id, expires_at: task.expires_at },
  });
}

/**
 * The refusal of an answer that found no state to go on from: the run is not blocked any more, or
 * this version does not read its state; such a run ends failed, so that nobody waits for it.
 */
export async function endOutdated(
  deps: PlatformDeps,
  row: RunsTable,
  operation: 'continue' | 'resume',
): Promise<Refusal> {
  return deps.commits.turn(() => {
    const current = deps.runs.find(row.id) ?? row;
    const waits = current.status === 'blocked' && current.execution_token === null;
    if (!waits || deps.runStates.find(row.id) !== undefined) {
      return stateConflict(current, operation);
    }
    const at = deps.clock.now();
    const ended = endRun(deps, current, { type: 'failed', at, error: OUTDATED_RUN });
    if (ended.changed) deps.metrics.add('runs_failed');
    return stateConflict(ended.row, operation, OUTDATED_RUN.message);
  });
}

/**
 * Feeds a decision to the blocked run and executes what follows. The caller holds the locks.
 * @throws Refusal run_state_conflict when the run is not blocked or is executing.
 */
export async function answerTask(
  deps: PlatformDeps,
  row: RunsTable,
  decision: HumanDecision,
  operation: 'continue' | 'resume',
  tail: LegTail | null,
): Promise<LegEnd> {
  const token = deps.newToken();
  const state = await deps.commits.turn(() => {
    const stored = deps.runStates.find(row.id);
    return stored !== undefined && deps.runs.take(row.id, 'blocked', token) ? stored : undefined;
  });
  if (state === undefined) throw await endOutdated(deps, row, operation);
  return executeLeg(deps, {
    kind: 'resumed',
    row,
    state,
    token,
    event: { type: 'human_decided', at: deps.clock.now(), decision },
    tail,
  });
}
