import { traceHeaders } from '../outbound-trace.ts';
import type { EffectFailure } from '../run-effects.ts';
import { type CalledModel, modelFailure, readErrorFacts, refusalOf } from './model-failure.ts';

/** Bytes of one answer on the wire, streaming frames included. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** How long the text of a refusal may take. */
const ERROR_BODY_MS = 3000;

/** Seconds of a Retry-After header, which is a number or a date; undefined when there is none. */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds / 1000;
  const value = headers.get('retry-after')?.trim() ?? '';
  if (value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const late = setTimeout(() => void reader.cancel().catch(() => undefined), ERROR_BODY_MS);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MAX_ERROR_BYTES) return text;
    }
  } catch {
    // A refusal whose text breaks off is still that refusal: the status is known.
    return text;
  } finally {
    clearTimeout(late);
    await reader.cancel().catch(() => undefined);
  }
}

/** The body, which fails as soon as it is longer than an answer may be. */
function limited(body: ReadableStream<Uint8Array>, called: CalledModel) {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
        else {
          controller.error(
            modelFailure(
              'model_answer_too_large',
              `provider '${called.provider}' at ${called.host} sent more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB for one answer. Set max_tokens.`,
            ),
          );
        }
      },
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const READABLE = /json|event-stream/i;

function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** A connection that was never made or broke. */
export function brokenConnection(called: CalledModel, error: unknown): EffectFailure {
  const cause = causeOf(error);
  if (/UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(cause)) {
    return modelFailure(
      'model_timeout',
      `provider '${called.provider}' at ${called.host} was silent for five minutes.`,
    );
  }
  return modelFailure(
    'model_unreachable',
    `no connection to provider '${called.provider}' at ${called.host}${cause}. Check that the server runs and that base_url names it.`,
  );
}

/** The headers of a request with where it stands in a trace, if it stands in one. */
function tracedHeaders(init: RequestInit | undefined): { headers?: Headers } | undefined {
  const told = traceHeaders();
  if (!('traceparent' in told)) return undefined;
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(told)) headers.set(name, value);
  return { headers };
}

/**
 * `fetch` for one call of a model: redirects are not followed (a key must not travel on), refusals
 * become failures of their own, and the answer is bounded.
 */
export function createModelFetch(called: CalledModel, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, {
        ...init,
        ...tracedHeaders(init),
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw signal.aborted ? error : brokenConnection(called, error);
    }
    if (!response.ok) {
      const facts = readErrorFacts(parsed(await readSome(response)));
      throw refusalOf({
        called,
        status: response.status,
        facts,
        retryAfterSeconds: retryAfterSeconds(response.headers, Date.now()),
      });
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || (type !== '' && !READABLE.test(type))) {
      await response.body?.cancel();
      const kind = /^[a-z]+\/[a-z0-9.+-]+/i.exec(type)?.[0] ?? 'nothing';
      throw modelFailure(
        'model_answer_malformed',
        `provider '${called.provider}' at ${called.host} answered with ${kind} instead of JSON or an event stream. Check base_url.`,
      );
    }
    const { status, headers } = response;
    return new Response(limited(response.body, called), { status, headers });
  };
}
