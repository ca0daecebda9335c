import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { MAX_TIMER_MS } from '../kernel/timer-limit.ts';

/** One request as it goes out. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Milliseconds until the connection stands. */
  readonly connectTimeoutMs: number;
  /** Milliseconds without a byte in either direction once it stands. */
  readonly readTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What came back, whole. */
export interface Incoming {
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

/** One of the two limits passed. */
export class ExchangeTimeout extends Error {
  readonly phase: 'connect' | 'read';

  constructor(phase: 'connect' | 'read') {
    super(phase === 'connect' ? 'no connection in time' : 'no answer in time');
    this.phase = phase;
  }
}

const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** Ends a request whose connection does not stand in time; a kept one stands already. */
function limitConnect(
  request: ClientRequest,
  secure: boolean,
  ms: number,
  end: (phase: 'connect') => void,
): void {
  request.once('socket', (socket: Socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => end('connect'), ms);
    const stands = (): void => clearTimeout(timer);
    socket.once(secure ? 'secureConnect' : 'connect', stands).once('close', stands);
  });
}

function textOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  response.once('error', reject);
  response.once('close', () => reject(new Error('the answer was cut off')));
  return promise;
}

async function once(outgoing: Outgoing): Promise<Incoming> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const url = new URL(outgoing.url);
  const secure = url.protocol === 'https:';
  const body = outgoing.body === undefined ? undefined : Buffer.from(outgoing.body);
  const readMs = Math.min(outgoing.readTimeoutMs, MAX_TIMER_MS);
  const request = (secure ? https : http).request(url, {
    method: outgoing.method,
    agent: secure ? agents['https:'] : agents['http:'],
    headers: {
      ...outgoing.headers,
      ...(body === undefined ? {} : { 'content-length': String(body.length) }),
    },
    ...(outgoing.signal === undefined ? {} : { signal: outgoing.signal }),
  });
  let late: ExchangeTimeout | undefined;
  const end = (phase: 'connect' | 'read'): void => {
    late = new ExchangeTimeout(phase);
    request.destroy(late);
  };
  limitConnect(request, secure, Math.min(outgoing.connectTimeoutMs, MAX_TIMER_MS), end);
  request.setTimeout(readMs, () => end('read'));
  request.once('response', resolve);
  request.on('error', (error) => reject(new Unanswered(error, request.reusedSocket)));
  request.end(body);
  const response = await promise;
  const text = await textOf(response).catch((error: unknown) => {
    throw late ?? error;
  });
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    body: text,
  };
}

/** No answer began. */
class Unanswered extends Error {
  readonly reused: boolean;

  constructor(cause: Error, reused: boolean) {
    super(cause.message, { cause });
    this.reused = reused;
  }
}

function isStale(error: unknown): boolean {
  if (!(error instanceof Unanswered) || !error.reused) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
}

/**
 * Sends a request and reads its answer whole; redirects are answers. A kept connection that the
 * other side had closed meanwhile is replaced once.
 * @throws ExchangeTimeout, or the error of the connection.
 */
export async function exchange(outgoing: Outgoing): Promise<Incoming> {
  try {
    return await once(outgoing).catch((error: unknown) => {
      if (isStale(error)) return once(outgoing);
      throw error;
    });
  } catch (error) {
    throw error instanceof Unanswered ? error.cause : error;
  }
}
