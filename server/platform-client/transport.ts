import type { HttpMethod } from '../contract/route.ts';
import { isJsonObject, isObject, type JsonObject } from '../kernel/json.ts';
import { ExchangeTimeout, exchange, type Incoming } from './exchange.ts';
import { familyOfStatus, type PlatformError, platformError } from './platform-error.ts';
import { parseRetryAfter } from './retry.ts';

/** How the key is sent (PLATFORM_AUTH_SCHEME). */
export type AuthScheme = 'bearer' | 'x-kneo-api-key';

/** One attempt of one call. */
export interface TransportRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Milliseconds to connect, and then without a byte: each phase has so long. */
  readonly timeoutMs: number;
  /** Milliseconds to connect, where that is to be another time. */
  readonly connectTimeoutMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
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

function failureOf(request: TransportRequest, answer: Incoming): PlatformError {
  const body = parseJson(answer.body);
  const read = readFailure(body);
  return platformError({
    family: familyOfStatus(answer.status),
    status: answer.status,
    code: read.code,
    message: read.message ?? `The platform answered ${answer.status}.`,
    requestId: answer.header('x-request-id') ?? undefined,
    retryAfter: parseRetryAfter(answer.header('retry-after'), Date.now()),
    details: read.details,
    body: body ?? answer.body,
    idempotencyKey: request.headers['idempotency-key'],
  });
}

function protocolFailure(request: TransportRequest, answer: Incoming): PlatformError {
  return platformError({
    family: 'protocol',
    status: answer.status,
    message: 'The platform answered with something that is not a JSON object.',
    requestId: answer.header('x-request-id') ?? undefined,
    body: answer.body,
    idempotencyKey: request.headers['idempotency-key'],
  });
}

const LATE = {
  connect: 'The platform could not be reached in time.',
  read: 'The platform did not answer in time.',
} as const;

/**
 * Sends one attempt and reads its JSON object.
 * @throws PlatformError for every failure; the signal's own reason when the caller aborted.
 */
export async function send(request: TransportRequest): Promise<JsonObject> {
  let answer: Incoming;
  try {
    answer = await exchange({
      ...request,
      connectTimeoutMs: request.connectTimeoutMs ?? request.timeoutMs,
      readTimeoutMs: request.timeoutMs,
    });
  } catch (cause) {
    request.signal?.throwIfAborted();
    const message =
      cause instanceof ExchangeTimeout ? LATE[cause.phase] : 'The platform could not be reached.';
    const idempotencyKey = request.headers['idempotency-key'];
    throw platformError({ family: 'unreachable', message, cause, idempotencyKey });
  }
  if (answer.status < 200 || answer.status >= 300) throw failureOf(request, answer);
  const parsed = parseJson(answer.body);
  if (!isJsonObject(parsed)) throw protocolFailure(request, answer);
  return parsed;
}
