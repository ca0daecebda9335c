import type { PlatformRole } from '../contract/platform/scopes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { RunningService } from '../kernel/running-service.ts';
import type { CodeTreesSetting } from '../runtime/code-trees.ts';
import type { HandlerRegistry } from '../runtime/handler-registry.ts';
import type { ClockShift } from '../runtime/system-clock.ts';
import type { OnStoreStep } from '../store/store-step.ts';
import type { PlatformConfig } from './config.ts';

/**
 * What a node does where several share a store: it answers requests and executes nothing, it executes
 * queued runs and answers probes alone, or both.
 */
export type PlatformNodeRole = 'all' | 'api' | 'worker';

/** What the host decides about one Run Platform. */
export interface PlatformOptions {
  readonly config: PlatformConfig;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Names that the listener answers to beside its own and those of SERV_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[];
  /** Path of the store, or `:memory:`. */
  readonly databaseFile: string;
  readonly migrationsDir: string;
  /** Folder that every path of a spec must stay in. */
  readonly specRoot: string;
  /** The tree's `functions/` may run (decisions 8). */
  readonly trusted: boolean;
  /** Where the code of the studio's projects is, and which of them somebody trusts. */
  readonly projects?: CodeTreesSetting['projects'];
  /** Keys made by the host, beside the configured ones; they do not switch authentication on. */
  readonly extraKeys: readonly { name: string; key: string; role: PlatformRole }[];
  /** Demand a key although none is configured (decisions 42, 44). */
  readonly requireKey: boolean;
  readonly handlers?: HandlerRegistry;
  readonly clock: Clock;
  /** Is told how far the store is brought up to date. */
  readonly onStoreStep?: OnStoreStep | undefined;
  /** Tests: moves the clocks of the other threads too. */
  readonly clockShift?: ClockShift;
  readonly ids: Ids;
  readonly log: Log;
  /**
   * False: answers requests, but claims no queued run and sweeps on no schedule, as for one command
   * of the command line. Default true.
   */
  readonly background?: boolean;
  /**
   * False: runs execute in the thread that answers requests. Default: true, except over a store in
   * memory, which one thread alone can open.
   */
  readonly executionThread?: boolean;
  /** What it does of the platform's work; default `all`. */
  readonly role?: PlatformNodeRole;
  /** The program's own version, told beside the contract's. */
  readonly appVersion?: string;
  /** Tests: every answer is checked against its declared schema. */
  readonly checkResponses?: boolean;
}

/** Counts of one pass of the sweeps (contract/platform.md 13). */
export interface SweepReport {
  timed_out: number;
  expired: number;
  continued: number;
  escalated: number;
  dead_lettered: number;
  failed: number;
}

/** Counts of one retention pass (contract/platform.md 12). */
export interface RetentionReport {
  runs: number;
  checkpoints: number;
  queue_records: number;
  continuations: number;
  audit_events: number;
  idempotency_records: number;
  artifacts: number;
  logs: number;
}

/** A started Run Platform. */
export interface RunningPlatform extends RunningService {
  /** One pass of the sweeps now. */
  sweep(): Promise<SweepReport>;
  /** One retention pass now; a dry run only counts. */
  retain(options: { dryRun: boolean }): Promise<RetentionReport>;
}
