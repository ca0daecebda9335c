import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https, { type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createTestMcpServer, type McpServerLog } from './mcp-server.ts';

/** How the HTTP side misbehaves; may be changed while the server runs. */
export interface HttpFaults {
  /** Answers every message with this status. */
  status?: number;
  /** Answers every message with this text as JSON. */
  body?: string;
  /** Sends every request elsewhere. */
  redirect?: string;
  /** Never answers. */
  silent?: boolean;
}

export interface TestMcpHttpServer extends McpServerLog {
  readonly url: string;
  readonly sseUrl: string;
  /** Method and JSON-RPC method of each request, such as `POST tools/call`. */
  readonly requests: string[];
  readonly headers: http.IncomingHttpHeaders[];
  /** The message of each request. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any part of a message
  readonly bodies: any[];
  readonly faults: HttpFaults;
  /** Sessions that are open now. */
  sessions(): number;
  /** Forgets every session, as a restarted server does. */
  restart(): void;
  stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function methodOf(body: unknown): string {
  const { method } = (body ?? {}) as { method?: unknown };
  return typeof method === 'string' ? method : '-';
}

/** Starts a server with both HTTP transports: streamable at `/mcp`, the older one at `/sse`. */
export async function startMcpHttpServer(
  options: { json?: boolean; tls?: ServerOptions } = {},
): Promise<TestMcpHttpServer> {
  const log: McpServerLog = { calls: [], cancelled: [] };
  const requests: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const bodies: unknown[] = [];
  const faults: HttpFaults = {};
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const streams = new Map<string, SSEServerTransport>();
  const sockets = new Set<Socket>();

  const behaviour = (response: () => ServerResponse | undefined) => ({
    crash: () => response()?.socket?.destroy(),
    garbage: () => {
      const write = (): void => {
        if (response()?.headersSent !== true) setTimeout(write, 5);
        else response()?.write('event: message\ndata: {"jsonrpc": \n\n');
      };
      write();
    },
  });

  const openStreamable = async (current: {
    response: ServerResponse;
  }): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.json ?? false,
      onsessioninitialized: (id) => {
        streamable.set(id, transport);
      },
      onsessionclosed: (id) => {
        streamable.delete(id);
      },
    });
    const server = createTestMcpServer(
      log,
      behaviour(() => current.response),
    );
    await server.connect(transport as never);
    return transport;
  };

  const current: { response: ServerResponse | undefined } = { response: undefined };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const raw = await bodyOf(request);
    const body: unknown = raw === '' ? undefined : JSON.parse(raw);
    requests.push(`${request.method} ${methodOf(body)}`);
    headers.push(request.headers);
    bodies.push(body);
    if (faults.silent === true) return;
    if (faults.redirect !== undefined) {
      response.writeHead(307, { location: faults.redirect }).end();
      return;
    }
    if (faults.status !== undefined) {
      response.writeHead(faults.status).end(`status ${faults.status}`);
      return;
    }
    if (faults.body !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(faults.body);
      return;
    }
    if (methodOf(body) === 'tools/call') current.response = response;
    if (url.pathname === '/mcp') {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? streamable.get(id) : undefined;
      if (known === undefined && typeof id === 'string') {
        response.writeHead(404).end('no such session');
        return;
      }
      const transport = known ?? (await openStreamable(current as { response: ServerResponse }));
      await transport.handleRequest(request, response, body);
    } else if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      response.once('close', () => streams.delete(transport.sessionId));
      await createTestMcpServer(
        log,
        behaviour(() => response),
      ).connect(transport);
    } else {
      const transport = streams.get(url.searchParams.get('sessionId') ?? '');
      if (transport === undefined) response.writeHead(404).end('no such session');
      else await transport.handlePostMessage(request, response, body);
    }
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => response.destroy());
  };
  const { tls } = options;
  const server =
    tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    ...log,
    url: `${scheme}://127.0.0.1:${port}/mcp`,
    sseUrl: `${scheme}://127.0.0.1:${port}/sse`,
    requests,
    headers,
    bodies,
    faults,
    sessions: () => streamable.size + streams.size,
    restart: () => {
      streamable.clear();
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
