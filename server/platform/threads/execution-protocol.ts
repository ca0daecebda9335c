import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import type { CodeTreesSetting } from '../../runtime/code-trees.ts';
import type { ClockShift } from '../../runtime/system-clock.ts';
import type { WriteLockMemory } from '../../store/write-lock.ts';
import type { PlatformConfig } from '../config.ts';
import type { HandedOver } from '../legs/handed-over.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import type { CounterName, Metrics } from '../probes/metrics.ts';
import type { WatchMemory } from '../run-record/run-changes.ts';
import type { SpanRecord } from '../telemetry/span-record.ts';
import type { PressureMemory } from './caller-pressure.ts';
import type { PulseMemory } from './thread-pulse.ts';

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
  readonly watching: WatchMemory;
  readonly clockShift: ClockShift | undefined;
  /** By how much the store's clock is ahead. */
  readonly clockOffset: SharedArrayBuffer;
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
  /** Something of these runs was committed, which somebody may wait for. */
  | { readonly type: 'written'; readonly run_ids: readonly string[] }
  /** What a model says in a run that somebody may follow. */
  | { readonly type: 'answer'; readonly run_id: string; readonly answer: LiveAnswer }
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly message: string;
    }
  /** Spans that ended, for the trace collector. */
  | { readonly type: 'spans'; readonly spans: readonly SpanRecord[] }
  | { readonly type: 'counts'; readonly amounts: Counts; readonly timings: readonly Timing[] };

/** What a histogram gained. */
export type Timing = Parameters<Metrics['observe']>;
/** What counters gained. */
export type Counts = ReadonlyMap<CounterName, number>;
