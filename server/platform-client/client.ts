import { MAX_IDEMPOTENCY_KEY_CHARS } from '../contract/platform/limits.ts';
import type { JsonObject } from '../kernel/json.ts';
import { PlatformError, type PlatformFailure } from './platform-error.ts';
import { MAX_ATTEMPTS, retryDelay } from './retry.ts';
import {
  type AuthScheme,
  type QueryValue,
  segment,
  send,
  type TransportRequest,
  withQuery,
} from './transport.ts';

/** One finished call, for metrics. Streams of attempts count as one. */
export interface CallOutcome {
  /** Such as `runs.list`, `specs.compile`. */
  readonly operation: string;
  readonly outcome: 'success' | 'error' | PlatformFailure;
  readonly durationMs: number;
}

export interface PlatformClientOptions {
  /** Base address without `/v1`; may carry a path. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Default `bearer`. */
  readonly authScheme?: AuthScheme | undefined;
  /**
   * Milliseconds for each phase of an attempt: to connect, and without a byte while it is written
   * and read; default 30000.
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to connect, where that is to be another time. */
  readonly connectTimeoutMs?: number | undefined;
  readonly userAgent: string;
  /** Sent with every call, beside those of the client itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A fresh UUID: X-Request-ID of a call, and the Idempotency-Key of a POST that was given none. */
  newRequestId(): string;
  /** Waits between attempts; rejects when the signal aborts. */
  sleep?(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** In [0, 1): jitter of the retry delay. */
  random?(): number;
  observe?(call: CallOutcome): void;
}

export interface CallOptions {
  /** Aborting rejects with the signal's reason, also while waiting for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** 1 = never repeat; default 3. */
  readonly attempts?: number;
  /** POST only; default a fresh UUID. The same key goes out with every attempt. */
  readonly idempotencyKey?: string | undefined;
}

export type Query = Readonly<Record<string, QueryValue>>;
export type Body = Readonly<Record<string, unknown>>;
/** The answer as it came: a JSON object whose fields nobody has checked yet. */
export type PlatformAnswer = Promise<JsonObject>;

/**
 * Every platform call of dashboard.md 11 and studio.md 23. Each rejects with PlatformError; answers
 * are JSON objects, to be read defensively or through the helpers of `protocol.ts`.
 */
export interface PlatformClient {
  readonly baseUrl: string;
  livez(options?: CallOptions): PlatformAnswer;
  readyz(options?: CallOptions): PlatformAnswer;
  healthz(options?: CallOptions): PlatformAnswer;
  listRuns(query: Query, options?: CallOptions): PlatformAnswer;
  createRun(body: Body, options?: CallOptions): PlatformAnswer;
  getRun(runId: string, options?: CallOptions): PlatformAnswer;
  cancelRun(runId: string, options?: CallOptions): PlatformAnswer;
  continueRun(runId: string, options?: CallOptions): PlatformAnswer;
  /** A new run from a checkpoint; body as in `contract/platform/rerun.ts`. */
  rerunRun(id: string, body: Body, options?: CallOptions): PlatformAnswer;
  /** What a rerun from a checkpoint can edit. */
  rerunState(id: string, query: Query, options?: CallOptions): PlatformAnswer;
  runTrace(runId: string, query?: Query, options?: CallOptions): PlatformAnswer;
  runCheckpoints(runId: string, query?: Query, options?: CallOptions): PlatformAnswer;
  runCheckpointDiff(runId: string, query?: Query, options?: CallOptions): PlatformAnswer;
  runGraph(runId: string, options?: CallOptions): PlatformAnswer;
  runPolicyReport(runId: string, options?: CallOptions): PlatformAnswer;
  runRecovery(runId: string, options?: CallOptions): PlatformAnswer;
  runReplay(runId: string, options?: CallOptions): PlatformAnswer;
  listHumanTasks(query: Query, options?: CallOptions): PlatformAnswer;
  getHumanTask(continuationId: string, options?: CallOptions): PlatformAnswer;
  resumeHumanTask(continuationId: string, body: Body, options?: CallOptions): PlatformAnswer;
  runSpec(body: Body, options?: CallOptions): PlatformAnswer;
  explainSpec(body: Body, options?: CallOptions): PlatformAnswer;
  validateSpec(body: Body, options?: CallOptions): PlatformAnswer;
  compileSpec(body: Body, options?: CallOptions): PlatformAnswer;
  specGraph(body: Body, options?: CallOptions): PlatformAnswer;
  specPolicyReport(body: Body, options?: CallOptions): PlatformAnswer;
  listAuditEvents(query: Query, options?: CallOptions): PlatformAnswer;
  credentials(query?: Query, options?: CallOptions): PlatformAnswer;
  listPolicies(options?: CallOptions): PlatformAnswer;
  getPolicy(environment: string, options?: CallOptions): PlatformAnswer;
  putPolicy(environment: string, body: Body, options?: CallOptions): PlatformAnswer;
  previewPolicy(environment: string, body: Body, options?: CallOptions): PlatformAnswer;
}

type Method = 'GET' | 'POST' | 'PUT';

const DEFAULT_TIMEOUT_MS = 30_000;

/** The key as it is sent. @throws RangeError for one that no platform takes. */
function sendableKey(key: string): string {
  const trimmed = key.trim();
  if (trimmed !== '' && trimmed.length <= MAX_IDEMPOTENCY_KEY_CHARS) return trimmed;
  throw new RangeError(
    `An Idempotency-Key has 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters that are not blank.`,
  );
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function authHeaders(options: PlatformClientOptions): Record<string, string> {
  if (options.apiKey === undefined || options.apiKey === '') return {};
  if (options.authScheme === 'x-kneo-api-key') return { 'x-kneo-api-key': options.apiKey };
  return { authorization: `Bearer ${options.apiKey}` };
}

/** Builds the client of one platform connection. It holds no socket of its own and needs no closing. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const sleep = options.sleep ?? wait;
  const random = options.random ?? Math.random;
  const fixed = { accept: 'application/json', 'user-agent': options.userAgent };
  const credential = authHeaders(options);

  function headersOf(method: Method, body: Body | undefined, key: string | undefined) {
    const headers: Record<string, string> = {
      ...options.headers,
      ...fixed,
      ...credential,
      'x-request-id': options.newRequestId(),
    };
    if (method === 'POST') {
      headers['idempotency-key'] = key === undefined ? options.newRequestId() : sendableKey(key);
    }
    if (body !== undefined) headers['content-type'] = 'application/json';
    return headers;
  }

  async function repeat(request: TransportRequest, attempts: number): PlatformAnswer {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send(request);
      } catch (error) {
        if (!(error instanceof PlatformError) || attempt + 1 >= attempts) throw error;
        const delay = retryDelay(error, attempt, random());
        if (delay === undefined) throw error;
        await sleep(delay, request.signal);
      }
    }
  }

  function attemptAll(method: Method, path: string, body: Body | undefined, call: CallOptions) {
    const request = {
      method,
      url: `${base}/v1${path}`,
      headers: headersOf(method, body, call.idempotencyKey),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      connectTimeoutMs: options.connectTimeoutMs,
      signal: call.signal,
    };
    return repeat(request, call.attempts ?? MAX_ATTEMPTS);
  }

  async function call(
    operation: string,
    method: Method,
    path: string,
    body: Body | undefined,
    callOptions: CallOptions = {},
  ): PlatformAnswer {
    const start = performance.now();
    const report = (outcome: CallOutcome['outcome']): void =>
      options.observe?.({ operation, outcome, durationMs: performance.now() - start });
    try {
      const result = await attemptAll(method, path, body, callOptions);
      report('success');
      return result;
    } catch (error) {
      report(error instanceof PlatformError ? error.family : 'error');
      throw error;
    }
  }

  const get = async (operation: string, path: string, query: Query, call_?: CallOptions) =>
    call(operation, 'GET', withQuery(path, query), undefined, call_);
  const post = async (operation: string, path: string, body?: Body, call_?: CallOptions) =>
    call(operation, 'POST', path, body, call_);
  const run = (id: string, rest = ''): string => `/runs/${segment(id)}${rest}`;
  const task = (id: string, rest = ''): string => `/human-tasks/${segment(id)}${rest}`;
  const policy = (name: string, rest = ''): string =>
    `/policies/environment/${segment(name)}${rest}`;

  return {
    baseUrl: base,
    livez: async (o) => get('livez', '/livez', {}, o),
    readyz: async (o) => get('readyz', '/readyz', {}, o),
    healthz: async (o) => get('healthz', '/healthz', {}, o),
    listRuns: async (query, o) => get('runs.list', '/runs', query, o),
    createRun: async (body, o) => post('runs.create', '/runs', body, o),
    getRun: async (id, o) => get('runs.get', run(id), {}, o),
    cancelRun: async (id, o) => post('runs.cancel', run(id, '/cancel'), undefined, o),
    continueRun: async (id, o) => post('runs.continue', run(id, '/continue'), undefined, o),
    rerunRun: async (id, body, o) => post('runs.rerun', run(id, '/rerun'), body, o),
    rerunState: async (id, query, o) => get('runs.rerun_state', run(id, '/rerun'), query, o),
    runTrace: async (id, query = {}, o) => get('runs.trace', run(id, '/trace'), query, o),
    runCheckpoints: async (id, query = {}, o) =>
      get('runs.checkpoints', run(id, '/checkpoints'), query, o),
    runCheckpointDiff: async (id, query = {}, o) =>
      get('runs.checkpoint_diff', run(id, '/checkpoints/diff'), query, o),
    runGraph: async (id, o) => get('runs.graph', run(id, '/graph'), {}, o),
    runPolicyReport: async (id, o) => get('runs.policy_report', run(id, '/policy-report'), {}, o),
    runRecovery: async (id, o) => get('runs.recovery', run(id, '/recovery'), {}, o),
    runReplay: async (id, o) => get('runs.replay', run(id, '/replay'), {}, o),
    listHumanTasks: async (query, o) => get('human_tasks.list', '/human-tasks', query, o),
    getHumanTask: async (id, o) => get('human_tasks.get', task(id), {}, o),
    resumeHumanTask: async (id, body, o) =>
      post('human_tasks.resume', task(id, '/resume'), body, o),
    runSpec: async (body, o) => post('specs.run', '/specs/run', body, o),
    explainSpec: async (body, o) => post('specs.explain', '/specs/explain', body, o),
    validateSpec: async (body, o) => post('specs.validate', '/specs/validate', body, o),
    compileSpec: async (body, o) => post('specs.compile', '/specs/compile', body, o),
    specGraph: async (body, o) => post('specs.graph', '/specs/graph', body, o),
    specPolicyReport: async (body, o) =>
      post('specs.policy_report', '/specs/policy-report', body, o),
    listAuditEvents: async (query, o) => get('audit_events.list', '/audit-events', query, o),
    credentials: async (query = {}, o) =>
      get('security.credentials', '/security/credentials', query, o),
    listPolicies: async (o) => get('policies.list', '/policies/environment', {}, o),
    getPolicy: async (name, o) => get('policies.get', policy(name), {}, o),
    putPolicy: async (name, body, o) => call('policies.put', 'PUT', policy(name), body, o),
    previewPolicy: async (name, body, o) =>
      post('policies.preview', policy(name, '/preview'), body, o),
  };
}
