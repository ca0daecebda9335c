// The services' own listeners are closed to other users of the machine (decisions 44): real
// processes, real files, real sockets.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { type Cli, createCli, GREETER } from '../support/cli.ts';
import { serve } from '../support/served.ts';
import { requestBytes, sendRaw } from '../support/wire.ts';

const clis: Cli[] = [];
function fresh(): Cli {
  const cli = createCli();
  clis.push(cli);
  return cli;
}
afterEach(() => {
  for (const cli of clis.splice(0)) cli.dispose();
});

const modeOf = (file: string): number => statSync(file).mode & 0o777;
const dataOf = (cli: Cli): string => path.join(cli.folder, 'state/specwright');

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { headers })).status;
}

const RUN = JSON.stringify({
  input: 'x',
  spec: { version: 'v1', agent: { name: 'a' } },
});
const JSON_TYPE = { 'content-type': 'application/json' };

describe('serve', { timeout: 60_000 }, () => {
  test('asks for the key that stands in a private file named by the ready line', async () => {
    const cli = fresh();
    const { ready, stop } = await serve(cli);
    expect(Object.keys(ready)).toEqual([
      ...['ready', 'gateway', 'platform', 'dashboard', 'studio', 'pid', 'key_file'],
    ]);
    const file = ready.key_file ?? '';
    expect(file).toBe(path.join(dataOf(cli), 'instance.key'));
    expect([modeOf(file), modeOf(path.dirname(file))]).toEqual([0o600, 0o700]);
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(/^[\w-]{43}$/);
    const own = { authorization: `Bearer ${key}` };
    for (const url of [
      `${ready.platform}/v1/runs`,
      `${ready.platform}/runs`,
      `${ready.dashboard}/api/me`,
      `${ready.studio}/api/me`,
    ]) {
      expect([url, await statusOf(url)]).toEqual([url, 401]);
      expect([url, await statusOf(url, { authorization: 'Bearer other' })]).toEqual([url, 401]);
      expect([url, await statusOf(url, own)]).toEqual([url, 200]);
    }
    // What another user of the machine could do before: run a spec on three of four ports.
    const post = async (url: string, headers: Record<string, string>, body = RUN) =>
      (await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })).status;
    expect(await post(`${ready.platform}/v1/runs`, {})).toBe(401);
    expect(await post(`${ready.dashboard}/api/launch/run`, {})).toBe(401);
    expect(await post(`${ready.studio}/api/projects`, {}, '{"name":"n"}')).toBe(401);
    expect(await post(`${ready.platform}/v1/runs`, { 'x-kneo-api-key': key })).toBe(200);
    const launch = JSON.stringify({ ...JSON.parse(RUN), input_text: 'x', async_mode: false });
    const there = `${ready.dashboard}/api/launch/run`;
    expect(await post(there, { 'x-kneo-api-key': key }, launch)).toBe(200);
    expect(await post(`${ready.studio}/api/projects`, { 'x-api-key': key }, '{"name":"n"}')).toBe(
      201,
    );
    // The key opens the three listeners; at the gateway it only asks for a link.
    expect(await statusOf(`${ready.gateway}/gateway/status`, own)).toBe(401);
    expect(await statusOf(`${ready.gateway}/platform/v1/runs`, own)).toBe(401);
    expect(await stop()).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test('probes answer without a key', async () => {
    const { ready, stop } = await serve(fresh());
    for (const url of [
      `${ready.platform}/v1/livez`,
      `${ready.platform}/healthz`,
      `${ready.dashboard}/api/livez`,
      `${ready.studio}/api/readyz`,
    ]) {
      expect([url, await statusOf(url)]).toEqual([url, 200]);
    }
    await stop();
  });

  test('a configured key opens all three; one that may not do everything, its part of the platform', async () => {
    const cli = fresh();
    cli.env['SERV_API_KEYS'] = 'me:the-operator:admin;you:the-viewer:viewer';
    const { ready, stop } = await serve(cli);
    const of = (key: string) => ({ authorization: `Bearer ${key}` });
    const paths = [
      `${ready.platform}/v1/runs`,
      `${ready.dashboard}/api/me`,
      `${ready.studio}/api/me`,
    ];
    const answers = (key: string) => Promise.all(paths.map((url) => statusOf(url, of(key))));
    expect(await answers('the-operator')).toEqual([200, 200, 200]);
    expect(await answers('the-viewer')).toEqual([200, 401, 401]);
    await stop();
  });

  test('a key file of a killed process is replaced, wider rights of older files are taken away', async () => {
    const cli = fresh();
    const first = await serve(cli);
    const old = readFileSync(first.ready.key_file ?? '', 'utf8');
    await first.stop('SIGKILL');
    const second = await serve(cli);
    const now = readFileSync(second.ready.key_file ?? '', 'utf8');
    expect(now).not.toBe(old);
    const url = `${second.ready.platform}/v1/runs`;
    expect(await statusOf(url, { authorization: `Bearer ${old.trim()}` })).toBe(401);
    await second.stop();
  });

  test('every file that lets in, or says where, is private; also in a folder of an older version', async () => {
    const cli = fresh();
    const data = dataOf(cli);
    await mkdir(data, { recursive: true, mode: 0o755 });
    const names = ['instance.lock', 'dashboard.lock', 'studio.lock', 'instance.pid'];
    for (const name of [...names, 'instance.json', 'instance.key']) {
      writeFileSync(path.join(data, name), '', { mode: 0o644 });
    }
    const { stop } = await serve(cli);
    expect(modeOf(data)).toBe(0o700);
    for (const name of [...names, 'instance.json', 'instance.key', 'default-project']) {
      expect([name, modeOf(path.join(data, name))]).toEqual([name, 0o600]);
    }
    await stop();
  });

  test('--open serves them without a key, on loopback only', async () => {
    const cli = fresh();
    const { ready, stop } = await serve(cli, ['--open']);
    expect(ready.key_file).toBeUndefined();
    expect(await statusOf(`${ready.platform}/v1/runs`)).toBe(200);
    expect(await statusOf(`${ready.dashboard}/api/me`)).toBe(200);
    expect(await statusOf(`${ready.studio}/api/me`)).toBe(200);
    await stop();
    const refused = await cli.run(['serve', '--open', '--host', '0.0.0.0']);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toMatch(/^specwright: --open serves this machine only[^\n]*\n$/);
  });

  test('commands of the same person find it and its key by the data folder', async () => {
    const cli = fresh();
    cli.write('greeter.yaml', GREETER);
    const { ready, stop } = await serve(cli);
    const run = await cli.run(['run', 'greeter.yaml', '-i', 'x', '--json'], {
      SERV_API_KEY: 'meant-for-another-platform',
    });
    expect([run.code, run.stderr]).toEqual([0, '']);
    const there = `${ready.platform}/v1/runs/${run.json.run_id}`;
    expect(await statusOf(there, cli.credential())).toBe(200);
    // By its address too, as a project's default_url names it.
    const named = ['runs', 'get', run.json.run_id, '--service-url', ready.platform, '--json'];
    expect((await cli.run(named)).code).toBe(0);
    // To any other address that key does not go.
    const other = await cli.run(['runs', 'list', '--service-url', ready.studio, '--json']);
    expect(other.code).toBe(1);
    const link = await cli.run(['link']);
    expect([link.code, link.stdout]).toEqual([
      0,
      expect.stringMatching(`^${ready.gateway}/sign-in\\?code=[\\w-]{43}\n$`),
    ]);
    expect((await fetch(link.stdout.trim(), { redirect: 'manual' })).status).toBe(303);
    await stop();
    expect((await cli.run(['runs', 'get', run.json.run_id, '--json'])).code).toBe(0);
    const none = await cli.run(['link']);
    expect([none.code, none.stderr.includes('No workbench runs')]).toEqual([1, true]);
  });

  test('another platform: dashboard and studio stay closed, its key comes from a file or the environment', async () => {
    const platform = fresh();
    platform.env['SERV_API_KEYS'] = 'me:the-remote-key:admin';
    const served = platform.start(['service', 'serve', '--port', '0']);
    const [url] = await once(createInterface({ input: served.stdout ?? process.stdin }), 'line');
    const cli = fresh();
    const file = cli.write('key', 'the-remote-key\n');
    const { ready, stop } = await serve(cli, ['--platform-url', url, '--platform-key-file', file]);
    expect(ready.platform).toBe(url);
    expect(await statusOf(`${ready.dashboard}/api/runs`)).toBe(401);
    const key = readFileSync(ready.key_file ?? '', 'utf8').trim();
    const own = { authorization: `Bearer ${key}` };
    expect(await statusOf(`${ready.dashboard}/api/runs`, own)).toBe(200);
    expect(await statusOf(`${url}/v1/runs`, own)).toBe(401);
    await stop();
    const both = ['--platform-key', 'x', '--platform-key-file', file];
    const refused = await cli.run(['serve', '--platform-url', url, ...both]);
    expect([refused.code, refused.stderr.includes('not both')]).toEqual([3, true]);
    for (const text of ['', 'two\nlines', 'a b']) {
      const bad = cli.write('bad', text);
      const again = await cli.run(['serve', '--platform-url', url, '--platform-key-file', bad]);
      expect([text, again.code]).toEqual([text, 3]);
    }
  });
});

describe('one service alone', { timeout: 60_000 }, () => {
  const PATHS = { service: '/v1/runs', dashboard: '/api/me', studio: '/api/me' } as const;
  const STORES = { service: 'instance', dashboard: 'dashboard', studio: 'studio' } as const;

  test.each(['service', 'dashboard', 'studio'] as const)('%s serve is closed too', async (name) => {
    const cli = fresh();
    cli.env['DASH_DEV_MODE'] = '1';
    const begin = async (words: readonly string[]) => {
      const child = cli.start([name, 'serve', '--port', '0', ...words]);
      if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      const [url] = await once(createInterface({ input: child.stdout }), 'line');
      const stop = async () => {
        child.kill('SIGTERM');
        return (await once(child, 'close'))[0];
      };
      return { url: `${url}${PATHS[name]}`, log: () => log, stop };
    };
    const closed = await begin([]);
    const file = path.join(dataOf(cli), `${STORES[name]}.key`);
    expect(await statusOf(closed.url)).toBe(401);
    expect(await statusOf(closed.url, cli.credential(STORES[name]))).toBe(200);
    expect(modeOf(file)).toBe(0o600);
    await expect.poll(() => closed.log()).toContain(file);
    expect(await closed.stop()).toBe(0);
    expect(existsSync(file)).toBe(false);
    const open = await begin(['--open']);
    expect(await statusOf(open.url)).toBe(200);
    expect(await open.stop()).toBe(0);
    const refused = await cli.run([name, 'serve', '--open', '--host', '0.0.0.0']);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/^specwright: .*(?:--open|loopback|this machine).*\n$/),
    ]);
  });

  test('a platform for other machines wants configured keys, and answers to the names it is given', async () => {
    const cli = fresh();
    const everywhere = ['service', 'serve', '--host', '0.0.0.0', '--port', '0'];
    const bare = await cli.run(everywhere);
    expect([bare.code, bare.stderr.includes('SERV_API_KEYS')]).toEqual([3, true]);
    cli.env['SERV_API_KEYS'] = 'me:the-key:admin';
    cli.env['SERV_ALLOWED_HOSTS'] = 'platform, platform.example';
    const served = cli.start([...everywhere, '--allow-host', 'word.example']);
    const [url] = await once(createInterface({ input: served.stdout ?? process.stdin }), 'line');
    const here = url.replace('0.0.0.0', '127.0.0.1');
    const key = 'Authorization: Bearer the-key';
    const ask = async (host: string) =>
      (await sendRaw(here, requestBytes('GET', '/v1/runs', [`Host: ${host}`, key]))).status;
    for (const host of [
      'platform',
      'PLATFORM.example:8000',
      'word.example',
      '192.0.2.7:8000',
      '0.0.0.0',
    ]) {
      expect([host, await ask(host)]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', 'platform.example.evil', '3221225991']) {
      expect([host, await ask(host)]).toEqual([host, 403]);
    }
    // A command of the same person finds it by its data folder.
    expect((await cli.run(['runs', 'list'], { SERV_API_KEYS: '' })).code).toBe(0);
    served.kill('SIGTERM');
    await once(served, 'close');
  });

  const NOBODY = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const;

  test.skipIf(process.getuid?.() !== 0)(
    'another user reads neither the key nor the stores, and takes no folder that is not closed to others',
    async () => {
      const cli = fresh();
      const { ready, stop } = await serve(cli);
      // What leads to the data folder is open to all, as a home folder may be.
      for (const name of ['', 'state']) chmodSync(path.join(cli.folder, name), 0o755);
      const file = ready.key_file ?? '';
      for (const [program, target] of [
        ['cat', file],
        ['cat', path.join(dataOf(cli), 'platform.db')],
        ['ls', dataOf(cli)],
      ] as const) {
        const tried = spawnSync(program, [target], NOBODY);
        expect([target, tried.status !== 0, tried.stdout]).toEqual([target, true, '']);
      }
      const script = `fetch(${JSON.stringify(`${ready.platform}/v1/runs`)}).then((r) => console.log(r.status))`;
      expect(spawnSync(process.execPath, ['-e', script], NOBODY).stdout.trim()).toBe('401');
      await stop();
      const open = path.join(cli.folder, 'open');
      await mkdir(open);
      chmodSync(open, 0o777);
      const words = [path.resolve('server/cli/index.ts'), 'serve', '--data', open];
      const env = { PATH: process.env['PATH'] ?? '', HOME: open };
      const refused = spawnSync(process.execPath, words, { ...NOBODY, env });
      expect([refused.status, refused.stderr]).toEqual([
        3,
        expect.stringContaining('closed to others'),
      ]);
    },
  );
});

describe('keys on the command line', () => {
  test('a profile takes its key from a file or standard input ', async () => {
    const cli = fresh();
    const file = cli.write('key', 'from-a-file\n');
    const set = ['config', 'profile', 'set', 'team', '--service-url', 'http://127.0.0.1:9'];
    const made = await cli.run([...set, '--api-key-file', file, '--json']);
    expect(made.json).toMatchObject({ authenticated: true });
    const kept = path.join(cli.folder, 'config/specwright/profiles.json');
    expect(readFileSync(kept, 'utf8')).not.toContain('from-a-file');
    expect(modeOf(kept)).toBe(0o600);
    expect((await cli.run([...set, '--api-key-file', cli.file('none')])).code).toBe(1);
    expect((await cli.run([...set, '--api-key', 'a', '--api-key-file', file])).code).toBe(1);
    const piped = await cli.run([...set, '--api-key-file', '-'], {}, 'from-standard-input\n');
    expect(piped.code).toBe(0);
    expect(readFileSync(kept, 'utf8')).not.toContain('from-standard-input');
    const listed = await cli.run(['secrets', 'list', '--json']);
    expect(listed.json.secrets).toMatchObject([
      { name: expect.stringMatching(/^platform:team\./), use: 'platform', state: 'ready' },
    ]);
    expect((await cli.run(['config', 'profile', 'delete', 'team'])).code).toBe(0);
    expect((await cli.run(['secrets', 'list', '--json'])).json.secrets).toEqual([]);
  }, 60_000);
});
