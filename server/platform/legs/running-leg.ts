import { isTerminalStatus, type RunStatus } from '../../contract/platform/run-status.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { RunError } from '../../engine/failure.ts';
import type { RunState } from '../../engine/state.ts';
import type { BuildProblem } from '../specs/build-run.ts';

/** What an answer needs to know of the state that a leg ended in. */
export interface LegOutcome {
  readonly status: RunStatus;
  readonly thrown: boolean;
  readonly error: RunError | null;
}

/**
 * How a leg ended: settled with the answer that was stored with it (null for a refusal, or when
 * nobody asked), refused before it began, or taken over by somebody else.
 */
export type LegEnd =
  | {
      readonly kind: 'settled';
      readonly outcome: LegOutcome;
      readonly result: RunResult | null;
    }
  | { readonly kind: 'unbuildable'; readonly problem: BuildProblem }
  | { readonly kind: 'lost' };

/**
 * How an execution ended: at a terminal or blocked state, because somebody else took the run, or at
 * a committed state from which another thread goes on.
 */
export type ExecutionEnd =
  | { readonly kind: 'settled'; readonly state: RunState }
  | { readonly kind: 'lost' }
  | { readonly kind: 'handed_over'; readonly state: RunState };

/** One leg of one run that this process executes, here or in its execution thread. */
export interface Execution {
  readonly runId: string;
  readonly token: string;
  /** Applies an event from outside (cancel, deadline) at once; false when it no longer matters. Absent for a leg of another thread. */
  readonly apply?: ((event: RunEvent) => boolean) | undefined;
  /** Stops effects and writes nothing more. */
  abandon(): void;
}

export function legOutcome({ status, thrown, error }: RunState): LegOutcome {
  return { status, thrown, error };
}

/** True where a leg has nothing more to do. */
export function isLegOver({ status }: Pick<RunState, 'status'>): boolean {
  return isTerminalStatus(status) || status === 'blocked';
}
