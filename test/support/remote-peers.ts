// Servers of other computers, over TLS on loopback, and proxies on the way to them.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https, { type ServerOptions } from 'node:https';
import net, { type AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server of another computer. */
export interface Peer {
  readonly url: string;
  readonly port: number;
  /** What it was asked, with the credential that came along. */
  readonly asked: { readonly url: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** Listens on a free port of loopback and answers it. */
export async function listening(server: net.Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

/** A server over TLS; `port` = where one stood before. */
export async function startPeer(
  tls: ServerOptions,
  answer: Handler,
  port = 0,
  /** Set for one that answers itself when it is asked what it offers. */
  describes?: 'itself',
): Promise<Peer> {
  const asked: Peer['asked'] = [];
  const server = https.createServer(tls, (request, response) => {
    if (describes === undefined && request.url?.endsWith('/openapi.json') === true) {
      response.writeHead(404).end();
      return;
    }
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    void answer(request, response);
  });
  // Callers that do not trust it leave in the middle of the handshake.
  server.on('tlsClientError', () => undefined);
  // Those in the middle of a handshake are none of the server's connections yet.
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `https://localhost:${bound}`,
    port: bound,
    asked,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A handler that passes everything on to a plain server, as the proxy before a service does. */
export function passingOn(
  base: string,
  before: (request: IncomingMessage) => Promise<boolean> | boolean = () => true,
): Handler {
  const { hostname, port } = new URL(base);
  return async (request, response) => {
    if (!(await before(request))) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"denied"}');
      return;
    }
    const onward = http.request(
      {
        hostname,
        port,
        path: request.url,
        method: request.method,
        headers: { ...request.headers, host: `${hostname}:${port}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
}

/** A proxy that lets people through to where they want to go; `leadsTo` = to that host whatever they name. */
export async function startProxy(credential?: string, leadsTo?: string) {
  const tunnels: string[] = [];
  const server = http.createServer();
  server.on('connect', (request, socket) => {
    const given = request.headers['proxy-authorization'];
    if (
      credential !== undefined &&
      given !== `Basic ${Buffer.from(credential).toString('base64')}`
    ) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    tunnels.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const onward = net.connect(Number(port), leadsTo ?? host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
