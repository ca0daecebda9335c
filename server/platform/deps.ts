import type { Door } from '../http/door-guard.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { CodeByProject } from '../runtime/code-by-project.ts';
import type { CodeTrees } from '../runtime/code-trees.ts';
import type { HandlerRegistry } from '../runtime/handler-registry.ts';
import type { BuiltInSteps } from '../runtime/handlers/built-in-steps.ts';
import type { ProjectMcp } from '../runtime/mcp/project-mcp.ts';
import type { ProjectSecrets } from '../runtime/secrets.ts';
import type { CommitQueue } from '../store/commit-queue.ts';
import type { PlatformTables } from '../store/platform-tables.ts';
import type { SyncStore } from '../store/sync-connection.ts';
import type { WriteLock } from '../store/write-lock.ts';
import type { ApiKey } from './api-keys.ts';
import type { AuditRepository } from './audit/audit-repository.ts';
import type { RecordAudit } from './audit/record-audit.ts';
import type { BudgetStore } from './budgets/budgets-repository.ts';
import type { PlatformConfig } from './config.ts';
import type { EventKey } from './events/event-key.ts';
import type { EventsRepository } from './events/events-repository.ts';
import type { StoredOutbox } from './events/outbox.ts';
import type { ContinuationsRepository } from './human-tasks/continuations-repository.ts';
import type { IdempotencyRecords } from './idempotency/idempotency-repository.ts';
import type { ExecutionThread } from './legs/handed-over.ts';
import type { Execution } from './legs/running-leg.ts';
import type { SyncPlaces } from './legs/sync-places.ts';
import type { NamedLocks } from './named-locks.ts';
import type { PolicyStore } from './policies/policies-repository.ts';
import type { Metrics } from './probes/metrics.ts';
import type { ComputingMarks } from './queue/computing-marks.ts';
import type { RunDeaths } from './queue/deaths-repository.ts';
import type { LiveServices } from './queue/live-services.ts';
import type { QueueRepository } from './queue/queue-repository.ts';
import type { RunAnswers } from './run-answers/run-answers.ts';
import type { RunCode } from './run-code/run-code.ts';
import type { RunList } from './run-list/run-list.ts';
import type { RunChanges } from './run-record/run-changes.ts';
import type { RunsRepository } from './run-record/runs-repository.ts';
import type { LiveAnswers } from './run-stream/live-answers.ts';
import type { SpecReader } from './specs/spec-reader.ts';
import type { CheckpointsRepository } from './stored-states/checkpoints-repository.ts';
import type { Masker } from './stored-states/masker.ts';
import type { MaskingRepository } from './stored-states/masking-repository.ts';
import type { ResumePoints } from './stored-states/resume-points-repository.ts';
import type { RunStates } from './stored-states/run-states-repository.ts';
import type { TraceRepository } from './stored-states/trace-repository.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { CallerPressure } from './threads/caller-pressure.ts';
import type { ThreadPulse } from './threads/thread-pulse.ts';
import type { UsageRepository } from './usage/usage-repository.ts';

/** What the use cases of the Run Platform receive. */
export interface PlatformDeps {
  readonly config: PlatformConfig;
  readonly keys: readonly ApiKey[];
  /** True: a request without a known key is refused. */
  readonly requireKey: boolean;
  /** The names and origins that the listener goes by. */
  readonly door: Door;
  readonly specRoot: string;
  /** Where the code of a run is, and whether it may run. */
  readonly trees: CodeTrees;
  /** What the specs of each project may have (decisions 46). */
  readonly secrets: ProjectSecrets;
  readonly handlers: HandlerRegistry;
  /** Steps of item flows; closed after the last run. */
  readonly builtInSteps: BuiltInSteps;
  /** Connections to MCP servers; closed after the last run. */
  readonly mcp: ProjectMcp;
  /** Code of the tree's `functions/`; closed after the last run. */
  readonly projectCode: CodeByProject;
  /** The functions that runs take along; closed after the last run. */
  readonly runCode: RunCode;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly appVersion: string;
  readonly checkResponses: boolean;
  readonly store: SyncStore<PlatformTables>;
  /** What the store is kept in. */
  readonly storage: {
    readonly kind: 'sqlite' | 'postgres';
    /** False while it takes no writes. */
    hasRoom(): Promise<boolean>;
  };
  readonly runs: RunsRepository;
  /** Who waits for what is committed of a run. */
  readonly runChanges: RunChanges;
  /** What models say while somebody reads it. */
  readonly liveAnswers: LiveAnswers;
  /** Lists, totals, searches, and what a run shows. */
  readonly runList: RunList;
  readonly runStates: RunStates;
  readonly checkpoints: CheckpointsRepository;
  readonly resumePoints: ResumePoints;
  readonly masking: MaskingRepository;
  readonly trace: TraceRepository;
  readonly queue: QueueRepository;
  /** Runs that a service died of. */
  readonly deaths: RunDeaths;
  /** Tells the next start what was computed when this process died. */
  readonly computing: ComputingMarks;
  /** Path of the store, or `:memory:`. */
  readonly databaseFile: string;
  readonly continuations: ContinuationsRepository;
  readonly audit: AuditRepository;
  readonly recordAudit: RecordAudit;
  /** Tells receivers what happens. */
  readonly outbox: StoredOutbox;
  readonly events: EventsRepository;
  readonly eventKey: EventKey;
  readonly budgets: BudgetStore;
  /** What models used, by day and by run. */
  readonly usage: UsageRepository;
  readonly idempotencyRecords: IdempotencyRecords;
  readonly policies: PolicyStore;
  /** Reads specs; closed after the last request. */
  readonly specReader: SpecReader;
  readonly masker: Masker;
  /** What is answered of runs; closed after the last request. */
  readonly runAnswers: RunAnswers;
  readonly metrics: Metrics;
  /** Undefined: nothing is sent to a trace collector. */
  readonly telemetry: Telemetry | undefined;
  readonly locks: NamedLocks;
  /** Runs that this process executes now, by run id. */
  readonly executions: Map<string, Execution>;
  /** Places of synchronous runs that take time. */
  readonly syncPlaces: SyncPlaces;
  /** Short writes of callers at the same time. */
  readonly commits: CommitQueue;
  /** Where legs that take time go on; undefined = here. */
  readonly executionThread: ExecutionThread | undefined;
  /** One writer at a time among the threads of this process. */
  readonly writeLock: WriteLock;
  /** Tells the main thread what this thread computes; undefined in the main thread itself. */
  readonly pulse: ThreadPulse | undefined;
  /** Whether callers write at this moment. */
  readonly pressure: CallerPressure;
  /** Services on the same store. */
  readonly services: LiveServices;
  /** This service, for tokens and locks that other services on the same store see. */
  readonly owner: string;
  /** A token for a leg that this thread executes. */
  newToken(): string;
  /** Tells other nodes on the store that a run was ended from outside. */
  tellEnded(runId: string): void;
  /** Wakes the workers after a run was queued. */
  wakeWorkers(): void;
}
