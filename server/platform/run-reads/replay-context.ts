import type { Recovery, Replay, ReplayContext } from '../../contract/platform/run-reads.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { replayContext } from '../../engine/recovery.ts';
import type { RunState } from '../../engine/state.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { redactText } from '../redaction.ts';
import { recordFields, requestView, statusOf } from '../run-record/run-view.ts';
import { continueDecision } from '../runs/continue-run.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';
import { isMaskedState } from '../stored-states/masked-origin.ts';
import { type CheckpointState, ofCheckpoints } from './checkpoint-states.ts';
import { toCheckpointSummary } from './checkpoint-view.ts';
import { endedContext, type ToldCheckpoint } from './ended-context.ts';

/** True when POST continue would not answer 409 now (contract/platform.md 3.7, 6.4). */
function mayContinue(deps: PlatformDeps, row: RunsTable, state: RunState | undefined): boolean {
  if (deps.executions.has(row.id) || deps.locks.isHeld(`run:${row.id}`)) return false;
  if (row.status === 'failed') return (state?.restart ?? null) !== null;
  if (row.status !== 'blocked' || row.continuation_id === null) return false;
  const task = deps.continuations.timeout(row.continuation_id);
  if (task === undefined || continueDecision(state) === undefined) return false;
  const past = task.expires_at !== null && task.expires_at <= deps.clock.now() / 1000;
  return !past || task.on_timeout === 'escalate';
}

/** True when continue would go on from texts in which secrets were masked. */
function goesOnMasked(row: RunsTable, state: RunState | undefined): boolean {
  if (row.status !== 'failed' || state === undefined) return false;
  return state.restart !== null && isMaskedState(row, state);
}

/** What a timeline and {@link endedContext} read of a checkpoint. */
const TOLD = {
  state: new Set([
    ...['status', 'current_step_index', 'current_step_id', 'current_node_id'],
    ...['continuation_id', 'pending_human_request', 'error'],
  ]),
  metadata: new Set(['workflow_type', 'output_text', 'input_text']),
};

function toldOf({ row, metadata }: CheckpointState): ToldCheckpoint {
  const { type, sequence, step_id, node_id } = row;
  // What was read becomes the next checkpoint's in place.
  return { row: { type, sequence, step_id, node_id }, metadata: { ...metadata } };
}

async function contextOf(
  deps: PlatformDeps,
  row: RunsTable,
  state: RunState | undefined,
  checkpointCount: number,
  known?: readonly ToldCheckpoint[],
): Promise<ReplayContext> {
  const canReplay = frozenSpecOf(row.created_metadata) !== undefined;
  const common = {
    run_id: row.id,
    status: statusOf(row),
    checkpoint_count: checkpointCount,
    can_continue: mayContinue(deps, row, state),
    can_replay: canReplay,
  };
  // The contract's continue takes up nothing of a state that is only kept for another spec.
  if (state === undefined || (isTerminalStatus(state.status) && state.restart === null)) {
    const told =
      row.status === 'failed'
        ? (known ?? (await ofCheckpoints(deps, row, toldOf, { only: TOLD })))
        : [];
    return { ...common, ...endedContext(row, told) };
  }
  const context = replayContext(state, canReplay);
  return {
    ...context,
    ...common,
    completed_steps: [...context.completed_steps],
    completed_nodes: [...context.completed_nodes],
    resume_input: context.resume_input === null ? null : redactText(context.resume_input),
  };
}

/** GET /runs/{id}/recovery. */
export async function toRecovery(deps: PlatformDeps, row: RunsTable): Promise<Recovery> {
  const record = recordFields(row);
  const count = deps.checkpoints.count(row.id);
  const state = deps.runStates.findOf(row);
  return {
    run_id: row.id,
    status: record.status,
    workflow_name: record.workflow_name,
    workflow_kind: record.workflow_kind,
    current_step_index: record.current_step_index,
    current_node_id: record.current_node_id,
    visited_steps: record.visited_steps,
    visited_nodes: record.visited_nodes,
    checkpoint_count: count,
    pending_human_request: record.pending_human_request,
    continuation_id: record.continuation_id,
    error: record.error,
    ...(goesOnMasked(row, state) ? { masked: true } : {}),
    replay_context: await contextOf(deps, row, state, count),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function timelineItem({ row, state }: CheckpointState): Replay['timeline'][number] {
  const index = state['current_step_index'];
  const pending = state['pending_human_request'];
  const request = requestView(pending === null ? null : JSON.stringify(pending ?? null));
  const error = state['error'];
  const isError = typeof error === 'object' && error !== null && !Array.isArray(error);
  return {
    ...toCheckpointSummary(row),
    status: text(state['status']),
    current_step_index: typeof index === 'number' ? index : null,
    current_step_id: text(state['current_step_id']),
    current_node_id: text(state['current_node_id']),
    continuation_id: text(state['continuation_id']),
    pending_human_request_id: request?.id ?? null,
    error: isError
      ? {
          ...structuredClone(error),
          message: text(error['message']) ?? '',
          type: text(error['type']) ?? 'error',
        }
      : null,
  };
}

/** GET /runs/{id}/replay: the checkpoints as a timeline; nothing is executed. */
export async function toReplay(deps: PlatformDeps, row: RunsTable): Promise<Replay> {
  const read = (checkpoint: CheckpointState) => ({
    item: timelineItem(checkpoint),
    told: toldOf(checkpoint),
  });
  const checkpoints = await ofCheckpoints(deps, row, read, { only: TOLD });
  const state = deps.runStates.findOf(row);
  const told = checkpoints.map((checkpoint) => checkpoint.told);
  return {
    run_id: row.id,
    status: statusOf(row),
    workflow_name: row.workflow_name,
    workflow_kind: row.workflow_kind,
    agent_name: row.agent_name,
    checkpoint_count: checkpoints.length,
    timeline: checkpoints.map(({ item }) => item),
    replay_context: await contextOf(deps, row, state, checkpoints.length, told),
  };
}
