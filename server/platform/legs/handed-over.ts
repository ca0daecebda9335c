import type { RunEvent } from '../../engine/event.ts';
import type { LegTail } from './leg-tail.ts';
import type { LegEnd } from './running-leg.ts';

/** What a spec that cannot be built means for a run: it fails, or it stays as it is. */
export type Unbuildable = 'fail' | 'keep';

/** The event that a stored state waits for, and what a spec that cannot be built means for the run. */
export interface LegBegin {
  readonly event: RunEvent;
  readonly onUnbuildable: Unbuildable;
}

/** A leg whose state is in the store under this token. Plain data: another thread takes it. */
export interface HandedOver {
  readonly run_id: string;
  readonly token: string;
  readonly tail: LegTail | null;
  /** What sets the leg off; null = it goes on from where it was handed over. */
  readonly begins: LegBegin | null;
}

/** The thread that executes queued runs and legs which take time, or the workers of other nodes. */
export interface ExecutionThread {
  /** True where no leg begins in the thread that is asked. */
  readonly takesAll: boolean;
  /** Goes on with a leg; answers how it ended. */
  execute(leg: HandedOver): Promise<LegEnd>;
  /** Stops a run that was ended from outside. */
  abandon(runId: string): void;
  /** Looks for queued runs now. */
  wake(): void;
  /** Claims nothing more and waits for what runs, at most so many seconds; then the thread ends. */
  drain(timeoutSeconds: number): Promise<void>;
}
