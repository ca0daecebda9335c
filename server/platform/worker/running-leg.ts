import type { RunEvent } from '../../engine/event.ts';
import type { RunState } from '../../engine/state.ts';

/** How an execution ended: at a terminal or blocked state, or because somebody else took the run. */
export type ExecutionEnd =
  | { readonly kind: 'settled'; readonly state: RunState }
  | { readonly kind: 'lost' };

/** One leg of one run in this process. */
export interface Execution {
  readonly runId: string;
  readonly token: string;
  readonly done: Promise<ExecutionEnd>;
  /** Applies an event from outside (cancel, deadline) at once; false when it no longer matters. */
  apply(event: RunEvent): boolean;
  /** Stops effects and writes nothing more. */
  abandon(): void;
}
