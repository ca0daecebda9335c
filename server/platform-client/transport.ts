import { isObject, type JsonObject } from '../kernel/json.ts';
import { MAX_TIMER_MS } from '../kernel/timer-limit.ts';
import { familyOfStatus, PlatformError } from './platform-error.ts';
import { parseRetryAfter } from './retry.ts';

/** How the key is sent (PLATFORM_AUTH_SCHEME). */
export type AuthScheme = 'bearer' | 'x-kneo-api-key';

/** A value of a query parameter; undefined is not sent. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One attempt of one call. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Appends the parameters that are set; lists repeat their name. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) search.append(name, item);
    else search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Percent-encodes one path segment. The two dot segments cannot be sent, since every URL parser
 * removes them: they name nothing, so they answer as the platform does for an unknown name.
 */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new PlatformError({
      family: 'not_found',
      status: 404,
      code: 'not_found',
      message: 'The requested resource was not found.',
    });
  }
  return encodeURIComponent(value);
}

interface FailureText {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listMessage(detail: readonly unknown[]): string | undefined {
  const first = detail[0];
  if (!isObject(first)) return undefined;
  const loc = Array.isArray(first['loc']) ? first['loc'].map(String).join('.') : '';
  const msg = text(first['msg']) ?? 'is not valid';
  return loc === '' ? msg : `${loc}: ${msg}`;
}

function readFailure(body: unknown): FailureText {
  if (!isObject(body)) return { code: undefined, message: undefined, details: {} };
  const detail = body['detail'];
  const topCode = text(body['error']);
  const topMessage = text(body['message']);
  if (Array.isArray(detail)) {
    const details = { errors: detail };
    return { code: topCode, message: listMessage(detail) ?? topMessage, details };
  }
  if (!isObject(detail)) {
    const { error: _error, message: _message, detail: _detail, ...details } = body;
    return { code: topCode, message: topMessage ?? text(detail), details };
  }
  const { error, message, ...details } = detail;
  return { code: text(error) ?? topCode, message: text(message) ?? topMessage, details };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function failureOf(response: Response, body: string): PlatformError {
  const read = readFailure(parseJson(body));
  return new PlatformError({
    family: familyOfStatus(response.status),
    status: response.status,
    code: read.code,
    message: read.message ?? `The platform answered ${response.status}.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    details: read.details,
  });
}

function protocolFailure(response: Response): PlatformError {
  return new PlatformError({
    family: 'protocol',
    status: response.status,
    message: 'The platform answered with something that is not a JSON object.',
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

/**
 * Sends one attempt and reads its JSON object.
 * @throws PlatformError for every failure; the signal's own reason when the caller aborted.
 */
export async function send(
  request: TransportRequest,
  fetchImpl: typeof fetch,
): Promise<JsonObject> {
  const timeout = AbortSignal.timeout(Math.min(request.timeoutMs, MAX_TIMER_MS));
  const signal =
    request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  let response: Response;
  let body: string;
  try {
    response = await fetchImpl(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    body = await response.text();
  } catch (cause) {
    request.signal?.throwIfAborted();
    const message = timeout.aborted
      ? 'The platform did not answer in time.'
      : 'The platform could not be reached.';
    throw new PlatformError({ family: 'unreachable', message, cause });
  }
  if (!response.ok) throw failureOf(response, body);
  const parsed = parseJson(body);
  if (!isJsonObject(parsed)) throw protocolFailure(response);
  return parsed;
}

/** What `JSON.parse` gave is JSON all the way down. */
function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}
