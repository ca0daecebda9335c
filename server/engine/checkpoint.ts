import type { JsonObject } from '../kernel/json.ts';
import type { RunFields } from './run-fields.ts';

/** Types of checkpoints (spec-v1 15). */
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

/** What the members of a record that grow with every step gained since the checkpoint before. */
export interface Growth {
  /** Of `visited_steps` or `visited_nodes`: how many leading ones stay, and what follows them. */
  readonly visited: { readonly keep: number; readonly tail: readonly string[] };
  /** New and changed members of `metadata.step_iteration_counts`. */
  readonly step_iteration_counts: Readonly<Record<string, number>>;
}

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
  /** Snapshot of the run at that moment, not redacted. Made when it is read: costs the steps so far. */
  readonly run: RunFields;
  /** The same without what `growth` tells (lists and counts empty): costs the same at every step. */
  readonly brief: RunFields;
  readonly growth: Growth;
  /** Number of the resume point from which a rerun of this checkpoint goes on. */
  readonly point: number;
  /** How many trace events of the same turn come before it: they belong to this checkpoint. */
  readonly trace_before: number;
}
