import { MAX_IDEMPOTENCY_KEY_CHARS } from '../contract/platform/limits.ts';
import type { Route } from '../contract/route.ts';
import type { JsonObject } from '../kernel/json.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import { type Answer, readerOf } from './answers.ts';
import { PlatformError, type PlatformFailure } from './platform-error.ts';
import { MAX_ATTEMPTS, retryDelay } from './retry.ts';
import { type CallInput, urlOf } from './route-url.ts';
import { type AuthScheme, send, type TransportRequest } from './transport.ts';

/** One finished call, for metrics. Streams of attempts count as one. */
export interface CallOutcome {
  /** The id of the route. */
  readonly operation: string;
  readonly outcome: 'success' | 'stream' | 'error' | PlatformFailure;
  /** Null for a call that the platform was asked to hold back: it says nothing of its speed. */
  readonly durationMs: number | null;
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
  /** Milliseconds for which the platform is asked to hold the answer back. */
  readonly heldMs?: number;
  /** Sent with this call, beside those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the routes of the contract at one platform. Each call rejects with PlatformError. */
export interface PlatformClient {
  readonly baseUrl: string;
  /** The answer, where what is not of the agreed type counts as absent (dashboard.md 9). */
  call<R extends Route>(route: R, input?: CallInput<R>, options?: CallOptions): Promise<Answer<R>>;
  /** The answer as a reader of the caller's own takes it, such as one of `typedReader`. */
  read<R extends Route, T>(
    route: R,
    reader: (body: JsonObject) => T,
    input?: CallInput<R>,
    options?: CallOptions,
  ): Promise<T>;
}

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
  const base = withoutTrailingSlashes(options.baseUrl);
  const sleep = options.sleep ?? wait;
  const random = options.random ?? Math.random;
  const fixed = { accept: 'application/json', 'user-agent': options.userAgent };
  const credential = authHeaders(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;

  function headersOf(route: Route, body: unknown, call: CallOptions) {
    const key = call.idempotencyKey;
    const headers: Record<string, string> = {
      ...options.headers,
      ...call.headers,
      ...fixed,
      ...credential,
      'x-request-id': options.newRequestId(),
    };
    if (route.method === 'POST') {
      headers['idempotency-key'] = key === undefined ? options.newRequestId() : sendableKey(key);
    }
    if (body !== undefined) headers['content-type'] = 'application/json';
    return headers;
  }

  async function repeat(request: TransportRequest, attempts: number): Promise<JsonObject> {
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

  function attemptAll(
    route: Route,
    url: string,
    body: unknown,
    call: CallOptions,
  ): Promise<JsonObject> {
    const request = {
      method: route.method,
      url,
      headers: headersOf(route, body, call),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: timeoutMs + (call.heldMs ?? 0),
      connectTimeoutMs: options.connectTimeoutMs ?? timeoutMs,
      signal: call.signal,
    };
    return repeat(request, call.attempts ?? MAX_ATTEMPTS);
  }

  async function observed(
    route: Route,
    { params, query, body }: CallInput<Route>,
    callOptions: CallOptions,
  ): Promise<JsonObject> {
    // What has no address is no call.
    const url = `${base}/v1${urlOf(route, params, query)}`;
    const start = performance.now();
    const isHeld = (callOptions.heldMs ?? 0) > 0;
    const report = (outcome: CallOutcome['outcome']): void =>
      options.observe?.({
        operation: route.id,
        outcome,
        durationMs: isHeld ? null : performance.now() - start,
      });
    try {
      const result = await attemptAll(route, url, body, callOptions);
      report(isHeld ? 'stream' : 'success');
      return result;
    } catch (error) {
      report(error instanceof PlatformError ? error.family : 'error');
      throw error;
    }
  }

  return {
    baseUrl: base,
    call: async (route, input = {}, callOptions = {}) =>
      readerOf(route)(await observed(route, input, callOptions)),
    read: async (route, reader, input = {}, callOptions = {}) =>
      reader(await observed(route, input, callOptions)),
  };
}
