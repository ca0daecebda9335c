// A gateway with connections to other computers.
import http from 'node:http';
import type { StoredConnection } from '../../server/contract/gateway/connections.ts';
import {
  type GatewayOptions,
  type RunningGateway,
  startGateway,
} from '../../server/gateway/gateway.ts';
import { idleDesk, noTrustedFolders } from './idle-desk.ts';
import { listening } from './remote-peers.ts';

const WINDOW = { origin: 'app://specwright', token: 'launch-token' };

/** Of a gateway whose connections no test is about. */
export const noRemotes: GatewayOptions['remotes'] = {
  book: { read: () => [], write: () => undefined },
  secrets: {
    read: async () => undefined,
    put: async () => undefined,
    remove: async () => false,
  },
  env: {},
};

/** A gateway of this computer with connections and secrets in memory. */
export interface RemoteWorld {
  readonly gateway: RunningGateway;
  readonly secrets: Map<string, string>;
  /** What the services of this computer were asked, with the credential that came along. */
  readonly ownAsked: { readonly url: string; readonly authorization: string | undefined }[];
  /** How far the clock of this computer is ahead, in milliseconds. */
  readonly clock: { ms: number };
  /** Nothing can be written down while it is full. */
  readonly disk: { full: boolean };
  book(): readonly StoredConnection[];
  /** Asks as a window on a connection. */
  ask(path: string, init?: RequestInit & { readonly connection?: string }): Promise<Told>;
  /** Adds a connection with the usual settings and answers its id. */
  add(settings: object): Promise<string>;
  close(): Promise<void>;
}

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect of any answer.
  readonly json: any;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The settings that a connection of a test has when it says nothing else. */
export const USUAL = {
  ...{ name: 'Team', color: 'violet', platform: null, dashboard: null, studio: null },
  ...{ drafts: 'here', auth: { kind: 'key' }, proxy: { kind: 'none' } },
};

export async function startRemoteWorld(
  env: Readonly<Record<string, string>> = {},
  askSystem?: (url: string) => Promise<string | undefined>,
): Promise<RemoteWorld> {
  const ownAsked: RemoteWorld['ownAsked'] = [];
  const own = http.createServer((request, response) => {
    ownAsked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    response.setHeader('content-type', 'application/json');
    const admin = { identity: 'me', role: 'admin', capabilities: ['settings.write'] };
    response.end(JSON.stringify({ own: true, ...admin, environments: null, auth_mode: 'static' }));
  });
  const ownUrl = `http://127.0.0.1:${await listening(own)}`;
  const secrets = new Map<string, string>();
  const clock = { ms: 0 };
  let book: readonly StoredConnection[] = [];
  const disk = { full: false };
  let made = 0;
  const target = { baseUrl: ownUrl, authorization: 'Bearer of-this-computer' };
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    uiFolder: '/nonexistent',
    window: WINDOW,
    allowedHosts: [],
    linkKeys: [],
    limits: { linkMs: 60_000, idleMs: 3_600_000, lifeMs: 10_000_000 },
    clock: { now: () => Date.now() + clock.ms },
    version: '0.0.0',
    ids: {
      uuid: () => 'uuid',
      hex: () => {
        made += 1;
        return `connection${made}`;
      },
    },
    log: { info() {}, warn() {}, error() {} },
    modelKeys: {
      here: true,
      list: async () => ({ here: true, keeper: 'file', keys: [] }),
      mayHold: () => false,
      put: () => Promise.reject(new Error('no key is stored here')),
      remove: async () => false,
    },
    secrets: idleDesk,
    trustedFolders: noTrustedFolders,
    remotes: {
      book: {
        read: () => book,
        write: (next) => {
          if (disk.full) throw new Error('no space is left');
          book = next;
        },
      },
      secrets: {
        read: async (name) => secrets.get(name),
        put: async (name, value) => secrets.set(name, value),
        remove: async (name) => secrets.delete(name),
      },
      ...{ env, askSystem },
    },
    connection: {
      ...{ id: 'embedded', name: 'This computer', kind: 'embedded' },
      targets: { platform: target, studio: target, dashboard: target },
    },
  });
  const ask: RemoteWorld['ask'] = async (path, { connection, ...init } = {}) => {
    const headers = new Headers(init.headers);
    headers.set('origin', WINDOW.origin);
    headers.set('authorization', `Bearer ${WINDOW.token}`);
    if (init.body !== undefined) headers.set('content-type', 'application/json');
    if (connection !== undefined) headers.set('x-specwright-connection', connection);
    const answer = await fetch(`${gateway.url}${path}`, { ...init, headers, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
  };
  return {
    gateway,
    secrets,
    ownAsked,
    clock,
    disk,
    ask,
    book: () => book,
    async add(settings) {
      const body = JSON.stringify({ ...USUAL, ...settings });
      const made = await ask('/gateway/connections', { method: 'POST', body });
      if (made.status !== 201) throw new TypeError(made.text);
      return made.json.id;
    },
    async close() {
      await gateway.stop();
      own.closeAllConnections();
      await new Promise((done) => own.close(done));
    },
  };
}
