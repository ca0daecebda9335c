import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { randomIds, systemClock } from '../runtime/system-clock.ts';
import { describeRefusal } from './host-refusal.ts';
import { readHostSettings, type ServeOptions } from './host-settings.ts';
import { lockDataFolder } from './instance-lock.ts';
import type { ServiceDoors } from './service-doors.ts';
import { type HostDeps, startServices } from './start-services.ts';

let folder: string;
let events: string[];
let seen: Record<string, unknown>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-host-'));
  events = [];
  seen = {};
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations');

async function open(name: string, options: { host: string; port: number }) {
  const server = http.createServer((request, response) => response.end(`${name} ${request.url}`));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, options.host, resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  events.push(`start ${name}`);
  seen[name] = options;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: async () => {
      events.push(`stop ${name}`);
      server.closeAllConnections();
      server.close();
    },
  };
}

const doors: ServiceDoors = {
  platform: (options) => open('platform', options),
  dashboard: async (options) => ({
    ...(await open('dashboard', options)),
    tell: async () => undefined,
  }),
  studio: async (options) => ({
    ...(await open('studio', options)),
    openFolder: async (folder) => ({ project_id: folder, known: false }),
  }),
};

function deps(part: Partial<ServiceDoors> = {}): HostDeps {
  const quiet = { info() {}, warn() {}, error() {}, release() {} };
  return {
    doors: { ...doors, ...part },
    files: { migrations: MIGRATIONS, ui: '/none', resources: '/none', version: '1.2.3' },
    clock: systemClock(),
    ids: randomIds(),
    log: () => quiet,
  };
}

const FREE: ServeOptions = {
  gatewayPort: '0',
  platformPort: '0',
  dashboardPort: '0',
  studioPort: '0',
};

function settings(options: ServeOptions = {}, env: Record<string, string> = {}) {
  return readHostSettings({ ...FREE, data: path.join(folder, 'data'), ...options }, env);
}

async function refusal(action: () => Promise<unknown>) {
  try {
    await action();
  } catch (error) {
    return describeRefusal(error);
  }
  return undefined;
}

describe('startServices', () => {
  test('starts the platform first and stops in the opposite order', async () => {
    const host = await startServices(settings(), deps());
    await host.stop();
    expect(events).toEqual([
      'start platform',
      'start dashboard',
      'start studio',
      'stop studio',
      'stop dashboard',
      'stop platform',
    ]);
  });

  test('the data folder is for its owner only and holds every store', async () => {
    const host = await startServices(settings(), deps());
    await host.stop();
    const data = path.join(folder, 'data');
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(seen).toMatchObject({
      platform: { databaseFile: path.join(data, 'platform.db'), requireKey: true },
      dashboard: { databaseFile: path.join(data, 'dashboard.db') },
      studio: {
        databaseFile: path.join(data, 'studio/studio.db'),
        projectRoot: path.join(data, 'projects/default'),
        workspaceBase: path.join(data, 'projects'),
        trusted: true,
      },
    });
  });

  test('dashboard and studio get a generated admin key for the embedded platform', async () => {
    const host = await startServices(settings(), deps());
    await host.stop();
    const { platform, dashboard, studio } = seen as Record<
      string,
      Record<string, unknown> | undefined
    >;
    const keys = (platform?.['extraKeys'] ?? []) as { key: string; role: string }[];
    const [key] = keys;
    expect(key?.role).toBe('admin');
    expect(dashboard?.['platform']).toEqual({
      url: host.urls.platform,
      apiKey: key?.key,
      embedded: true,
    });
    expect(studio?.['platform']).toEqual({
      url: host.urls.platform,
      apiKey: key?.key,
      embedded: true,
    });
    expect(dashboard?.['requireKeys']).toEqual([key?.key]);
    expect(studio?.['requireKeys']).toEqual([key?.key]);
    expect(host.keyFile).toBe(path.join(folder, 'data', 'instance.key'));
  });

  test('a configured key that may do everything opens the listeners too, another does not', async () => {
    const keys = { SERV_API_KEYS: 'me:mine:admin;all:every:*;you:yours:viewer' };
    const host = await startServices(settings({}, { ...keys, SERV_ADMIN_API_KEY: 'top' }), deps());
    await host.stop();
    const generated = expect.any(String);
    const requireKeys = [generated, 'mine', 'every', 'top'];
    expect(seen).toMatchObject({ dashboard: { requireKeys }, studio: { requireKeys } });
  });

  test('--open asks for no key, on loopback only (decisions 44)', async () => {
    const host = await startServices(settings({ open: true }), deps());
    await host.stop();
    expect(host.keyFile).toBeUndefined();
    expect(seen).toMatchObject({
      platform: { requireKey: false },
      dashboard: { requireKeys: [] },
      studio: { requireKeys: [] },
    });
    expect(() => settings({ open: true, host: '0.0.0.0' })).toThrow('--open');
    expect(() => settings({ open: true }, { SERV_HOST: '10.0.0.1' })).toThrow('--open');
    expect(settings({ open: true, host: '127.0.0.7' }).closed).toBe(false);
  });

  test('under the shell the own listeners demand that key and the gateway knows the window', async () => {
    const env = {
      SPECWRIGHT_SUPERVISED: '1',
      SPECWRIGHT_LAUNCH_TOKEN: 'token',
      SPECWRIGHT_WINDOW_ORIGIN: 'app://specwright',
    };
    const host = await startServices(settings({}, env), deps());
    const headers = { origin: 'app://specwright', authorization: 'Bearer token' };
    const answer = await fetch(`${host.urls.gateway}/studio/api/me`, { headers });
    expect(await answer.text()).toBe('studio /api/me');
    await host.stop();
    expect(seen).toMatchObject({
      platform: { requireKey: true },
      studio: { requireKeys: [expect.any(String)] },
    });
  });

  test('another platform replaces the embedded one', async () => {
    const url = 'https://platform.example/base';
    const host = await startServices(
      settings({}, { PLATFORM_URL: `${url}/`, PLATFORM_API_KEY: 'k' }),
      deps(),
    );
    await host.stop();
    expect(events[0]).toBe('start dashboard');
    expect(host.urls.platform).toBe(url);
    expect(seen).toMatchObject({ studio: { platform: { url, apiKey: 'k', embedded: false } } });
  });

  test('the project of the last start is found again', async () => {
    const tree = path.join(folder, 'tree');
    expect(await refusal(() => startServices(settings({ project: tree }), deps()))).toMatchObject({
      reason: 'configuration',
    });
    writeFileSync(path.join(folder, 'file'), '');
    await (await startServices(settings({ project: folder }), deps())).stop();
    await (await startServices(settings(), deps())).stop();
    expect(seen).toMatchObject({ studio: { projectRoot: folder, trusted: false } });
  });

  test('a step that fails leaves nothing behind', async () => {
    const refused = await refusal(() =>
      startServices(
        settings(),
        deps({
          studio: async () => {
            throw new StartRefusal('The studio says\nno.');
          },
        }),
      ),
    );
    expect(refused).toEqual({ reason: 'configuration', message: 'The studio says no.' });
    expect(events.slice(2)).toEqual(['stop dashboard', 'stop platform']);
    await (await startServices(settings(), deps())).stop();
  });

  test('a second start on the same data is refused and names the first', async () => {
    const host = await startServices(settings(), deps());
    const refused = await refusal(() => startServices(settings(), deps()));
    expect(refused).toMatchObject({ reason: 'data_in_use' });
    expect(refused?.message).toContain(`process ${process.pid}`);
    await host.stop();
    lockDataFolder(path.join(folder, 'data'), 0).release();
  }, 10_000);

  test('a taken port is refused with its number', async () => {
    const blocker = await open('blocker', { host: '127.0.0.1', port: 0 });
    const refused = await refusal(() =>
      startServices(settings({ gatewayPort: String(blocker.port) }), deps()),
    );
    await blocker.stop();
    expect(refused?.reason).toBe('port_in_use');
    expect(refused?.message).toContain(String(blocker.port));
  });

  test.skipIf(process.getuid?.() === 0)('an unwritable folder is refused', async () => {
    chmodSync(folder, 0o500);
    const refused = await refusal(() => startServices(settings(), deps()));
    chmodSync(folder, 0o700);
    expect(refused).toMatchObject({ reason: 'data_unwritable' });
  });

  test('a file in place of the folder is refused', async () => {
    writeFileSync(path.join(folder, 'data'), '');
    const refused = await refusal(() => startServices(settings(), deps()));
    expect(refused).toMatchObject({ reason: 'data_unwritable' });
  });
});

describe('readHostSettings', () => {
  test.each(['x', '-1', '70000', ''])('port %j is refused', (gatewayPort) => {
    expect(() => settings({ gatewayPort })).toThrow('--gateway-port');
  });

  test('contract ports and the loopback are the defaults', () => {
    const read = readHostSettings({ data: folder }, {});
    expect([read.gateway, read.platform.port, read.dashboard.port, read.studio.port]).toEqual([
      expect.objectContaining({ host: '127.0.0.1', port: 8092 }),
      8000,
      8090,
      8091,
    ]);
  });

  test('the data folder: option, SPECWRIGHT_HOME, XDG state', () => {
    expect(readHostSettings({}, { SPECWRIGHT_HOME: '/h' }).dataFolder).toBe('/h');
    expect(readHostSettings({}, { XDG_STATE_HOME: '/s' }).dataFolder).toBe('/s/specwright');
    expect(readHostSettings({ data: '/d' }, { SPECWRIGHT_HOME: '/h' }).dataFolder).toBe('/d');
  });

  test('a platform address with credentials or another scheme is refused', () => {
    for (const platformUrl of ['ftp://x', 'http://a:b@x', 'nonsense']) {
      expect(() => settings({ platformUrl })).toThrow('platform address');
    }
  });
});
