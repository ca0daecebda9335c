import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that reached the fake platform. */
export interface FakeCall {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** What the fake answers: a body with status 200, or the parts. */
export interface FakeReply {
  status?: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

export type FakeHandler = (call: FakeCall) => FakeReply;

/** A platform on loopback whose answers a test writes: `METHOD /v1/path` → handler; `*` = one segment. */
export interface FakePlatform {
  url: string;
  calls: FakeCall[];
  on(route: string, reply: FakeReply | FakeHandler): void;
  close(): Promise<void>;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part === '*' || part === given[index])
  );
}

export async function startFakePlatform(): Promise<FakePlatform> {
  const handlers: { method: string; path: string; handler: FakeHandler }[] = [];
  const calls: FakeCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x');
      const text = Buffer.concat(chunks).toString('utf8');
      const call: FakeCall = {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      calls.push(call);
      const found = handlers
        .toReversed()
        .find((entry) => entry.method === call.method && matches(entry.path, call.path));
      const reply: FakeReply = found?.handler(call) ?? {
        status: 404,
        body: { detail: { error: 'not_found', message: 'Not found.' } },
      };
      response.writeHead(reply.status ?? 200, {
        'content-type': 'application/json',
        'x-request-id': 'platform-request',
        ...reply.headers,
      });
      response.end(reply.text ?? JSON.stringify(reply.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    on(route, reply) {
      const [method = 'GET', path = '/'] = route.split(' ');
      const handler = typeof reply === 'function' ? reply : () => reply;
      handlers.push({ method, path, handler });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A platform failure in its envelope. */
export function failure(status: number, error: string, extra: Record<string, unknown> = {}) {
  return { status, body: { detail: { error, message: `platform says ${error}`, ...extra } } };
}
