import { availableParallelism, homedir } from 'node:os';
import {
  type DatabaseAddress,
  type ExternalDatabase,
  externalDatabase,
} from '../contract/database.ts';
import type { RequestLimits } from '../contract/platform/limits.ts';
import type { RecordingChoice } from '../contract/platform/recordings.ts';
import {
  type Environment,
  ignoredValues,
  readSettings,
  type SettingValues,
  strayVariables,
  unreadSettings,
} from '../contract/settings.ts';
import type { RunLimits } from '../engine/run-limits.ts';
import type { IgnoredSetting, StraySetting } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { SandboxMode } from '../runtime/project-fence.ts';
import { isServiceName } from '../runtime/secrets.ts';
import { type ApiKey, apiKeyOfRole, operatorKeysOf, parseApiKeys } from './api-keys.ts';
import { type CodeConfig, codeConfigOf } from './code-settings.ts';
import type { ConcurrencyLimits, SyncLimits } from './execution-limits.ts';
import { LOG_LEVELS } from './leveled-log.ts';
import type { TelemetryConfig } from './telemetry-config.ts';
import { TELEMETRY_VARIABLES } from './telemetry-variables.ts';
import { CLIENT_VARIABLES, PLATFORM_VARIABLES, PROJECT_VARIABLES } from './variables.ts';

/** Retry and timeout of one kind of outside call; seconds. */
export interface CallPolicy {
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly timeoutSeconds: number | undefined;
  readonly retryOnTimeout: boolean;
}

/** Days to keep; undefined keeps for ever. */
export interface RetentionConfig {
  readonly runs: number | undefined;
  readonly checkpoints: number | undefined;
  readonly queue: number | undefined;
  readonly continuations: number | undefined;
  readonly audit: number | undefined;
  readonly idempotency: number | undefined;
  readonly artifacts: number | undefined;
  readonly logs: number | undefined;
  readonly runStatuses: readonly string[];
  readonly queueStatuses: readonly string[];
  readonly artifactPath: string | undefined;
  readonly logPath: string | undefined;
}

/** Storage limits of a checkpoint; bytes and characters (contract/platform.md 3.6). */
export interface CheckpointLimits {
  readonly compressBytes: number;
  readonly maxBytes: number;
  readonly previewChars: number;
  readonly maxListItems: number;
  readonly maxDictItems: number;
}

/** How events are sent (docs/events.md). */
export interface EventsConfig {
  readonly timeoutSeconds: number;
  /** Receivers may be at private addresses, and without encryption. */
  readonly allowPrivate: boolean;
  readonly maxAttempts: number;
  /** Seconds before the second attempt. */
  readonly retrySeconds: number;
  /** Seconds before a deadline at which it is near. */
  readonly nearSeconds: number;
  readonly keepDays: number;
  /** Seals the secrets of receivers; undefined = a file beside the store. */
  readonly key: string | undefined;
}

/** Queues by name, and how many queued runs may execute at once. */
export interface QueueConfig extends ConcurrencyLimits {
  /** Seconds that one step of priority is worth. */
  readonly prioritySeconds: number;
}

/** Every `SERV_…` setting of the service, read once (contract/platform.md 12). */
export interface PlatformConfig {
  readonly host: string;
  readonly port: number;
  readonly databasePath: string | undefined;
  /** The database that holds the state instead of a file. */
  readonly external: ExternalDatabase | undefined;
  /** Nodes on one database tell each other of news. */
  readonly databaseNotify: boolean;
  /** The database itself, where `external` is a pooler. */
  readonly databaseDirect: DatabaseAddress | undefined;
  readonly keys: readonly ApiKey[];
  /** Names that the listener answers to beside its own (decisions 45). */
  readonly allowedHosts: readonly string[];
  /** True when SERV_AUTH_ENABLED or a configured key demands authentication. */
  readonly authEnabled: boolean;
  readonly limits: RequestLimits;
  readonly workerConcurrency: number;
  readonly workerLeaseSeconds: number;
  readonly workerIdlePollSeconds: number;
  /** Longest computation of a run without a turn of the event loop. */
  readonly executionStallSeconds: number;
  readonly queueMaxAttempts: number;
  readonly maxQueueDepth: number;
  /** Runs that one key follows at once; 0 = any number. */
  readonly streamsPerCaller: number;
  /** Seconds that a reader of a stream may take for one write. */
  readonly streamSendSeconds: number;
  readonly queue: QueueConfig;
  readonly sync: SyncLimits;
  readonly events: EventsConfig;
  /** Days for which the usage of each day is kept. */
  readonly usageKeepDays: number;
  readonly shutdownTimeoutSeconds: number;
  readonly idempotencyLockTtlSeconds: number;
  readonly specRoot: string | undefined;
  readonly tokenBudget: number | undefined;
  /** What one run may use up in all. */
  readonly runLimits: RunLimits;
  /** Megabytes of memory for values of the thread that executes runs. */
  readonly executionMemoryMb: number;
  readonly traceMaxEvents: number;
  /** Traces tell of calls of models and tools. */
  readonly traceCalls: boolean;
  readonly checkpoints: CheckpointLimits;
  readonly metricsEnabled: boolean;
  /** Least gravity of a line; see {@link LOG_LEVELS}. */
  readonly logLevel: number;
  readonly requestLogs: boolean;
  readonly auditExportEnabled: boolean;
  readonly healthProviders: readonly string[];
  readonly healthMcpSecrets: readonly string[];
  readonly requireProviderSecrets: boolean;
  readonly provider: CallPolicy;
  /** What runs do with the traffic of their models and tools unless they say so themselves. */
  readonly recording: RecordingChoice;
  /** Environments in which nothing is rehearsed. */
  readonly productionEnvironments: readonly string[];
  readonly mcp: CallPolicy;
  readonly mcpConnectTimeoutSeconds: number | undefined;
  readonly workflowRetryOnTimeout: boolean;
  readonly retention: RetentionConfig;
  readonly sweepIntervalSeconds: number;
  readonly rateLimitPerMinute: number;
  readonly durability: 'normal' | 'full';
  /** SERV_FUNCTION_SANDBOX: whether project code must run in a sandbox of the operating system. */
  readonly functionSandbox: SandboxMode;
  readonly code: CodeConfig;
  /** Undefined: nothing is sent to a trace collector. */
  readonly telemetry: TelemetryConfig | undefined;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
  /** Malformed values that count as not given. */
  readonly ignored: readonly IgnoredSetting[];
  /** The environment itself: secrets are found in it by name. */
  readonly env: Environment;
}

type Values = SettingValues<(typeof PLATFORM_VARIABLES)['settings']>;

function externalOf(v: Values): ExternalDatabase | undefined {
  if (v.DB_PATH !== undefined && v.DATABASE_URL !== undefined) {
    throw new StartRefusal(
      'SERV_DB_PATH names a file and SERV_DATABASE_URL a database: unset one.',
    );
  }
  return externalDatabase(v.DATABASE_URL, v);
}

/** Where a node hears of news of others; undefined where it has to look for it, as behind a pooler. */
export function newsOf({
  external,
  databaseNotify,
  databaseDirect,
}: Pick<PlatformConfig, 'external' | 'databaseNotify' | 'databaseDirect'>):
  | ExternalDatabase
  | undefined {
  if (external === undefined || !databaseNotify) return undefined;
  if (databaseDirect !== undefined) return { ...external, address: databaseDirect, pooler: false };
  return external.pooler ? undefined : external;
}

function limitsOf(v: Values): RequestLimits {
  return {
    max_body_bytes: v.MAX_BODY_BYTES,
    max_input_chars: v.MAX_INPUT_CHARS,
    max_human_content_chars: v.MAX_HUMAN_CONTENT_CHARS,
    max_inline_spec_bytes: v.MAX_INLINE_SPEC_BYTES,
    max_overrides_bytes: v.MAX_OVERRIDES_BYTES,
    max_metadata_bytes: v.MAX_METADATA_BYTES,
    max_list_items: v.MAX_LIST_ITEMS,
    max_path_chars: v.MAX_PATH_CHARS,
  };
}

function callsOf(v: Values, kind: 'PROVIDER' | 'MCP'): CallPolicy {
  return {
    retries: v[`${kind}_RETRIES`],
    backoffSeconds: v[`${kind}_RETRY_BACKOFF_SECONDS`],
    timeoutSeconds: v[`${kind}_TIMEOUT_SECONDS`],
    retryOnTimeout: v[`${kind}_RETRY_ON_TIMEOUT`],
  };
}

function allUnlessSome<T>(named: readonly T[], all: readonly T[]): readonly T[] {
  return named.length === 0 ? all : named;
}

function retentionOf(v: Values): RetentionConfig {
  const { RETENTION_RUN_STATUSES: runs, RETENTION_QUEUE_STATUSES: queue } =
    PLATFORM_VARIABLES.settings;
  return {
    runs: v.RETENTION_RUNS_DAYS,
    checkpoints: v.RETENTION_CHECKPOINTS_DAYS,
    queue: v.RETENTION_QUEUE_DAYS,
    continuations: v.RETENTION_CONTINUATIONS_DAYS,
    audit: v.RETENTION_AUDIT_DAYS,
    idempotency: v.RETENTION_IDEMPOTENCY_DAYS,
    artifacts: v.RETENTION_ARTIFACTS_DAYS,
    logs: v.RETENTION_LOGS_DAYS,
    runStatuses: allUnlessSome(v.RETENTION_RUN_STATUSES, runs.standard),
    queueStatuses: allUnlessSome(v.RETENTION_QUEUE_STATUSES, queue.standard),
    artifactPath: v.ARTIFACT_PATH,
    logPath: v.LOG_PATH,
  };
}

function keysOf(v: Values): ApiKey[] {
  const keys = parseApiKeys(v.API_KEYS ?? '');
  const admin = v.ADMIN_API_KEY;
  return admin === undefined ? keys : [...keys, apiKeyOfRole('admin', admin, 'admin')];
}

/** Keys of the environment that may do everything. @throws StartRefusal for an entry that is malformed */
export function readOperatorKeys(env: Environment): string[] {
  return operatorKeysOf(keysOf(readSettings(PLATFORM_VARIABLES, env)));
}

/** Where spans go. @throws StartRefusal for a malformed `OTEL_…` variable */
function telemetryOf(v: Values, env: Environment): TelemetryConfig | undefined {
  if (!v.OTEL_ENABLED) return undefined;
  const otel = readSettings(TELEMETRY_VARIABLES, env);
  const base = withoutTrailingSlashes(otel.EXPORTER_OTLP_ENDPOINT);
  return {
    recorded: { arguments: v.OTEL_RECORD_ARGUMENTS, results: v.OTEL_RECORD_RESULTS },
    url: otel.EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base}/v1/traces`,
    headers: otel.EXPORTER_OTLP_HEADERS,
    timeoutMs: otel.EXPORTER_OTLP_TIMEOUT,
    serviceName: otel.SERVICE_NAME,
    resource: otel.RESOURCE_ATTRIBUTES ?? {},
    queueSpans: otel.BSP_MAX_QUEUE_SIZE,
    batchSpans: otel.BSP_MAX_EXPORT_BATCH_SIZE,
    delayMs: otel.BSP_SCHEDULE_DELAY,
  };
}

/** Settings of telemetry that nothing reads while it is off. */
function unreadTelemetry(v: Values, env: Environment): IgnoredSetting[] {
  if (v.OTEL_ENABLED) return [];
  const isUnread = (name: string): boolean => name.startsWith('OTEL_RECORD_');
  return unreadSettings(PLATFORM_VARIABLES, env, isUnread, 'SERV_OTEL_ENABLED is off');
}

/** What would be set and do nothing. */
function refuseUnusable(v: Values): void {
  for (const kind of ['ARTIFACT', 'LOG'] as const) {
    if (v[`RETENTION_${kind}S_DAYS`] !== undefined && v[`${kind}_PATH`] === undefined) {
      throw new StartRefusal(
        `SERV_RETENTION_${kind}S_DAYS is set, but SERV_${kind}_PATH does not name the folder.`,
      );
    }
  }
  const own = v.SPEC_SECRETS.find(isServiceName);
  if (own === undefined) return;
  throw new StartRefusal(
    `SERV_SPEC_SECRETS names ${own}, which belongs to the services and is never given to a spec.`,
  );
}

/**
 * Reads the whole configuration of the Run Platform.
 * @throws StartRefusal for a malformed value, an unknown role or scope, an external database.
 */
export function readPlatformConfig(env: Environment): PlatformConfig {
  const values = readSettings(PLATFORM_VARIABLES, env);
  const config = configOf(values);
  const telemetry = telemetryOf(values, env);
  const groups = [PLATFORM_VARIABLES, CLIENT_VARIABLES, PROJECT_VARIABLES];
  const ignored = [...ignoredValues(PLATFORM_VARIABLES, env), ...unreadTelemetry(values, env)];
  return { ...config, telemetry, strays: strayVariables(env, groups), ignored, env };
}

function configOf(v: Values): Omit<PlatformConfig, 'env' | 'strays' | 'ignored' | 'telemetry'> {
  refuseUnusable(v);
  const keys = keysOf(v);
  const authEnabled = v.AUTH_ENABLED || keys.length > 0;
  if (authEnabled && keys.length === 0) {
    throw new StartRefusal('SERV_AUTH_ENABLED is on, but SERV_API_KEYS holds no key.');
  }
  return {
    host: v.HOST,
    port: v.PORT,
    allowedHosts: v.ALLOWED_HOSTS,
    databasePath: v.DB_PATH,
    external: externalOf(v),
    databaseNotify: v.DATABASE_NOTIFY,
    databaseDirect: v.DATABASE_DIRECT_URL,
    keys,
    authEnabled,
    limits: limitsOf(v),
    workerConcurrency: v.WORKER_CONCURRENCY,
    workerLeaseSeconds: v.WORKER_LEASE_SECONDS,
    workerIdlePollSeconds: v.WORKER_IDLE_POLL_SECONDS,
    executionStallSeconds: v.EXECUTION_STALL_SECONDS,
    queueMaxAttempts: v.QUEUE_MAX_ATTEMPTS,
    maxQueueDepth: v.MAX_QUEUE_DEPTH,
    streamsPerCaller: v.STREAMS_PER_CALLER,
    streamSendSeconds: v.STREAM_SEND_SECONDS,
    queue: {
      queues: v.QUEUES,
      workflows: v.WORKFLOW_CONCURRENCY,
      callers: v.CALLER_CONCURRENCY,
      perKey: v.KEY_CONCURRENCY,
      prioritySeconds: v.PRIORITY_SECONDS,
    },
    usageKeepDays: v.USAGE_KEEP_DAYS,
    events: {
      timeoutSeconds: v.EVENTS_TIMEOUT_SECONDS,
      allowPrivate: v.EVENTS_PRIVATE_ADDRESSES,
      maxAttempts: v.EVENTS_MAX_ATTEMPTS,
      retrySeconds: v.EVENTS_RETRY_SECONDS,
      nearSeconds: v.EVENTS_DEADLINE_SECONDS,
      keepDays: v.EVENTS_KEEP_DAYS,
      key: v.EVENTS_KEY,
    },
    sync: {
      runs: v.SYNC_MAX_RUNS,
      codeRuns: v.SYNC_MAX_CODE_RUNS ?? 2 * availableParallelism(),
      runsPerCaller: v.SYNC_MAX_RUNS_PER_CALLER,
      waitSeconds: v.SYNC_WAIT_SECONDS,
    },
    shutdownTimeoutSeconds: v.SHUTDOWN_TIMEOUT_SECONDS,
    idempotencyLockTtlSeconds: v.IDEMPOTENCY_LOCK_TTL_SECONDS,
    // `~` at the start is the user's home (contract/platform.md 3.13).
    specRoot: v.SPEC_ROOT?.replace(/^~(?=$|[\\/])/, homedir()),
    tokenBudget: v.TOKEN_BUDGET,
    runLimits: { parts: v.RUN_MAX_PARTS, text_chars: v.RUN_MAX_TEXT_CHARS },
    executionMemoryMb: v.EXECUTION_MEMORY_MB,
    traceMaxEvents: v.TRACE_MAX_EVENTS,
    traceCalls: v.TRACE_CALLS,
    checkpoints: {
      compressBytes: v.CHECKPOINT_COMPRESS_BYTES,
      maxBytes: v.CHECKPOINT_MAX_BYTES,
      previewChars: v.CHECKPOINT_PREVIEW_CHARS,
      maxListItems: v.CHECKPOINT_MAX_LIST_ITEMS,
      maxDictItems: v.CHECKPOINT_MAX_DICT_ITEMS,
    },
    metricsEnabled: v.METRICS_ENABLED,
    logLevel: LOG_LEVELS.get(v.LOG_LEVEL) ?? 0,
    requestLogs: v.REQUEST_LOGS,
    auditExportEnabled: v.AUDIT_EXPORT_ENABLED,
    healthProviders: v.HEALTH_PROVIDERS,
    healthMcpSecrets: v.HEALTH_MCP_SECRETS,
    requireProviderSecrets: v.REQUIRE_PROVIDER_SECRETS,
    provider: callsOf(v, 'PROVIDER'),
    recording: v.RECORDING,
    productionEnvironments: v.PRODUCTION_ENVIRONMENTS,
    mcp: callsOf(v, 'MCP'),
    mcpConnectTimeoutSeconds: v.MCP_CONNECT_TIMEOUT_SECONDS,
    workflowRetryOnTimeout: v.WORKFLOW_RETRY_ON_TIMEOUT,
    retention: retentionOf(v),
    sweepIntervalSeconds: v.SWEEP_INTERVAL_SECONDS,
    rateLimitPerMinute: v.RATE_LIMIT_PER_MINUTE,
    durability: v.DURABILITY,
    functionSandbox: v.FUNCTION_SANDBOX,
    code: codeConfigOf(v),
  };
}
