import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ASKING, type Cli, createCli, GREETER } from '../../test/support/cli.ts';

const made: Cli[] = [];
function fresh(): Cli {
  const cli = createCli();
  made.push(cli);
  cli.write('greeter.yaml', GREETER);
  cli.write('asking.yaml', ASKING);
  return cli;
}
afterAll(() => {
  for (const cli of made) cli.dispose();
});

async function firstLine(child: ReturnType<Cli['start']>): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

describe('the platform of this computer, in process (platform.md 13)', { timeout: 60_000 }, () => {
  test('a run, its task and its answer, from command to command', async () => {
    const cli = fresh();
    const run = await cli.run(['run', 'asking.yaml', '-i', 'hello']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const [, task, request] = /human resume (\S+) --request-id (\S+)/.exec(run.stdout) ?? [];
    const done = await cli.run([
      'human',
      'resume',
      String(task),
      '--request-id',
      String(request),
      '--approve',
      '--json',
    ]);
    expect(done).toMatchObject({ code: 0, json: { status: 'completed' } });
    const list = await cli.run(['runs', 'list', '--json']);
    expect(list.json.runs[0]).toMatchObject({ status: 'completed', workflow_name: 'asking' });
    const other = await cli.run([
      'runs',
      'list',
      '--json',
      '--data',
      path.join(cli.folder, 'other'),
    ]);
    expect(other.json.runs).toEqual([]);
  });

  test('commands on one store wait for one another', async () => {
    const cli = fresh();
    const runs = await Promise.all(
      ['a', 'b', 'c'].map((input) => cli.run(['run', 'greeter.yaml', '-i', input])),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await cli.run(['runs', 'list', '--json'])).json.total).toBe(3);
  });

  test('looking at runs executes none of the queued ones', async () => {
    const cli = fresh();
    const served = cli.start(['service', 'serve', '--port', '0']);
    const url = await firstLine(served);
    const body = JSON.stringify({
      input: 'x',
      spec: { version: 'v1', agent: { name: 'a' } },
      async_mode: true,
    });
    const post = (): Promise<Response> =>
      fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { ...cli.credential(), 'content-type': 'application/json' },
        body,
      });
    const answers = await Promise.all(Array.from({ length: 200 }, post));
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    served.kill('SIGKILL');
    await once(served, 'close');
    const queued = async () =>
      (await cli.run(['runs', 'list', '--status', 'queued', '--json'])).json.total;
    const before = await queued();
    expect(await queued()).toBe(before);
  });

  test('a platform that serves the data folder is used', async () => {
    const cli = fresh();
    const served = cli.start(['service', 'serve', '--port', '0']);
    const url = await firstLine(served);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const run = await cli.run(['run', 'greeter.yaml', '-i', 'x', '--json']);
    expect(run.code).toBe(0);
    const there = `${url}/v1/runs/${run.json.run_id}`;
    expect((await fetch(there)).status).toBe(401);
    expect((await fetch(there, { headers: cli.credential() })).status).toBe(200);
    const sweep = await cli.run(['service', 'sweep']);
    expect(sweep.code).toBe(1);
    expect(sweep.stderr).toContain(url);
    const second = await cli.run(['service', 'serve', '--port', '0']);
    expect(second.code).toBe(3);
    served.kill('SIGTERM');
    expect(await once(served, 'close')).toEqual([0, null]);
    expect((await cli.run(['service', 'sweep'])).code).toBe(0);
  });

  test('one whose key cannot be read is told of, unless there is another', async () => {
    const cli = fresh();
    cli.env['SERV_API_KEYS'] = 'me:the-key:admin';
    const served = cli.start(['service', 'serve', '--port', '0']);
    await firstLine(served);
    expect((await cli.run(['runs', 'list'])).code).toBe(0);
    rmSync(path.join(cli.folder, 'state/specwright/instance.key'));
    const without = await cli.run(['runs', 'list']);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('wants a key');
    expect((await cli.run(['runs', 'list'], { SERV_API_KEY: 'the-key' })).code).toBe(0);
    served.kill('SIGTERM');
    await once(served, 'close');
  });

  test('sweep and retention print their counts', async () => {
    const cli = fresh();
    expect((await cli.run(['service', 'sweep', '--json'])).json).toEqual({
      timed_out: 0,
      expired: 0,
      continued: 0,
      escalated: 0,
      dead_lettered: 0,
      failed: 0,
    });
    await cli.run(['run', 'greeter.yaml', '-i', 'x']);
    const old = { SERV_RETENTION_RUNS_DAYS: '0' };
    const dry = await cli.run(['service', 'retention', '--dry-run', '--json'], old);
    expect(dry.json).toMatchObject({ runs: 1 });
    expect((await cli.run(['runs', 'list', '--json'], old)).json.total).toBe(1);
    expect((await cli.run(['service', 'retention', '--json'], old)).json).toMatchObject({
      runs: 1,
    });
    expect((await cli.run(['runs', 'list', '--json'])).json.total).toBe(0);
    const bad = await cli.run(['service', 'retention'], { SERV_RETENTION_RUN_STATUSES: 'running' });
    expect(bad).toMatchObject({ code: 1 });
    expect(
      (
        await cli.run(['service', 'sweep'], {
          SERV_CLIENT_TIMEOUT: 'x',
          SERV_WORKER_CONCURRENCY: 'x',
        })
      ).code,
    ).toBe(1);
  });

  test('the order of connections: profile, --service-url, project, active profile', async () => {
    const cli = fresh();
    const url = (n: number): string => `http://127.0.0.1:${n}`;
    const fails = async (words: string[], more = {}) =>
      (await cli.run(['runs', 'list', ...words], { SERV_CLIENT_RETRIES: '0', ...more })).code;
    expect(await fails([])).toBe(0);
    await cli.run(['config', 'profile', 'set', 'p', '--service-url', url(1)]);
    expect(await fails([])).toBe(1);
    expect(await fails(['--data', path.join(cli.folder, 'd')])).toBe(0);
    const served = cli.start(['service', 'serve', '--port', '0']);
    const real = await firstLine(served);
    expect(await fails(['--service-url', real])).toBe(0);
    expect(await fails(['--profile', 'p', '--service-url', real])).toBe(0);
    expect(await fails(['--profile', 'p'])).toBe(1);
    cli.write('.specwright/config.yaml', `service: {default_url: "${real}"}\n`);
    expect(await fails([])).toBe(0);
    expect(await fails(['--profile', 'no-such'])).toBe(1);
    served.kill('SIGTERM');
    await once(served, 'close');
  });
});

describe('services alone', { timeout: 60_000 }, () => {
  test('dashboard and studio serve beside one another on one data folder, without that word too (OD-006)', async () => {
    const cli = fresh();
    const env = { ...cli.env };
    cli.env['DASH_DEV_MODE'] = '1';
    const [dashboard, studio] = ['dashboard', 'studio'].map((name) =>
      cli.start([name, ...(name === 'studio' ? ['serve'] : []), '--port', '0']),
    );
    if (dashboard === undefined || studio === undefined) throw new Error('not started');
    const [one, two] = await Promise.all([firstLine(dashboard), firstLine(studio)]);
    expect((await fetch(`${one}/api/livez`)).status).toBe(200);
    expect((await fetch(`${two}/api/readyz`)).status).toBe(200);
    const again = await cli.run(['studio', '--port', '0']);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain('uses the data folder');
    dashboard.kill('SIGTERM');
    studio.kill('SIGTERM');
    expect((await Promise.all([once(dashboard, 'close'), once(studio, 'close')])).flat()).toEqual([
      0,
      null,
      0,
      null,
    ]);
    expect(env['DASH_DEV_MODE']).toBeUndefined();
    const refused = await cli.run(['dashboard', 'serve'], { DASH_DEV_MODE: '' });
    expect(refused.code).toBe(3);
  });

  test('studio keys', async () => {
    const cli = fresh();
    const keys = (word: string) => cli.run(['studio', 'keys', word, '--json']);
    expect((await keys('status')).json).toMatchObject({ state: 'uninitialized', key_ids: [] });
    const made = await keys('init');
    expect(made).toMatchObject({ code: 0, json: { state: 'stable', source: 'file' } });
    expect((await keys('status')).json).toEqual(made.json);
    expect((await keys('init')).code).toBe(1);
    const half = await cli.run(['studio', 'keys', 'status'], { STUDIO_ANALYSIS_KEYS: 'x' });
    expect([half.code, half.stderr.slice(0, 12)]).toEqual([2, 'specwright: ']);
  });

  test('what is not built says so', async () => {
    const cli = fresh();
    for (const words of [['studio', 'keys', 'rewrite']]) {
      const { code, stderr } = await cli.run(words);
      expect([code, stderr.startsWith(`✗ not_implemented: "specwright ${words[0]}`)]).toEqual([
        1,
        true,
      ]);
    }
  });
});

describe('the program itself', { timeout: 60_000 }, () => {
  test('--version, -V and --help', async () => {
    const cli = fresh();
    for (const word of ['--version', '-V']) {
      expect((await cli.run([word])).stdout).toMatch(/^specwright \d+\.\d+\.\d+\n$/);
    }
    expect((await cli.run(['--help'])).code).toBe(0);
    expect((await cli.run(['spec'])).code).toBe(2);
    const unknown = await cli.run(['rusn']);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toBe("✗ unknown command 'rusn'\n(Did you mean one of run, runs?)\n");
  });

  test.each(['bash', 'zsh', 'fish'])('completion for %s', async (shell) => {
    const cli = fresh();
    const script = await cli.run(['completion', shell]);
    expect(script.code).toBe(0);
    expect(script.stdout).toContain('specwright');
    const syntax = spawnSync(shell, ['-n'], { input: script.stdout });
    if (syntax.error === undefined) expect([shell, syntax.status]).toEqual([shell, 0]);
  });

  test('completion knows words and options; an unknown shell is wrong usage', async () => {
    const cli = fresh();
    const suggest = async (...words: string[]) =>
      (await cli.run(['complete', '--', ...words])).stdout;
    expect(await suggest('runs', 'check')).toContain('checkpoint-diff');
    expect(await suggest('run', '--ser')).toContain('--service-url');
    expect((await cli.run(['completion', 'tcsh'])).code).toBe(2);
  });

  test('no colours without a terminal', async () => {
    const cli = fresh();
    cli.write('bad.yaml', 'version: v1\n');
    const { stdout, stderr } = await cli.run(['spec', 'validate', 'bad.yaml']);
    expect(stdout + stderr).not.toContain('\u001b');
  });
});
