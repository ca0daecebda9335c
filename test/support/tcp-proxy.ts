// A way to a server on loopback that can be cut, and led to another server: nothing is said to either end.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** The same address of a database, by this way. */
  urlOf(url: string): string;
  /** Ports that its connections to the server came from, by which the server knows them. */
  readonly ports: ReadonlySet<number>;
  /** Nothing passes any more; connections stay open, and new ones are never answered. */
  cut(): void;
  /**
   * New connections pass. Those that were cut go on where they were, as TCP has it, or stay dead where
   * a firewall on the way has forgotten them.
   */
  heal(cutOnes: 'go on' | 'stay dead'): void;
  /** Leads to another port from now on, and breaks the connections that there are. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  server: Socket | undefined;
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (bytes) => to.write(bytes));
  from.on('end', () => to.end());
  from.on('close', () => to.destroy());
  from.on('error', () => to.destroy());
}

/** Starts a way to the server at a port of loopback. */
export async function startTcpProxy(to: number): Promise<TcpProxy> {
  let target = to;
  let isCut = false;
  const pairs = new Set<Pair>();
  const ports = new Set<number>();
  const begin = (pair: Pair): void => {
    const server = connect({ port: target, host: '127.0.0.1' });
    pair.server = server;
    server.once('connect', () => ports.add(server.localPort ?? 0));
    forward(pair.client, server);
    forward(server, pair.client);
  };
  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    const pair: Pair = { client, server: undefined };
    pairs.add(pair);
    client.on('error', () => client.destroy());
    client.once('close', () => pairs.delete(pair));
    if (isCut) return;
    begin(pair);
    client.resume();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const breakAll = (): void => {
    for (const { client, server } of pairs) {
      client.destroy();
      server?.destroy();
    }
    pairs.clear();
  };
  return {
    port,
    ports,
    urlOf(url) {
      const other = new URL(url);
      other.port = String(port);
      return other.href;
    },
    cut() {
      isCut = true;
      for (const { client, server } of pairs) {
        client.pause();
        server?.pause();
      }
    },
    heal(cutOnes) {
      isCut = false;
      if (cutOnes === 'stay dead') return;
      for (const pair of pairs) {
        if (pair.server === undefined) begin(pair);
        pair.client.resume();
        pair.server?.resume();
      }
    },
    moveTo(other) {
      target = other;
      breakAll();
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      breakAll();
      await closed;
    },
  };
}
