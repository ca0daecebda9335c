import { z } from 'zod';
import { DATABASE_SETTINGS, databaseAddress } from '../contract/database.ts';
import { DEFAULT_REQUEST_LIMITS as LIMITS } from '../contract/platform/limits.ts';
import { type RecordingChoice, recordingChoice } from '../contract/platform/recordings.ts';
import { TERMINAL_STATUSES } from '../contract/platform/run-status.ts';
import {
  flag,
  ignoring,
  integerOf,
  type Kind,
  list,
  numberOf,
  optional,
  portNumber,
  setting,
  settingsGroup,
  text,
  wordOf,
  wordsOf,
} from '../contract/settings.ts';
import { DEFAULT_RUN_LIMITS as RUN } from '../engine/run-limits.ts';
import { SANDBOX_MODES } from '../runtime/project-fence.ts';
import { SECRET_VARIABLES } from '../runtime/variables.ts';
import { CODE_SETTINGS } from './code-settings.ts';
import { LOG_LEVELS } from './leveled-log.ts';

/** Eleven days: what a timer takes, with room for sums; one that is asked for more would end at once. */
const most = 1_000_000;
const DURABILITIES = ['normal', 'full'] as const;

const seconds = numberOf({ min: 0, most });
const secondsFromOne = numberOf({ min: 1, most });
const secondsAboveZero = numberOf({ above: 0, most });
const positive = integerOf(1);
const natural = integerOf(0);

const choice: z.ZodType<RecordingChoice> = recordingChoice;

/** `off`, `record`, `record:NAME` or `replay:NAME`. */
const recording: Kind<RecordingChoice> = {
  schema: z
    .string()
    .transform((given): unknown => {
      const [mode, name] = given.split(':', 2);
      return { mode, ...(name === undefined ? {} : { name }) };
    })
    .pipe(choice),
  form: "off, record, record:NAME or replay:NAME, with a name of letters, digits, '.', '_' and '-'",
};

/** Names with a number each; the number may be absent where `isOptional`, which is no limit. */
function namedLimits(form: string, isOptional: boolean): Kind<ReadonlyMap<string, number>> {
  const entry = /^(?<name>\*|[^=\s*]{1,64})(?:=(?<runs>[1-9]\d{0,6}))?$/;
  const schema = list.schema.transform((entries, context) => {
    const limits = new Map<string, number>();
    for (const text of entries) {
      const { name, runs } = entry.exec(text)?.groups ?? {};
      if (name === undefined || (runs === undefined && !isOptional)) {
        context.addIssue({ code: 'custom', message: form });
        return z.NEVER;
      }
      limits.set(name, Number(runs ?? 0));
    }
    return limits;
  });
  return { schema, form: `a list with commas of ${form}` };
}

function calls(what: string) {
  return {
    retries: setting(natural, 0, `Attempts after a failed call of ${what}.`),
    backoff: setting(seconds, 0, `Seconds before such an attempt, times its number.`),
    timeout: optional(secondsAboveZero, `Seconds for one call of ${what}.`, 'none'),
    onTimeout: setting(flag, false, `Whether a call of ${what} that timed out is tried again.`),
  };
}

const provider = calls('a model');
const mcp = calls('an MCP server');
const days = (what: string) => optional(natural, `Days for which ${what} are kept.`, 'for ever');

/** Every setting of the Run Platform (contract/platform.md 12). */
export const PLATFORM_VARIABLES = settingsGroup({
  title: 'Run Platform',
  prefix: 'SERV_',
  alias: 'KNEO_SERV_',
  settings: {
    HOST: setting(text, '127.0.0.1', 'Address of the listener.'),
    PORT: setting(portNumber, 8000, 'Port of the listener; 0 takes a free one.'),
    ALLOWED_HOSTS: setting(list, [], 'Names that the listener answers to beside its own.'),
    DB_PATH: optional(
      text,
      'File of the store, or `:memory:`.',
      '`platform.db` in the data folder',
    ),
    API_KEYS: optional(text, 'Keys with their roles or scopes.'),
    ADMIN_API_KEY: optional(text, 'One key that may do everything.'),
    AUTH_ENABLED: setting(flag, false, 'Whether a key is asked for; on when there is one.'),
    MAX_BODY_BYTES: setting(positive, LIMITS.max_body_bytes, 'Bytes of a request body.'),
    MAX_INPUT_CHARS: setting(positive, LIMITS.max_input_chars, 'Characters of an input.'),
    MAX_HUMAN_CONTENT_CHARS: setting(
      positive,
      LIMITS.max_human_content_chars,
      "Characters of a person's answer.",
    ),
    MAX_INLINE_SPEC_BYTES: setting(
      positive,
      LIMITS.max_inline_spec_bytes,
      'Bytes of a spec in a request.',
    ),
    MAX_OVERRIDES_BYTES: setting(positive, LIMITS.max_overrides_bytes, 'Bytes of overrides.'),
    MAX_METADATA_BYTES: setting(positive, LIMITS.max_metadata_bytes, 'Bytes of metadata.'),
    MAX_LIST_ITEMS: setting(positive, LIMITS.max_list_items, 'Items of a list in a request.'),
    MAX_PATH_CHARS: setting(positive, LIMITS.max_path_chars, 'Characters of a path or a name.'),
    WORKER_CONCURRENCY: setting(positive, 1, 'Queued runs that execute at once.'),
    WORKER_LEASE_SECONDS: setting(secondsFromOne, 300, 'Seconds of a lease on a run.'),
    WORKER_IDLE_POLL_SECONDS: setting(
      secondsAboveZero,
      1,
      'Seconds between looks into an empty queue.',
    ),
    EXECUTION_STALL_SECONDS: setting(
      secondsFromOne,
      30,
      'Longest computation of a run, in seconds; one that takes longer is stopped.',
    ),
    EXECUTION_MEMORY_MB: setting(
      integerOf(64),
      1024,
      'Megabytes for the values of the thread that executes runs.',
    ),
    QUEUE_MAX_ATTEMPTS: setting(natural, 5, 'Attempts of a queued run; 0 = without limit.'),
    MAX_QUEUE_DEPTH: setting(natural, 0, 'Runs that may wait; 0 = without limit.'),
    QUEUES: setting(
      namedLimits('NAME or NAME=RUNS', true),
      new Map(),
      'Queues beside `default` that runs may name in `metadata.queue`, and how many runs of each execute at once.',
      'none',
    ),
    WORKFLOW_CONCURRENCY: setting(
      namedLimits('NAME=RUNS', false),
      new Map(),
      'How many queued runs of a workflow execute at once, by its name; `*=RUNS` for every other one.',
      'without limit',
    ),
    CALLER_CONCURRENCY: setting(
      namedLimits('NAME=RUNS', false),
      new Map(),
      'How many queued runs that one key asked for execute at once, by its name; `*=RUNS` for every other one.',
      'without limit',
    ),
    KEY_CONCURRENCY: setting(
      natural,
      1,
      'How many queued runs of one `metadata.concurrency_key` execute at once; 0 = without limit.',
    ),
    PRIORITY_SECONDS: setting(
      seconds,
      60,
      'Seconds of waiting that one step of `metadata.priority` is worth.',
    ),
    STREAMS_PER_CALLER: setting(
      natural,
      50,
      'Runs that one key follows at once by `/runs/{id}/events`; 0 = without limit.',
    ),
    STREAM_SEND_SECONDS: setting(
      secondsAboveZero,
      30,
      'Seconds that a reader of such a stream may take for one write before it is let go.',
    ),
    EVENTS_PRIVATE_ADDRESSES: setting(
      flag,
      false,
      'Whether events are sent to this machine and its network too, and without encryption.',
    ),
    EVENTS_TIMEOUT_SECONDS: setting(
      secondsAboveZero,
      10,
      'Seconds that a receiver of events gets to answer.',
    ),
    EVENTS_MAX_ATTEMPTS: setting(positive, 8, 'Attempts before an event is given up.'),
    EVENTS_RETRY_SECONDS: setting(
      secondsAboveZero,
      5,
      'Seconds before the second of them; each further one waits four times as long.',
    ),
    EVENTS_DEADLINE_SECONDS: setting(
      seconds,
      300,
      'Seconds before a deadline at which receivers are told that it is near.',
    ),
    EVENTS_KEEP_DAYS: setting(positive, 30, 'Days for which sent and given up events are kept.'),
    USAGE_KEEP_DAYS: setting(
      positive,
      400,
      'Days for which the tokens of each day are kept, by key, workflow, step and model.',
    ),
    EVENTS_KEY: optional(
      text,
      'Key that seals the secrets of receivers; the same on each node of a store.',
      'a file beside the store',
    ),
    SYNC_MAX_RUNS: setting(
      natural,
      64,
      'Synchronous runs that take time and execute at once; 0 = without limit.',
    ),
    SYNC_MAX_CODE_RUNS: optional(
      natural,
      "Those of them that begin with the project's own code; 0 = without limit.",
      'twice the number of processors',
    ),
    SYNC_MAX_RUNS_PER_CALLER: setting(
      natural,
      0,
      'Those of them of one key; one more is refused at once. 0 = without limit.',
    ),
    SYNC_WAIT_SECONDS: setting(
      seconds,
      10,
      'Seconds that a synchronous run waits for such a place before it is refused.',
    ),
    SHUTDOWN_TIMEOUT_SECONDS: setting(seconds, 30, 'Seconds that work gets to end at a stop.'),
    IDEMPOTENCY_LOCK_TTL_SECONDS: setting(
      numberOf({ above: 0 }),
      300,
      'Seconds after which a key whose request never ended is free.',
    ),
    SPEC_ROOT: optional(text, 'Folder that paths of specs are in.', 'the working directory'),
    ...SECRET_VARIABLES.settings,
    SPEC_SIGNING_KEY: optional(text, 'Key that bundles are signed with.'),
    TOKEN_BUDGET: ignoring(optional(numberOf({ above: 0 }), 'Tokens that one run may use.')),
    RUN_MAX_PARTS: setting(positive, RUN.parts, 'Parts that one run may make.'),
    RUN_MAX_TEXT_CHARS: setting(positive, RUN.text_chars, 'Characters that one run may make.'),
    TRACE_MAX_EVENTS: setting(natural, 10_000, 'Events of a trace; 0 = without limit.'),
    TRACE_CALLS: setting(
      flag,
      true,
      'Whether a trace tells of each call of a model or a tool, beside what the reference tells.',
    ),
    CHECKPOINT_COMPRESS_BYTES: setting(
      natural,
      65_536,
      'Without effect: checkpoints are stored as differences.',
    ),
    CHECKPOINT_MAX_BYTES: setting(natural, 1_048_576, 'Bytes of a stored checkpoint.'),
    CHECKPOINT_PREVIEW_CHARS: setting(natural, 1200, 'Characters of a text in a cut checkpoint.'),
    CHECKPOINT_MAX_LIST_ITEMS: setting(natural, 20, 'Items of a list in a cut checkpoint.'),
    CHECKPOINT_MAX_DICT_ITEMS: setting(natural, 50, 'Members of an object in a cut checkpoint.'),
    METRICS_ENABLED: setting(flag, true, 'Whether `/metrics` is served.'),
    LOG_LEVEL: setting(
      wordOf([...LOG_LEVELS.keys()]),
      'INFO',
      'Least gravity of a line of the log.',
    ),
    REQUEST_LOGS: setting(flag, true, 'Whether each request is a line of the log.'),
    AUDIT_EXPORT_ENABLED: setting(flag, false, 'Whether audit events are lines of the log.'),
    HEALTH_PROVIDERS: setting(list, [], 'Model providers whose keys `/readyz` looks for.'),
    HEALTH_MCP_SECRETS: setting(list, [], 'Secrets that `/readyz` looks for.'),
    REQUIRE_PROVIDER_SECRETS: setting(
      flag,
      false,
      'Whether a run fails when the key of its provider is missing.',
    ),
    RECORDING: setting(
      recording,
      { mode: 'off' },
      'What runs do with the traffic of their models and tools unless they say so themselves.',
      'off',
    ),
    PRODUCTION_ENVIRONMENTS: setting(
      list,
      ['production', 'prod'],
      'Environments in which no run is rehearsed: every step runs.',
      'production, prod',
    ),
    PROVIDER_RETRIES: provider.retries,
    PROVIDER_RETRY_BACKOFF_SECONDS: provider.backoff,
    PROVIDER_TIMEOUT_SECONDS: provider.timeout,
    PROVIDER_RETRY_ON_TIMEOUT: provider.onTimeout,
    MCP_RETRIES: mcp.retries,
    MCP_RETRY_BACKOFF_SECONDS: mcp.backoff,
    MCP_TIMEOUT_SECONDS: mcp.timeout,
    MCP_RETRY_ON_TIMEOUT: mcp.onTimeout,
    MCP_CONNECT_TIMEOUT_SECONDS: optional(
      secondsAboveZero,
      'Seconds to connect to an MCP server.',
      'the MCP timeout, else 30',
    ),
    WORKFLOW_RETRY_ON_TIMEOUT: setting(
      flag,
      false,
      'Whether a step that timed out is tried again.',
    ),
    RETENTION_RUNS_DAYS: days('runs that are over'),
    RETENTION_CHECKPOINTS_DAYS: days('checkpoints'),
    RETENTION_QUEUE_DAYS: days('rows of the queue'),
    RETENTION_CONTINUATIONS_DAYS: days('continuations'),
    RETENTION_AUDIT_DAYS: days('audit events'),
    RETENTION_IDEMPOTENCY_DAYS: days('answers to idempotency keys'),
    RETENTION_ARTIFACTS_DAYS: days('files of the artifact folder'),
    RETENTION_LOGS_DAYS: days('files of the log folder'),
    RETENTION_RUN_STATUSES: setting(
      wordsOf(TERMINAL_STATUSES),
      TERMINAL_STATUSES,
      'Statuses of the runs that retention removes.',
    ),
    RETENTION_QUEUE_STATUSES: setting(
      wordsOf(['completed', 'failed']),
      ['completed', 'failed'],
      'Statuses of the rows of the queue that retention removes.',
    ),
    ARTIFACT_PATH: optional(text, 'Folder whose files retention removes.'),
    LOG_PATH: optional(text, 'Folder whose logs retention removes.'),
    SWEEP_INTERVAL_SECONDS: setting(seconds, 15, 'Seconds between sweeps.'),
    RATE_LIMIT_PER_MINUTE: setting(natural, 0, 'Requests a minute of one caller; 0 = any number.'),
    DURABILITY: setting(
      wordOf(DURABILITIES),
      'normal',
      '`full` also survives the loss of power without losing the last moment.',
    ),
    FUNCTION_SANDBOX: setting(
      wordOf(SANDBOX_MODES),
      'auto',
      'Whether code of a project must run in a sandbox of the operating system.',
    ),
    ...CODE_SETTINGS,
    DATABASE_URL: optional(
      databaseAddress,
      'PostgreSQL that holds the state instead of a file: `postgres://user:password@host/database`.',
    ),
    ...DATABASE_SETTINGS,
    DATABASE_NOTIFY: setting(
      flag,
      true,
      'Whether nodes on one database tell each other of news at once (NOTIFY); else they look for it.',
    ),
    DATABASE_DIRECT_URL: optional(
      databaseAddress,
      'Address of the database itself where SERV_DATABASE_URL is that of a pooler: over it a node hears of news; without it nodes look for it.',
    ),
    OTEL_ENABLED: setting(
      flag,
      false,
      'Whether spans of requests and runs are sent to a trace collector, as `OTEL_…` says.',
    ),
    OTEL_RECORD_ARGUMENTS: setting(
      flag,
      false,
      'Whether spans hold what models, tools and functions are called with, redacted.',
    ),
    OTEL_RECORD_RESULTS: setting(flag, false, 'Whether spans hold what they answer, redacted.'),
  },
});

/** Settings of the command line that share the platform's prefix. */
export const CLIENT_VARIABLES = settingsGroup({
  title: 'Command line',
  prefix: 'SERV_',
  alias: 'KNEO_SERV_',
  settings: {
    API_KEY: optional(text, 'Key of a connection that no profile gives one.'),
    CLIENT_TIMEOUT: setting(numberOf({ above: 0 }), 120, 'Seconds to wait for an answer.'),
    CLIENT_RETRIES: setting(natural, 2, 'Attempts after a call that failed.'),
    CLIENT_RETRY_BACKOFF_SECONDS: setting(
      numberOf({ min: 0 }),
      0.25,
      'Seconds before the first of them; each further one waits twice as long.',
    ),
    IDEMPOTENCY_KEY: optional(text, 'Idempotency-Key of every POST.', 'a new one for each command'),
    PROFILES_PATH: optional(
      text,
      'File of the profiles.',
      '`profiles.json` in the configuration folder',
    ),
  },
});

/** As CLIENT_VARIABLES, where the reference has another prefix. */
export const PROJECT_VARIABLES = settingsGroup({
  title: 'Command line',
  prefix: 'SERV_',
  alias: 'KNEO_',
  settings: {
    ENV: optional(text, 'Environment of the project.', "the project's own"),
    PROJECT_CONFIG: optional(
      text,
      'File of the project.',
      'the nearest one above the working directory',
    ),
  },
});
