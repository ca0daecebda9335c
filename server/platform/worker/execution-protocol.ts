import type { RunEvent } from '../../engine/event.ts';
import type { CodeTreesSetting } from '../../runtime/code-trees.ts';
import type { ClockShift } from '../../runtime/system-clock.ts';
import type { WriteLockMemory } from '../../store/write-lock.ts';
import type { PlatformConfig } from '../config.ts';
import type { CounterName } from '../probes/metrics.ts';
import type { PressureMemory } from './caller-pressure.ts';
import type { LegTail } from './leg-tail.ts';
import type { LegEnd } from './running-leg.ts';
import type { PulseMemory } from './thread-pulse.ts';

/** Events that a stored state waits for, and what a spec that cannot be built means for the run. */
export interface LegBegin {
  readonly events: readonly RunEvent[];
  readonly onUnbuildable: 'fail' | 'keep';
}

/** A leg whose state is in the store under this token. */
export interface HandedOver {
  readonly run_id: string;
  readonly token: string;
  readonly tail: LegTail | null;
  /** What sets the leg off; null = it goes on from where it was handed over. */
  readonly begins: LegBegin | null;
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

/** What a thread is started with. */
export interface ThreadSetup {
  readonly config: PlatformConfig;
  readonly databaseFile: string;
  readonly migrationsDir: string;
  readonly specRoot: string;
  readonly trusted: boolean;
  readonly projects: CodeTreesSetting['projects'];
  readonly appVersion: string;
  /** Claims queued runs. */
  readonly claims: boolean;
  /** Names of the handlers that the main thread calls for this one. */
  readonly handlers: readonly string[];
  /** Begins every token, so that leases of a lost thread are known. */
  readonly owner: string;
  readonly lock: WriteLockMemory;
  readonly pulse: PulseMemory;
  readonly pressure: PressureMemory;
  readonly clockShift: ClockShift | undefined;
}

export type ToThread =
  | { readonly type: 'execute'; readonly leg: HandedOver }
  | { readonly type: 'abandon'; readonly run_id: string }
  | { readonly type: 'wake' }
  | { readonly type: 'drain'; readonly timeout_seconds: number }
  | { readonly type: 'handler_answered'; readonly id: number; readonly value: unknown }
  | { readonly type: 'handler_failed'; readonly id: number; readonly error: HandlerError };

/** A failure of a handler with what the engine decides by. */
export interface HandlerError {
  readonly name: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>> | null;
}

export type LogLevel = 'info' | 'warn' | 'error';

export type FromThread =
  /** It had nothing to do for a while, takes nothing more and ends. */
  | { readonly type: 'retiring' }
  | {
      readonly type: 'leg_ended';
      readonly run_id: string;
      readonly token: string;
      readonly end: LegEnd;
    }
  | {
      readonly type: 'call_handler';
      readonly id: number;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'stop_handler'; readonly id: number }
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly message: string;
    }
  | { readonly type: 'counts'; readonly amounts: Counts };

/** What counters gained. */
export type Counts = ReadonlyMap<CounterName, number>;
