import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { traceHeaders } from '../outbound-trace.ts';
import { type AnswerLimits, jsonBody, requestIds, streamBody } from './answer-body.ts';

/** What a server is trusted by, and what it knows us by; PEM text. */
export interface TlsSettings {
  readonly verify: boolean;
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface ServerFetchOptions {
  readonly tls: TlsSettings;
  readonly limits: AnswerLimits;
}

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of Array.isArray(value) ? value : [value ?? '']) headers.append(name, item);
  }
  return headers;
}

function readableOf(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  cancel: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel,
  });
}

function responseOf(
  message: IncomingMessage,
  ids: readonly (string | number)[],
  limits: AnswerLimits,
): Response {
  const status = message.statusCode ?? 502;
  const headers = headersOf(message);
  const init = { status, statusText: message.statusMessage ?? '', headers };
  if (WITHOUT_BODY.has(status)) {
    message.resume();
    return new Response(null, init);
  }
  const isStream = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const chunks = isStream ? streamBody(message, ids, limits) : jsonBody(message, limits);
  return new Response(
    readableOf(chunks, () => {
      message.destroy();
    }),
    init,
  );
}

/**
 * A fetch for one MCP server: with its own certificates, limits on what comes back, and no redirect
 * followed here. `node:http` carries it, since the global fetch takes no certificates.
 */
export function createServerFetch({ tls, limits }: ServerFetchOptions): FetchLike {
  const agent = new https.Agent({
    rejectUnauthorized: tls.verify,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  });
  return (input, init = {}) => {
    const url = new URL(input);
    const secure = url.protocol === 'https:';
    const body = typeof init.body === 'string' ? init.body : undefined;
    const ids = requestIds(body);
    limits.idle.touch();
    const { signal } = init;
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, {
        method: init.method ?? 'GET',
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...traceHeaders() },
        ...(secure ? { agent } : {}),
      });
      const abort = (): void => {
        request.destroy(new Error('the request was given up'));
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.once('close', () => signal?.removeEventListener('abort', abort));
      request.once('error', reject);
      request.once('response', (message) => resolve(responseOf(message, ids, limits)));
      if (signal?.aborted === true) abort();
      else request.end(body);
    });
  };
}
