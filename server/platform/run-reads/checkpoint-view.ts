import type { Checkpoint, CheckpointSummary } from '../../contract/platform/run-reads.ts';
import type { CheckpointLabel } from '../stored-states/checkpoints-repository.ts';

/** Row → the short form of diff and replay. */
export function toCheckpointSummary(row: CheckpointLabel): CheckpointSummary {
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

/** Row → a checkpoint without its state, events and metadata. */
export function toCheckpointLabel(row: CheckpointLabel): Checkpoint {
  const { run_id, iteration } = row;
  return {
    ...toCheckpointSummary(row),
    run_id,
    iteration,
    state: {},
    trace_events: [],
    metadata: {},
  };
}
