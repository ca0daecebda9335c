import type { Checkpoint } from './checkpoint.ts';
import type { Effect } from './effect.ts';
import type { ResumePoint } from './resume-point.ts';
import type { RunState } from './state.ts';
import type { TraceEvent } from './trace.ts';
import type { TokensUsed } from './usage.ts';

/** What one event leads to. */
export interface StepOutcome {
  readonly state: RunState;
  /** New effects, in the order in which they were asked for. */
  readonly effects: readonly Effect[];
  /** Ids of effects whose answers are no longer wanted: the runtime stops them. */
  readonly abandoned: readonly string[];
  readonly trace: readonly TraceEvent[];
  readonly checkpoints: readonly Checkpoint[];
  /** New places from which the run can be run again, in order; checkpoints refer to them by number. */
  readonly points: readonly ResumePoint[];
  /** What models used; answers that come from a recording used nothing. */
  readonly used: readonly TokensUsed[];
}

/** Says that nothing happened in a state. */
export function unchanged(state: RunState): StepOutcome {
  return { state, effects: [], abandoned: [], trace: [], checkpoints: [], points: [], used: [] };
}
