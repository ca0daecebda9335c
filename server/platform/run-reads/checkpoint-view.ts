import type { Checkpoint, CheckpointSummary } from '../../contract/platform/run-reads.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseObject } from '../redaction.ts';
import type { CheckpointState } from './checkpoint-states.ts';
import { limitCheckpoint } from './limit-checkpoint.ts';

/** Row → the short form of diff and replay. */
export function toCheckpointSummary(row: CheckpointsTable): CheckpointSummary {
  return {
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    created_at: row.created_at,
    workflow_name: row.workflow_name,
    step_id: row.step_id,
    node_id: row.node_id,
  };
}

/** Some of a run's checkpoints in full, with the trace as it stood at each. */
export function toCheckpointViews(
  deps: PlatformDeps,
  run: RunsTable,
  wanted: readonly { readonly checkpoint: CheckpointState; readonly before: number }[],
): Checkpoint[] {
  const reach = Math.max(0, ...wanted.map(({ checkpoint }) => checkpoint.row.trace_upto));
  const events: JsonObject[] = deps.trace
    .upTo(run.id, reach)
    .map(({ payload }) => parseObject(payload));
  return wanted.map(({ checkpoint, before }) => {
    const { row } = checkpoint;
    const limited = limitCheckpoint(
      {
        state: { ...checkpoint.state, trace_events: events.slice(0, row.trace_upto) },
        trace_events: events.slice(before, row.trace_upto),
        metadata: checkpoint.metadata,
      },
      deps.config.checkpoints,
    );
    return {
      id: row.id,
      run_id: row.run_id,
      type: row.type,
      workflow_name: row.workflow_name,
      step_id: row.step_id,
      node_id: row.node_id,
      sequence: row.sequence,
      iteration: row.iteration,
      ...limited,
      created_at: row.created_at,
    };
  });
}
