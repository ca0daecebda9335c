// A gateway before a server that answers what a test says.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type RunningGateway, startGateway } from '../../server/gateway/gateway.ts';
import type { ModelKeys } from '../../server/gateway/model-keys.ts';
import type { Log } from '../../server/kernel/log.ts';
import { idleDesk, noTrustedFolders } from './idle-desk.ts';
import { noRemotes } from './remote-world.ts';

const quiet: Log = { info() {}, warn() {}, error() {} };
export const WINDOW = { origin: 'app://specwright', token: 'launch-token' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: http.Server;
/** Says whom the dashboard takes everybody for, and answers nothing else. */
let dashboardSide: http.Server;
let dashboardUrl = '';
export let targetUrl = '';
/** What the server behind the gateway answers. */
const EMPTY: Handler = (_request, response) => response.end('{}');
export const target = { answer: EMPTY };
export let gateway: RunningGateway;
const uiFolder = mkdtempSync(path.join(tmpdir(), 'specwright-ui-'));
mkdirSync(path.join(uiFolder, 'assets'));
writeFileSync(path.join(uiFolder, 'index.html'), '<title>workbench</title>');
writeFileSync(path.join(uiFolder, 'assets/app-1234.js'), 'export {};');

const ADMIN = {
  identity: 'static-operator',
  role: 'admin',
  capabilities: ['settings.write'],
  environments: null,
  auth_mode: 'static',
};
/** What the dashboard behind the gateway takes everybody for. */
let everybody: object | undefined = ADMIN;
export function takeEverybodyFor(change: object): void {
  everybody = { ...ADMIN, ...change };
}
/** The dashboard behind the gateway answers nobody. */
export function loseDashboard(): void {
  everybody = undefined;
}
export const clock = { now: 0 };
export let stored = new Map<string, string>();
/** Whether the keys of this connection can be stored. */
export const keeper = { here: true };
const keyView = (name: string) => ({
  name,
  provider: null,
  kept_in: stored.has(name) ? ('file' as const) : null,
  stored_at: null,
  in_environment: false,
});
const modelKeys: ModelKeys = {
  get here() {
    return keeper.here;
  },
  list: async () => ({ here: keeper.here, keeper: 'file', keys: [...stored.keys()].map(keyView) }),
  mayHold: (name) => name !== 'SERV_API_KEY',
  put: async (name, key) => {
    stored.set(name, key);
    return keyView(name);
  },
  remove: async (name) => stored.delete(name),
};
export async function signIn(): Promise<string> {
  const answer = await fetch(gateway.signInLink(), { redirect: 'manual' });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

export const asWindow = (extra: Record<string, string> = {}) => ({
  origin: WINDOW.origin,
  authorization: `Bearer ${WINDOW.token}`,
  ...extra,
});

export async function ask(url: string, headers: Record<string, string>, init: RequestInit = {}) {
  const answer = await fetch(`${gateway.url}${url}`, { ...init, headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function startDashboardSide(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  dashboardSide = http.createServer((request, response) => {
    if (request.url === '/api/me' && everybody !== undefined)
      response.end(JSON.stringify(everybody));
    else request.socket.destroy();
  });
  dashboardSide.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = dashboardSide.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** Each test of the file that calls this gets a gateway and a server of its own. */
export function freshGateways(): void {
  beforeEach(async () => {
    clock.now = 1_700_000_000_000;
    stored = new Map();
    keeper.here = true;
    everybody = ADMIN;
    // Files share the modules of their worker, so also what another one left here.
    target.answer = EMPTY;
    const { promise, resolve } = Promise.withResolvers<void>();
    server = http.createServer((request, response) => target.answer(request, response));
    dashboardUrl = await startDashboardSide();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    targetUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    let n = 0;
    gateway = await startGateway({
      host: '127.0.0.1',
      port: 0,
      uiFolder,
      window: WINDOW,
      allowedHosts: [],
      linkKeys: ['the-key'],
      limits: { linkMs: 60_000, idleMs: 3_600_000, lifeMs: 10_000_000 },
      clock: { now: () => clock.now },
      version: '0.0.0',
      ids: { uuid: () => 'uuid', hex: () => `id${n++}` },
      log: quiet,
      modelKeys,
      secrets: idleDesk,
      trustedFolders: noTrustedFolders,
      remotes: noRemotes,
      connection: {
        id: 'embedded',
        name: 'This computer',
        kind: 'embedded',
        targets: {
          platform: { baseUrl: targetUrl, authorization: 'Bearer generated' },
          studio: { baseUrl: `${targetUrl}/base/` },
          dashboard: { baseUrl: dashboardUrl },
        },
      },
    });
  });

  afterEach(async () => {
    await gateway.stop();
    server.closeAllConnections();
    server.close();
    dashboardSide.closeAllConnections();
    dashboardSide.close();
  });
}
