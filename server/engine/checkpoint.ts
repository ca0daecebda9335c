import type { JsonObject } from '../kernel/json.ts';
import type { RunState } from './state.ts';

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
  /** New and changed members of `metadata.step_iteration_counts`; of the same name the last counts. */
  readonly step_iteration_counts: readonly (readonly [name: string, ends: number])[];
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
  /**
   * The run at that moment, not redacted. What a record shows of it is `toRunFields`; without what
   * `growth` tells, `briefRunFields`. A getter of an object literal that makes them would keep every
   * state alive until all old garbage is collected: V8 makes its accessors among the old objects.
   */
  readonly state: RunState;
  readonly growth: Growth;
  /** Number of the resume point from which a rerun of this checkpoint goes on. */
  readonly point: number;
  /** How many trace events of the same turn come before it: they belong to this checkpoint. */
  readonly trace_before: number;
}
