import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { isInDomains } from '../../engine/tool-policy.ts';
import {
  type HttpAnswer,
  HttpFailure,
  type HttpRequest,
  type SendHttp,
} from '../../handlers/http-port.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { MAX_TIMER_MS } from '../../kernel/timer-limit.ts';
import { traceHeaders } from '../outbound-trace.ts';
import { guardedLookup, type HttpPolicy, permittedHost } from './guarded-addresses.ts';

/** Bytes of one answer, unpacked. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What a request holds for one server and no other. */
const OWN_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'];

const DECODERS: Readonly<Record<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress>> =
  {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  };

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES)
      throw new HttpFailure(
        'ERR_ANSWER_TOO_LARGE',
        `the server sent more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB for one answer. Ask for less at once.`,
      );
    parts.push(chunk);
  }
  return new Uint8Array(Buffer.concat(parts));
}

async function bodyOf(message: IncomingMessage): Promise<Uint8Array> {
  const decoder = DECODERS[message.headers['content-encoding']?.toLowerCase() ?? '']?.();
  if (decoder === undefined || message.statusCode === 204) return gather(message);
  const [bytes] = await Promise.all([gather(decoder), pipeline(message, decoder)]);
  delete message.headers['content-encoding'];
  return bytes;
}

function headersOf(message: IncomingMessage): HttpAnswer['headers'] {
  return Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

interface Sent {
  readonly url: URL;
  readonly request: HttpRequest;
  readonly policy: HttpPolicy;
  readonly signal: AbortSignal;
}

/** A credential goes to the hosts that it is bound for. @throws HttpFailure */
function boundFor(host: string, { onlyTo }: HttpRequest): void {
  if (onlyTo === undefined || isInDomains(host, onlyTo)) return;
  throw new HttpFailure(
    'ERR_ADDRESS_REFUSED',
    `the credential of this step is bound for ${onlyTo.join(', ')} and is not sent to '${host}'. Bind it for this host too when that is meant.`,
  );
}

/** A step that says itself where it stands in a trace is believed. */
function tellsTrace({ headers }: HttpRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
}

function send({ url, request, policy, signal }: Sent): Promise<HttpAnswer> {
  const { method, body } = request;
  const headers: Record<string, string> = {
    'accept-encoding': 'gzip, deflate, br',
    ...(tellsTrace(request) ? {} : traceHeaders()),
    ...request.headers,
    ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
  };
  const host = permittedHost(url, policy);
  boundFor(host, request);
  const lookup = guardedLookup(host, policy);
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? https : http).request(url, {
      ...{ method, headers, lookup, signal },
      agent: false,
    });
    sent.once('error', reject);
    sent.once('response', (message) => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = message;
      bodyOf(message)
        .then((bytes) => {
          resolve({ url: url.href, status, statusText, headers: headersOf(message), body: bytes });
        })
        .catch((error: unknown) => {
          sent.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        });
    });
    sent.end(body);
  });
}

/** The request that a redirect asks for: to another origin without what was meant for the first. */
function redirected(request: HttpRequest, from: URL, to: URL, status: number): HttpRequest {
  const { method, body, guarded = [], onlyTo, ...rest } = request;
  const turnsToGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  const dropped = new Set([
    ...(turnsToGet ? BODY_HEADERS : []),
    ...(from.origin === to.origin ? [] : [...OWN_HEADERS, ...guarded]),
  ]);
  const kept = Object.entries(request.headers).filter(([name]) => !dropped.has(name));
  return {
    ...rest,
    guarded,
    ...(onlyTo === undefined || from.origin !== to.origin ? {} : { onlyTo }),
    headers: Object.fromEntries(kept),
    ...(turnsToGet ? { method: 'GET' } : { method, ...(body === undefined ? {} : { body }) }),
  };
}

function addressOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new HttpFailure('ERR_INVALID_URL', 'Invalid URL: it must begin with http:// or https://');
  return url;
}

async function follow(
  request: HttpRequest,
  policy: HttpPolicy,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  let url = addressOf(request.url);
  let next = request;
  for (let hops = 0; ; hops += 1) {
    const answer = await send({ url, request: next, policy, signal });
    const { location } = answer.headers;
    if (request.maxRedirects === 0 || !REDIRECTS.has(answer.status)) return answer;
    if (typeof location !== 'string') return answer;
    if (hops >= request.maxRedirects)
      throw new HttpFailure('ERR_FR_TOO_MANY_REDIRECTS', 'Maximum number of redirects exceeded');
    const to = addressOf(location, url);
    next = redirected(next, url, to, answer.status);
    url = to;
  }
}

/** A failure of the connection in the words of the system, which name no more than the address. */
function failureOf(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const [cause = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const message = cause instanceof Error ? cause.message : String(cause);
  return new HttpFailure(systemCode(cause) ?? 'ERR_NETWORK', message);
}

/**
 * Sends requests of steps over HTTP, within limits of size and time, to hosts that the policy allows.
 * When `signal` aborts, its reason is thrown.
 */
export function createHttp(policy: HttpPolicy, signal: AbortSignal): SendHttp {
  return async (request) => {
    const late = AbortSignal.timeout(Math.min(Math.round(request.timeoutMs), MAX_TIMER_MS));
    try {
      return await follow(request, policy, AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted)
        throw new HttpFailure('ECONNABORTED', `timeout of ${request.timeoutMs}ms exceeded`);
      throw failureOf(error);
    }
  };
}
