import { homedir } from 'node:os';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../contract/platform/limits.ts';
import { type RecordingChoice, recordingChoice } from '../contract/platform/recordings.ts';
import { TERMINAL_STATUSES } from '../contract/platform/run-status.ts';
import { DEFAULT_RUN_LIMITS, type RunLimits } from '../engine/run-limits.ts';
import { recordReads, type StraySetting, straySettings } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { SANDBOX_MODES, type SandboxMode } from '../runtime/project-fence.ts';
import { isServiceName } from '../runtime/secrets.ts';
import { type ApiKey, apiKeyOfRole, operatorKeysOf, parseApiKeys } from './api-keys.ts';
import { createEnvReader, type Environment, type EnvReader } from './env-reader.ts';
import { LOG_LEVELS } from './leveled-log.ts';

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

const DURABILITIES = ['normal', 'full'] as const;

/** Every `SERV_…` setting of the service, read once (contract/platform.md 12). */
export interface PlatformConfig {
  readonly host: string;
  readonly port: number;
  readonly databasePath: string | undefined;
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
  readonly shutdownTimeoutSeconds: number;
  readonly idempotencyLockTtlSeconds: number;
  readonly specRoot: string | undefined;
  readonly tokenBudget: number | undefined;
  /** What one run may use up in all. */
  readonly runLimits: RunLimits;
  /** Megabytes of memory for values of the thread that executes runs. */
  readonly executionMemoryMb: number;
  readonly traceMaxEvents: number;
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
  readonly mcp: CallPolicy;
  readonly mcpConnectTimeoutSeconds: number | undefined;
  readonly workflowRetryOnTimeout: boolean;
  readonly retention: RetentionConfig;
  readonly sweepIntervalSeconds: number;
  readonly rateLimitPerMinute: number;
  readonly durability: 'normal' | 'full';
  /** SERV_FUNCTION_SANDBOX: whether project code must run in a sandbox of the operating system. */
  readonly functionSandbox: SandboxMode;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
  /** The environment itself: secrets are found in it by name. */
  readonly env: Environment;
}

function readLimits(read: EnvReader): RequestLimits {
  const positive = (name: string, fallback: number): number =>
    read.number(name, { fallback, min: 1, integer: true });
  const d = DEFAULT_REQUEST_LIMITS;
  return {
    max_body_bytes: positive('MAX_BODY_BYTES', d.max_body_bytes),
    max_input_chars: positive('MAX_INPUT_CHARS', d.max_input_chars),
    max_human_content_chars: positive('MAX_HUMAN_CONTENT_CHARS', d.max_human_content_chars),
    max_inline_spec_bytes: positive('MAX_INLINE_SPEC_BYTES', d.max_inline_spec_bytes),
    max_overrides_bytes: positive('MAX_OVERRIDES_BYTES', d.max_overrides_bytes),
    max_metadata_bytes: positive('MAX_METADATA_BYTES', d.max_metadata_bytes),
    max_list_items: positive('MAX_LIST_ITEMS', d.max_list_items),
    max_path_chars: positive('MAX_PATH_CHARS', d.max_path_chars),
  };
}

/** Eleven days: what a timer takes, with room for sums; one that is asked for more would end at once. */
const MAX_TIMER_SECONDS = 1_000_000;

function readCalls(read: EnvReader, prefix: 'PROVIDER' | 'MCP'): CallPolicy {
  return {
    retries: read.number(`${prefix}_RETRIES`, { fallback: 0, min: 0, integer: true }),
    backoffSeconds: read.number(`${prefix}_RETRY_BACKOFF_SECONDS`, {
      fallback: 0,
      min: 0,
      most: MAX_TIMER_SECONDS,
    }),
    timeoutSeconds: read.optionalNumber(`${prefix}_TIMEOUT_SECONDS`, {
      min: 0,
      above: true,
      most: MAX_TIMER_SECONDS,
    }),
    retryOnTimeout: read.flag(`${prefix}_RETRY_ON_TIMEOUT`, false),
  };
}

/** `off`, `record`, `record:NAME` or `replay:NAME`. */
function readRecordingChoice(read: EnvReader): RecordingChoice {
  const [mode, name] = (read.text('RECORDING')?.trim() ?? 'off').split(':', 2);
  const choice = recordingChoice.safeParse({ mode, ...(name === undefined ? {} : { name }) });
  if (choice.success) return choice.data;
  throw new StartRefusal(
    "SERV_RECORDING must be off, record, record:NAME or replay:NAME, with a name of letters, digits, '.', '_' and '-'.",
  );
}

function terminalStatuses(read: EnvReader, name: string, allowed: readonly string[]): string[] {
  const named = read.list(name);
  for (const status of named) {
    if (!allowed.includes(status)) {
      throw new StartRefusal(
        `SERV_${name}: '${status}' is not a terminal status; use ${allowed.join(', ')}.`,
      );
    }
  }
  return named.length === 0 ? [...allowed] : named;
}

function readRetention(read: EnvReader): RetentionConfig {
  const days = (name: string): number | undefined =>
    read.optionalNumber(`RETENTION_${name}_DAYS`, { min: 0, integer: true });
  return {
    runs: days('RUNS'),
    checkpoints: days('CHECKPOINTS'),
    queue: days('QUEUE'),
    continuations: days('CONTINUATIONS'),
    audit: days('AUDIT'),
    idempotency: days('IDEMPOTENCY'),
    artifacts: days('ARTIFACTS'),
    logs: days('LOGS'),
    runStatuses: terminalStatuses(read, 'RETENTION_RUN_STATUSES', TERMINAL_STATUSES),
    queueStatuses: terminalStatuses(read, 'RETENTION_QUEUE_STATUSES', ['completed', 'failed']),
    artifactPath: read.text('ARTIFACT_PATH'),
    logPath: read.text('LOG_PATH'),
  };
}

function readKeys(read: EnvReader): ApiKey[] {
  const keys = parseApiKeys(read.text('API_KEYS') ?? '');
  const admin = read.text('ADMIN_API_KEY');
  return admin === undefined ? keys : [...keys, apiKeyOfRole('admin', admin.trim(), 'admin')];
}

/** Keys of the environment that may do everything. @throws StartRefusal for an entry that is malformed */
export function readOperatorKeys(env: Environment): string[] {
  return operatorKeysOf(readKeys(createEnvReader(env)));
}

function readTokenBudget(read: EnvReader): number | undefined {
  const value = Number(read.text('TOKEN_BUDGET') ?? '');
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function readRunLimits(read: EnvReader): RunLimits {
  const { parts, text_chars } = DEFAULT_RUN_LIMITS;
  const positive = (name: string, fallback: number): number =>
    read.number(name, { fallback, min: 1, integer: true });
  return {
    parts: positive('RUN_MAX_PARTS', parts),
    text_chars: positive('RUN_MAX_TEXT_CHARS', text_chars),
  };
}

/** Settings that are read where they are used: by the command line, and for secrets. */
const READ_ELSEWHERE: readonly string[] = [
  ...['SERV_API_KEY', 'SERV_ENV', 'SERV_PROJECT_CONFIG', 'SERV_PROFILES_PATH'],
  ...['SERV_CLIENT_TIMEOUT', 'SERV_CLIENT_RETRIES', 'SERV_CLIENT_RETRY_BACKOFF_SECONDS'],
  ...['SERV_IDEMPOTENCY_KEY', 'SERV_SPEC_SIGNING_KEY', 'SERV_SPEC_SECRETS', 'SERV_KEYCHAIN'],
];

/** Telemetry that this product does not send (contract/platform.md 12). */
const TELEMETRY = ['OTEL_ENABLED', 'OTEL_RECORD_ARGUMENTS', 'OTEL_RECORD_RESULTS'] as const;

/** What would be set and do nothing. */
function refuseUnusable(read: EnvReader): void {
  for (const name of TELEMETRY) {
    if (read.flag(name, false)) {
      throw new StartRefusal(`SERV_${name} is on, but this product sends no telemetry; unset it.`);
    }
  }
  for (const kind of ['ARTIFACT', 'LOG'] as const) {
    if (
      read.text(`RETENTION_${kind}S_DAYS`) !== undefined &&
      read.text(`${kind}_PATH`) === undefined
    ) {
      throw new StartRefusal(
        `SERV_RETENTION_${kind}S_DAYS is set, but SERV_${kind}_PATH does not name the folder.`,
      );
    }
  }
  if (read.text('DATABASE_URL') !== undefined) {
    throw new StartRefusal(
      'SERV_DATABASE_URL is set, but this product has an embedded store only; unset it (SERV_DB_PATH names the file).',
    );
  }
}

function readLogLevel(read: EnvReader): number {
  const name = read.text('LOG_LEVEL')?.trim() ?? 'INFO';
  const level = LOG_LEVELS.get(name.toUpperCase());
  if (level === undefined) throw new StartRefusal(`SERV_LOG_LEVEL: '${name}' is no log level.`);
  return level;
}

/** `~` at the start is the user's home (contract/platform.md 3.13). */
function readSpecRoot(read: EnvReader): string | undefined {
  return read
    .text('SPEC_ROOT')
    ?.trim()
    .replace(/^~(?=$|[\\/])/, homedir());
}

/** The names of SERV_SPEC_SECRETS; `openSecrets` reads them for itself. @throws StartRefusal */
function checkSpecSecrets(read: EnvReader): void {
  const own = read.list('SPEC_SECRETS').find(isServiceName);
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
  const reads = recordReads(env);
  const config = readConfig(createEnvReader(reads.env));
  const known = [...reads.names, ...READ_ELSEWHERE];
  return { ...config, strays: straySettings(env, 'SERV_', known), env };
}

function readConfig(read: EnvReader): Omit<PlatformConfig, 'env' | 'strays'> {
  refuseUnusable(read);
  checkSpecSecrets(read);
  const keys = readKeys(read);
  const port = read.number('PORT', { fallback: 8000, min: 0, integer: true });
  if (port > 65_535) throw new StartRefusal('SERV_PORT must be at most 65535.');
  const authEnabled = read.flag('AUTH_ENABLED', false) || keys.length > 0;
  if (authEnabled && keys.length === 0) {
    throw new StartRefusal('SERV_AUTH_ENABLED is on, but SERV_API_KEYS holds no key.');
  }
  const bytes = (name: string, fallback: number): number =>
    read.number(`CHECKPOINT_${name}`, { fallback, min: 0, integer: true });
  return {
    host: read.text('HOST')?.trim() ?? '127.0.0.1',
    port,
    allowedHosts: read.list('ALLOWED_HOSTS'),
    databasePath: read.text('DB_PATH'),
    keys,
    authEnabled,
    limits: readLimits(read),
    workerConcurrency: read.number('WORKER_CONCURRENCY', { fallback: 1, min: 1, integer: true }),
    workerLeaseSeconds: read.number('WORKER_LEASE_SECONDS', {
      fallback: 300,
      min: 1,
      most: MAX_TIMER_SECONDS,
    }),
    workerIdlePollSeconds: read.number('WORKER_IDLE_POLL_SECONDS', {
      fallback: 1,
      min: 0,
      above: true,
      most: MAX_TIMER_SECONDS,
    }),
    executionStallSeconds: read.number('EXECUTION_STALL_SECONDS', {
      fallback: 30,
      min: 1,
      most: MAX_TIMER_SECONDS,
    }),
    queueMaxAttempts: read.number('QUEUE_MAX_ATTEMPTS', { fallback: 5, min: 0, integer: true }),
    maxQueueDepth: read.number('MAX_QUEUE_DEPTH', { fallback: 0, min: 0, integer: true }),
    shutdownTimeoutSeconds: read.number('SHUTDOWN_TIMEOUT_SECONDS', {
      fallback: 30,
      min: 0,
      most: MAX_TIMER_SECONDS,
    }),
    idempotencyLockTtlSeconds: read.number('IDEMPOTENCY_LOCK_TTL_SECONDS', {
      fallback: 300,
      min: 0,
      above: true,
    }),
    specRoot: readSpecRoot(read),
    tokenBudget: readTokenBudget(read),
    runLimits: readRunLimits(read),
    executionMemoryMb: read.number('EXECUTION_MEMORY_MB', {
      fallback: 1024,
      min: 64,
      integer: true,
    }),
    traceMaxEvents: read.number('TRACE_MAX_EVENTS', { fallback: 10_000, min: 0, integer: true }),
    checkpoints: {
      compressBytes: bytes('COMPRESS_BYTES', 65_536),
      maxBytes: bytes('MAX_BYTES', 1_048_576),
      previewChars: bytes('PREVIEW_CHARS', 1200),
      maxListItems: bytes('MAX_LIST_ITEMS', 20),
      maxDictItems: bytes('MAX_DICT_ITEMS', 50),
    },
    metricsEnabled: read.flag('METRICS_ENABLED', true),
    logLevel: readLogLevel(read),
    requestLogs: read.flag('REQUEST_LOGS', true),
    auditExportEnabled: read.flag('AUDIT_EXPORT_ENABLED', false),
    healthProviders: read.list('HEALTH_PROVIDERS'),
    healthMcpSecrets: read.list('HEALTH_MCP_SECRETS'),
    requireProviderSecrets: read.flag('REQUIRE_PROVIDER_SECRETS', false),
    provider: readCalls(read, 'PROVIDER'),
    recording: readRecordingChoice(read),
    mcp: readCalls(read, 'MCP'),
    mcpConnectTimeoutSeconds: read.optionalNumber('MCP_CONNECT_TIMEOUT_SECONDS', {
      min: 0,
      above: true,
      most: MAX_TIMER_SECONDS,
    }),
    workflowRetryOnTimeout: read.flag('WORKFLOW_RETRY_ON_TIMEOUT', false),
    retention: readRetention(read),
    sweepIntervalSeconds: read.number('SWEEP_INTERVAL_SECONDS', {
      fallback: 15,
      min: 0,
      most: MAX_TIMER_SECONDS,
    }),
    rateLimitPerMinute: read.number('RATE_LIMIT_PER_MINUTE', {
      fallback: 0,
      min: 0,
      integer: true,
    }),
    durability: read.word('DURABILITY', DURABILITIES, 'normal'),
    functionSandbox: read.word('FUNCTION_SANDBOX', SANDBOX_MODES, 'auto'),
  };
}
