import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a peer misbehaves; undefined = it passes everything on. */
export type Fault =
  /** It answers whole, but so many milliseconds late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** It takes the request and never answers. */
  | { readonly kind: 'silent' }
  /** It breaks the connection in the middle of its answer. */
  | { readonly kind: 'cut' }
  /** It sends half of the JSON as if that were all. */
  | { readonly kind: 'half' }
  /** It answers with this instead. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A peer before a service on loopback that passes requests on, or misbehaves when it is told to. */
export interface FaultyPeer {
  readonly url: string;
  /** What it does to the requests whose path `only` matches, from now on; to all without it. */
  misbehave(fault: Fault | undefined, only?: RegExp): void;
  /** How many requests came since the last fault was set. */
  seen(): number;
  /** Nothing listens at the address any more. */
  down(): Promise<void>;
  /** It listens at the same address again. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** An answer of the platform's envelope. */
export function refusal(status: number, error: string, headers?: Record<string, string>): Fault {
  const body = JSON.stringify({ detail: { error, message: `the platform says ${error}` } });
  return { kind: 'answer', status, body, ...(headers === undefined ? {} : { headers }) };
}

function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.once('end', () => resolve(Buffer.concat(chunks)));
  stream.once('error', reject);
  return promise;
}

/** Asks the service behind the peer. */
async function askBehind(target: string, request: IncomingMessage, body: Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const behind = http.request(new URL(request.url ?? '/', target), {
    method: request.method,
    headers,
    agent: false,
  });
  behind.once('response', resolve);
  behind.once('error', reject);
  behind.end(body);
  const answer = await promise;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts a peer before the service at `target`. */
export async function startFaultyPeer(target: string): Promise<FaultyPeer> {
  let fault: Fault | undefined;
  let only: RegExp | undefined;
  let seen = 0;
  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    to: Fault | undefined,
  ): Promise<void> => {
    const sent = await bodyOf(request);
    if (to?.kind === 'silent') return;
    if (to?.kind === 'answer') {
      response.writeHead(to.status, { 'content-type': 'application/json', ...to.headers });
      response.end(to.body);
      return;
    }
    if (to?.kind === 'slow') await wait(to.ms);
    const { status, headers, body } = await askBehind(target, request, sent);
    const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = headers;
    const half = body.subarray(0, Math.floor(body.length / 2));
    response.writeHead(status, {
      ...kept,
      'content-length': to?.kind === 'half' ? half.length : body.length,
    });
    if (to?.kind === 'cut') {
      response.write(half);
      await wait(20);
      response.destroy();
    } else response.end(to?.kind === 'half' ? half : body);
  };
  const server = http.createServer((request, response) => {
    seen += 1;
    const hit = only === undefined || only.test(request.url ?? '');
    pass(request, response, hit ? fault : undefined).catch(() => response.destroy());
  });
  const listen = async (port: number): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const down = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    misbehave(next, paths) {
      fault = next;
      only = paths;
      seen = 0;
    },
    seen: () => seen,
    down,
    up: async () => {
      await listen(port);
    },
    close: () => (server.listening ? down() : Promise.resolve()),
  };
}
