import type { JsonObject } from '../kernel/json.ts';
import type { RunFields } from './run-fields.ts';

export type CheckpointType =
  | 'run_started'
  | 'step_completed'
  | 'node_completed'
  | 'step_failed'
  | 'human_pause'
  | 'human_resume'
  | 'replay_context'
  | 'run_completed'
  | 'run_failed'
  | 'run_cancelled'
  | 'run_timed_out';

/** A checkpoint to write (spec-v1 15). `sequence` is given by the store, or by `state.checkpoint_count`. */
export interface Checkpoint {
  readonly id: string;
  readonly type: CheckpointType;
  readonly sequence: number;
  readonly workflow_name: string | null;
  readonly step_id: string | null;
  readonly node_id: string | null;
  readonly iteration: number;
  readonly metadata: JsonObject;
  readonly created_at: string;
  /** Snapshot of the run at that moment, not redacted. */
  readonly run: RunFields;
  /** How many trace events of the same turn come before it: they belong to this checkpoint. */
  readonly trace_before: number;
}
