import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { HumanDecision } from '../../engine/event.ts';
import { continueAnswer, type HumanRequest } from '../../engine/human.ts';
import type { RunState } from '../../engine/state.ts';
import type { ContinuationsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import {
  answerTask,
  endOutdated,
  refuseExpired,
  stateConflict,
} from '../human-tasks/answer-task.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import { answerWithTail } from '../legs/run-outcome.ts';
import { hasScope, type Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { getRunRow } from '../run-record/get-run.ts';
import { statusOf } from '../run-record/run-view.ts';
import { isMaskedState } from '../stored-states/masked-origin.ts';
import { takeLock } from '../take-lock.ts';

/** A failed run can go on where the engine kept a place to restart (contract/platform.md 6.4). */
function canRestart(state: RunState | undefined): state is RunState {
  return state !== undefined && state.status === 'failed' && state.restart !== null;
}

/** The answer that continue gives to a blocked run's request, where one may be given without a person. */
export function continueDecision(state: RunState | undefined): HumanDecision | undefined {
  const request: HumanRequest | undefined = state?.pause?.request;
  return request === undefined ? undefined : continueAnswer(request);
}

function continued(row: RunsTable, principal: Principal): LegTail['audit'][number] {
  return {
    event_type: 'run.continued',
    actor: principal.name,
    run_id: row.id,
    continuation_id: null,
    metadata: {},
    adds: 'status',
  };
}

async function continueBlocked(
  deps: PlatformDeps,
  row: RunsTable,
  principal: Principal,
): Promise<RunResult> {
  if (!hasScope(principal.scopes, 'human:write')) {
    throw refuse('forbidden', { details: { required_scope: 'human:write' } });
  }
  const id = row.continuation_id;
  const resource = `continuation:${id}`;
  const release = await takeLock(deps, resource);
  if (release === undefined) throw refuse('resource_locked', { details: { resource } });
  try {
    const task: ContinuationsTable | undefined =
      id === null ? undefined : deps.continuations.find(id);
    if (task === undefined) throw stateConflict(row, 'continue');
    refuseExpired(deps, task);
    const state = deps.runStates.find(row.id);
    if (state === undefined) throw await endOutdated(deps, row, 'continue');
    const decision = continueDecision(state);
    if (decision === undefined) {
      throw stateConflict(
        row,
        'continue',
        `Run ${row.id} waits for a decision that only a person can give: answer it with POST /human-tasks/${task.id}/resume.`,
      );
    }
    const tail: LegTail = {
      audit: [
        {
          event_type: 'human.decision',
          actor: principal.name,
          run_id: row.id,
          continuation_id: task.id,
          metadata: {
            request_id: task.request_id,
            decision: decision.decision,
            has_content: false,
            selected_option: decision.selected_option ?? null,
            continued: true,
          },
          adds: 'status',
        },
        continued(row, principal),
      ],
      record: principal.pendingRecord,
      body: 'run',
    };
    const end = await answerTask(deps, row, decision, 'continue', tail);
    return await answerWithTail(deps, row.id, end, tail);
  } finally {
    await release();
  }
}

async function continueFailed(
  deps: PlatformDeps,
  id: string,
  principal: Principal,
): Promise<RunResult> {
  const token = deps.newToken();
  // Row and state are read where the run is taken: it may have been masked since it was looked up.
  const taken = await deps.commits.turn(() => {
    const state = deps.runStates.find(id);
    const row = deps.runs.find(id);
    if (row === undefined || !canRestart(state)) return undefined;
    return deps.runs.take(id, 'failed', token) ? { row, state } : undefined;
  });
  if (taken === undefined) throw stateConflict(getRunRow(deps, id), 'continue');
  const { row, state } = taken;
  const tail: LegTail = {
    audit: [continued(row, principal)],
    record: principal.pendingRecord,
    body: 'run',
  };
  const end = await executeLeg(deps, {
    kind: 'resumed',
    row,
    state,
    token,
    event: { type: 'continued', at: deps.clock.now(), masked: isMaskedState(row, state) },
    tail,
  });
  return await answerWithTail(deps, row.id, end, tail);
}

/**
 * POST /runs/{id}/continue: a blocked run gets its default answer, a failed one restarts where it
 * failed.
 * @throws Refusal in the order of contract/platform.md 6.4.
 */
export async function continueRun(
  deps: PlatformDeps,
  input: { readonly runId: string; readonly principal: Principal },
): Promise<RunResult> {
  getRunRow(deps, input.runId);
  const resource = `run:${input.runId}`;
  const release = await takeLock(deps, resource);
  if (release === undefined) throw refuse('resource_locked', { details: { resource } });
  try {
    const row = getRunRow(deps, input.runId);
    const status = statusOf(row);
    const over = isTerminalStatus(status) && status !== 'failed';
    if (over || status === 'queued' || status === 'running' || deps.executions.has(row.id)) {
      throw stateConflict(row, 'continue');
    }
    return status === 'blocked'
      ? await continueBlocked(deps, row, input.principal)
      : await continueFailed(deps, row.id, input.principal);
  } finally {
    await release();
  }
}
