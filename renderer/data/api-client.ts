import { t } from '../../preload/texts/t.ts';
import { CONNECTION_HEADER } from '../../server/contract/gateway/connections.ts';
import { readLenient } from '../../server/contract/lenient.ts';
import type { ClientInput, Route, SuccessBody } from '../../server/contract/route.ts';
import { ApiError, apiErrorFrom } from './api-error.ts';
import { namedConnection } from './chosen-connection.ts';
import { environmentStore } from './chosen-environment.ts';
import { noteServiceTime } from './clock-skew.ts';
import { type Endpoint, readyEndpoint } from './endpoint.ts';
import { routeUrl } from './route-url.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The request goes out even when the page is left before the answer. The browser refuses bodies
   * over 64 KiB then.
   */
  readonly keepalive?: boolean | undefined;
  /** Another connection than that of the window; null = this computer. */
  readonly connection?: string | null | undefined;
}

/** Names the environment of a request of the dashboard, where a header can carry its name. */
const ENVIRONMENT = 'x-kneo-env';
const IN_HEADER = /^[\x20-\x7e]*$/;

/** The query of a request whose environment has a name that no header carries. */
export function environmentQuery(
  service: Route['service'],
  asked: Readonly<Record<string, string>> = {},
): { readonly env?: string } {
  const name = asked[ENVIRONMENT] ?? environmentStore.get();
  return service !== 'dashboard' || name === null || IN_HEADER.test(name) ? {} : { env: name };
}

/** Headers and credentials mode of every request to the gateway. */
export function requestInit(
  endpoint: Endpoint,
  options: CallOptions,
  service: Route['service'],
): RequestInit {
  const { [ENVIRONMENT]: asked, ...given } = options.headers ?? {};
  const headers = new Headers(given);
  const environment = asked ?? environmentStore.get();
  if (service === 'dashboard' && environment !== null && IN_HEADER.test(environment)) {
    headers.set(ENVIRONMENT, environment);
  }
  const { connection = namedConnection() } = options;
  if (connection !== undefined && connection !== null) {
    headers.set(CONNECTION_HEADER, connection);
  }
  if (endpoint.token !== null) {
    headers.set('authorization', `Bearer ${endpoint.token}`);
  }
  if (options.idempotencyKey !== undefined) {
    headers.set('idempotency-key', options.idempotencyKey);
  }
  return {
    headers,
    credentials: endpoint.token === null ? 'same-origin' : 'omit',
    cache: 'no-store',
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.keepalive === true ? { keepalive: true } : {}),
  };
}

/**
 * A read without an answer after so long is given up: the connection that it holds is one of the
 * few that a browser has, and the same read may be answered when it is made anew. A write is waited
 * for, as nobody could say whether it was done.
 */
export const READ_LIMIT_MS = 60_000;

/** `fetch` of a read, given up after a while. */
async function fetchRead(url: string, init: RequestInit): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), READ_LIMIT_MS);
  const signals = [limit.signal, ...(init.signal instanceof AbortSignal ? [init.signal] : [])];
  try {
    return await fetchOrFail(url, { ...init, signal: AbortSignal.any(signals) });
  } catch (cause) {
    if (!limit.signal.aborted || init.signal?.aborted === true) {
      throw cause;
    }
    throw new ApiError({
      status: 504,
      code: 'no_answer',
      message: t('There was no answer for {value} seconds. Nothing was changed.', {
        value: READ_LIMIT_MS / 1_000,
      }),
      requestId: null,
      details: {},
      retryAfter: null,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch` whose failure to get any answer is an `ApiError` of code `network_error`. */
export async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  const askedAt = Date.now();
  try {
    const answer = await fetch(url, init);
    noteServiceTime(answer.headers.get('date'), askedAt, Date.now());
    return answer;
  } catch (cause) {
    if (init.signal?.aborted === true) {
      throw cause;
    }
    throw new ApiError({
      status: 0,
      code: 'network_error',
      message: t('The services did not answer. They may be starting or restarting.'),
      requestId: null,
      details: { cause: cause instanceof Error ? cause.message : String(cause) },
      retryAfter: null,
    });
  }
}

/** The JSON body of an answer; undefined when it is empty or not JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function parseSuccess<R extends Route>(
  route: R,
  response: Response,
  body: unknown,
): SuccessBody<R> {
  const schema = route.responses[response.status];
  if (schema === undefined || schema === null) {
    return undefined as SuccessBody<R>;
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    return parsed.data as SuccessBody<R>;
  }
  // Whoever answers as the platform may be of another make; the other services are this program.
  const lenient = route.service === 'platform' ? readLenient(schema, body) : undefined;
  if (lenient !== undefined) {
    return lenient as SuccessBody<R>;
  }
  const issue = parsed.error.issues[0];
  throw new ApiError({
    status: response.status,
    code: 'response_invalid',
    message: t('The service sent an answer that this version of the window cannot read.'),
    requestId: response.headers.get('x-request-id'),
    details: {
      operation: route.id,
      at: issue?.path.join('.') ?? '',
      problem: issue?.message ?? '',
    },
    retryAfter: null,
  });
}

/**
 * Calls an operation through the gateway and answers its parsed success body (undefined for 204).
 * Waits for the services to be ready. Throws `ApiError` for every refusal and for no answer;
 * an aborted signal rejects with the signal's reason.
 */
export async function call<R extends Route>(
  route: R,
  input: ClientInput<R> = {},
  options: CallOptions = {},
): Promise<SuccessBody<R>> {
  const endpoint = await readyEndpoint(options.signal);
  const init = requestInit(endpoint, options, route.service);
  const headers = new Headers(init.headers);
  const hasBody = input.body !== undefined;
  if (hasBody) {
    headers.set('content-type', 'application/json');
  }
  const query = { ...input.query, ...environmentQuery(route.service, options.headers) };
  const response = await (route.method === 'GET' ? fetchRead : fetchOrFail)(
    `${endpoint.baseUrl}${routeUrl(route, input.params ?? {}, query)}`,
    {
      ...init,
      headers,
      method: route.method,
      ...(hasBody ? { body: JSON.stringify(input.body) } : {}),
    },
  );
  const body = await readJson(response);
  if (!response.ok) {
    throw apiErrorFrom(response.status, response.headers, body);
  }
  return parseSuccess(route, response, body);
}
