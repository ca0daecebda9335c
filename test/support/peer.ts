// The gateway of a window under test: a server on loopback that answers what a test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface Peer {
  readonly url: string;
  /** What it was asked for, reads left out. */
  readonly writes: Asked[];
  /** Paths of all reads with their queries. */
  readonly reads: string[];
  /** Answers a method and path from now on; what has no answer is refused with `not_found`. */
  answer(method: string, path: string, status: number, body: unknown): void;
  /** Hands over the open event stream whenever a path is asked for, with the query. */
  stream(path: string, opened: (stream: ServerResponse, query: URLSearchParams) => void): void;
  stop(): Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

export async function startPeer(): Promise<Peer> {
  const answers = new Map<string, { status: number; body: unknown }>();
  const writes: Asked[] = [];
  const reads: string[] = [];
  const streams = new Map<string, Parameters<Peer['stream']>[1]>();
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const path = url.split('?')[0] ?? '';
    const text = await textOf(request);
    const asked = { method, path, body: text === '' ? undefined : JSON.parse(text) };
    if (method !== 'GET') writes.push(asked);
    else reads.push(url);
    const opened = streams.get(path);
    if (opened !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      opened(response, new URL(url, 'http://peer').searchParams);
      return;
    }
    const missing = { detail: { error: 'not_found', message: `no answer for ${method} ${path}` } };
    const { status, body } = answers.get(`${method} ${path}`) ?? { status: 404, body: missing };
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    writes,
    reads,
    stream: (path, opened) => streams.set(path, opened),
    answer: (method, path, status, body) => answers.set(`${method} ${path}`, { status, body }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
