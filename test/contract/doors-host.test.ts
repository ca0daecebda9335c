// Host and Origin on every listener (decisions 33 and 45): DNS rebinding and foreign pages, on the
// wire, against the four listeners of one running program.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { type Served, serve } from '../support/served.ts';
import { requestBytes, sendRaw } from '../support/wire.ts';

const LISTENERS = ['platform', 'dashboard', 'studio', 'gateway'] as const;
type Listener = (typeof LISTENERS)[number];

/** A path of each that wants an operator. */
const PATHS: Readonly<Record<Listener, string>> = {
  platform: '/v1/runs',
  dashboard: '/api/me',
  studio: '/api/me',
  gateway: '/gateway/status',
};
/** A change of each; the bodies are empty, so that none goes through even where it is let in. */
const CHANGES: Readonly<Record<Listener, string>> = {
  platform: '/v1/runs',
  dashboard: '/api/launch/run',
  studio: '/api/projects',
  gateway: '/gateway/sign-in-links',
};
const REFUSED_HOST: Readonly<Record<Listener, string>> = {
  platform: 'forbidden',
  dashboard: 'forbidden',
  studio: 'host_not_allowed',
  gateway: 'gateway_origin_refused',
};

function codeOf(body: string): unknown {
  const text = /\{.*\}/s.exec(body)?.[0] ?? '{}';
  const { detail, code } = JSON.parse(text);
  return code ?? detail?.error;
}

describe.each([['closed'], ['open']] as const)('%s', (mode) => {
  let cli: Cli;
  let served: Served;
  /** What lets the caller in, so that nothing but Host and Origin is left to refuse. */
  const credentials = new Map<Listener, string>();

  beforeAll(async () => {
    cli = createCli();
    served = await serve(cli, mode === 'open' ? ['--open'] : []);
    const file = served.ready.key_file;
    const key = file === undefined ? '' : readFileSync(file, 'utf8').trim();
    for (const name of LISTENERS) credentials.set(name, `Authorization: Bearer ${key}`);
    const answer = await fetch(await served.link(), { redirect: 'manual' });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    credentials.set('gateway', `Cookie: ${cookie}`);
  }, 60_000);
  afterAll(async () => {
    await served?.stop();
    cli?.dispose();
  });

  const portOf = (name: Listener): string => new URL(served.ready[name]).port;
  const ask = (name: Listener, lines: readonly string[], method = 'GET') => {
    const path = method === 'GET' ? PATHS[name] : CHANGES[name];
    const body = method === 'GET' ? [] : ['Content-Type: application/json', 'Content-Length: 0'];
    const all = [...lines, credentials.get(name) ?? '', ...body];
    return sendRaw(served.ready[name], requestBytes(method, path, all));
  };

  describe.each(LISTENERS)('%s', (name) => {
    test('its own names are answered, in any case and with any port', async () => {
      const port = portOf(name);
      for (const host of [
        `127.0.0.1:${port}`,
        `localhost:${port}`,
        `LocalHost:${port}`,
        `[::1]:${port}`,
        'localhost',
        'localhost:1',
      ]) {
        expect([host, (await ask(name, [`Host: ${host}`])).status]).toEqual([host, 200]);
      }
    });

    test('another name is refused, however it is spelled', async () => {
      const port = portOf(name);
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        `EVIL.EXAMPLE:${port}`,
        `evil.example.:${port}`,
        `localhost.evil.example:${port}`,
        `127.0.0.1.evil.example:${port}`,
        `evil.example:${port}@localhost`,
        `localhost@evil.example:${port}`,
        `localhost:${port}/evil.example`,
        `localhost, evil.example`,
        `localhost.:${port}`,
        `127.1:${port}`,
        `2130706433:${port}`,
        `0x7f.0.0.1:${port}`,
        `0177.0.0.1:${port}`,
        `0.0.0.0:${port}`,
        `[::]:${port}`,
        `[::ffff:127.0.0.1]:${port}`,
        `[0:0:0:0:0:0:0:1]:${port}`,
        '',
      ]) {
        const answer = await ask(name, [`Host: ${host}`]);
        expect([host, answer.status, codeOf(answer.body)]).toEqual([host, 403, REFUSED_HOST[name]]);
      }
    });

    test('no Host, and two of them, are refused', async () => {
      const own = `127.0.0.1:${portOf(name)}`;
      const none = await ask(name, ['X-None: 1']);
      expect([403, 400]).toContain(none.status);
      const two = await ask(name, [`Host: ${own}`, 'Host: evil.example']);
      expect([403, 400]).toContain(two.status);
      const turned = await ask(name, ['Host: evil.example', `Host: ${own}`]);
      expect([403, 400]).toContain(turned.status);
    });

    test('a rebound name with the same Origin changes nothing', async () => {
      const port = portOf(name);
      for (const host of [`evil.example:${port}`, `EVIL.example.:${port}`]) {
        const answer = await ask(name, [`Host: ${host}`, `Origin: http://${host}`], 'POST');
        expect([host, answer.status, codeOf(answer.body)]).toEqual([host, 403, REFUSED_HOST[name]]);
      }
    });

    test('a page of another origin is refused, for reads too', async () => {
      const host = `127.0.0.1:${portOf(name)}`;
      for (const origin of [
        'http://evil.example',
        `http://evil.example:${portOf(name)}`,
        'http://127.0.0.1:1',
        'http://127.0.0.1',
        `evil://${host}`,
        'null',
        'http://',
      ]) {
        for (const method of ['GET', 'POST']) {
          const answer = await ask(name, [`Host: ${host}`, `Origin: ${origin}`], method);
          expect([method, origin, answer.status]).toEqual([method, origin, 403]);
        }
      }
      const foreign = await ask(name, [`Host: ${host}`, 'Referer: http://evil.example/x'], 'POST');
      expect(foreign.status).toBe(403);
      const embedded = await ask(name, [
        `Host: ${host}`,
        'Sec-Fetch-Site: cross-site',
        'Sec-Fetch-Mode: no-cors',
      ]);
      expect(embedded.status).toBe(403);
    });

    test('its own origin and no origin are answered', async () => {
      const host = `localhost:${portOf(name)}`;
      for (const lines of [[], [`Origin: http://${host}`], [`Referer: http://${host}/x`]]) {
        expect((await ask(name, [`Host: ${host}`, ...lines])).status).toBe(200);
        // Let in: what is missing is the body, or nothing.
        expect([201, 400, 422]).toContain(
          (await ask(name, [`Host: ${host}`, ...lines], 'POST')).status,
        );
      }
    });
  });

  test('probes answer whoever asks by whatever name; they tell nothing', async () => {
    const { platform, dashboard, studio } = served.ready;
    const evil = ['Host: evil.example'];
    for (const [url, path] of [
      [platform, '/v1/livez'],
      [platform, '/readyz'],
      [dashboard, '/api/livez'],
      [dashboard, '/api/readyz'],
      [studio, '/api/readyz'],
    ] as const) {
      expect([path, (await sendRaw(url, requestBytes('GET', path, evil))).status]).toEqual([
        path,
        200,
      ]);
    }
  });
});

describe('names that the operator lists', () => {
  let cli: Cli;
  let served: Served;
  beforeAll(async () => {
    cli = createCli();
    served = await serve(cli, ['--open', '--allow-host', 'desk.example']);
  }, 60_000);
  afterAll(async () => {
    await served?.stop();
    cli?.dispose();
  });

  test('are answered by all four, and no other is', async () => {
    for (const name of LISTENERS) {
      const ask = async (host: string) =>
        (await sendRaw(served.ready[name], requestBytes('GET', PATHS[name], [`Host: ${host}`])))
          .status;
      // The gateway still wants its session.
      expect([name, await ask('Desk.example:8443')]).toEqual([
        name,
        name === 'gateway' ? 401 : 200,
      ]);
      expect([name, await ask('other.example')]).toEqual([name, 403]);
    }
  });
});
