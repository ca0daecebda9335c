import type { LegTail } from './leg-tail.ts';
import type { LegEnd } from './running-leg.ts';

/** A leg whose state is in the store under this token. */
export interface HandedOver {
  readonly run_id: string;
  readonly token: string;
  readonly tail: LegTail | null;
}

/** The thread that executes queued runs and legs which take time. */
export interface ExecutionThread {
  /** Goes on with a leg; answers how it ended. */
  execute(leg: HandedOver): Promise<LegEnd>;
  /** Stops a run that was ended from outside. */
  abandon(runId: string): void;
  /** Looks for queued runs now. */
  wake(): void;
  /** Claims nothing more and waits for what runs, at most so many seconds; then the thread ends. */
  drain(timeoutSeconds: number): Promise<void>;
}
