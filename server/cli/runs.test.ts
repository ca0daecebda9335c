import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING, createCli, GREETER } from '../../test/support/cli.ts';
import { startTestPlatform, type TestPlatform } from '../../test/support/platform.ts';
import { listRuns, runResult, runStatusView } from '../contract/platform/runs.ts';

const cli = createCli();
let platform: TestPlatform;
let remote: string[];

beforeAll(async () => {
  platform = await startTestPlatform({
    specRoot: cli.file('.'),
    trusted: true,
    handlers: { 'work.hang': () => new Promise(() => setTimeout(() => undefined, 60_000)) },
  });
  remote = ['--service-url', platform.url];
  cli.env['SERV_API_KEY'] = 'admin-key';
  cli.env['SERV_CLIENT_RETRY_BACKOFF_SECONDS'] = '0.01';
  cli.write('greeter.yaml', GREETER);
  cli.write('asking.yaml', ASKING);
});
afterAll(async () => {
  await platform.stop();
  cli.dispose();
});

describe('a run on a remote platform (platform.md 13)', { timeout: 60_000 }, () => {
  test('run prints the output, and the RunResult as JSON, options before and after the path', async () => {
    const plain = await cli.run(['run', '-i', 'hi', 'greeter.yaml', ...remote]);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout.trim()).not.toBe('');
    const json = await cli.run(['run', 'greeter.yaml', '--input', 'hi', '--json', ...remote]);
    expect(json.code).toBe(0);
    expect(runResult.parse(json.json)).toMatchObject({
      status: 'completed',
      output_text: plain.stdout.trim(),
      human_intervention_required: false,
    });
  });

  test('--follow tells the steps in their order on standard error', async () => {
    const { stderr, code } = await cli.run([
      'run',
      'greeter.yaml',
      '-i',
      'x',
      '--follow',
      ...remote,
    ]);
    expect(code).toBe(0);
    const steps = stderr.split('\n').filter((line) => line.includes('run_completed'));
    expect(steps.map((line) => line.split(/ {2,}/)[3])).toEqual(['draft', 'polish']);
  });

  test('an invalid spec makes no run and exits 1; a missing input exits 2', async () => {
    cli.write(
      'bad.yaml',
      'version: v1\nagent: {name: a}\nworkflow: {type: sequential, steps: [{id: x, kind: agent, ref: nobody}]}\n',
    );
    const before = (await platform.get('/v1/runs', { key: 'admin-key' })).body.total;
    const bad = await cli.run(['run', 'bad.yaml', '-i', 'x', ...remote]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('✗');
    expect((await platform.get('/v1/runs', { key: 'admin-key' })).body.total).toBe(before);
    expect((await cli.run(['run', 'greeter.yaml', ...remote])).code).toBe(2);
  });

  test('--record and --replay ask the platform for a recording, one at a time', async () => {
    const run = (...words: string[]) =>
      cli.run(['run', 'greeter.yaml', '-i', 'x', '--json', ...words, ...remote]);
    const asked = async (...words: string[]) =>
      (await run(...words)).json.metadata.caller_metadata.recording;
    expect(await asked('--record')).toEqual({ mode: 'record' });
    expect(await asked('--record', 'first')).toEqual({ mode: 'record', name: 'first' });
    expect(await asked('--replay', 'first')).toEqual({ mode: 'replay', name: 'first' });
    expect((await run('--replay', 'first', '--record')).code).toBe(2);
  });

  test('a blocked run names the task; human get and resume answer it', async () => {
    const run = await cli.run(['run', 'asking.yaml', '-i', 'x', '--json', ...remote]);
    expect(run.code).toBe(0);
    const { run_id, continuation_id, ...result } = runResult.parse(run.json);
    expect(result).toMatchObject({ status: 'blocked', human_intervention_required: true });
    const list = await cli.run(['human', 'list', '--run', String(run_id), '--json', ...remote]);
    expect(list.json.tasks).toHaveLength(1);
    const task = await cli.run(['human', 'get', String(continuation_id), '--json', ...remote]);
    const request = task.json.request.id;
    const table = await cli.run(['human', 'list', ...remote]);
    expect(table.stdout).toContain(String(continuation_id));
    const resume = ['human', 'resume', String(continuation_id), '--request-id', request];
    expect((await cli.run([...resume, ...remote])).code).toBe(1);
    expect((await cli.run([...resume, '--approve', '--reject', ...remote])).code).toBe(1);
    const done = await cli.run([...resume, '--approve', '--json', ...remote]);
    expect(done).toMatchObject({ code: 0, json: { run_id, status: 'completed' } });
    const again = await cli.run([...resume, '--approve', ...remote]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('✗ not_found');
  });

  test.each([
    ['approval', '--approve'],
    ['correction', '--edit TEXT'],
    ['freeform', '--provide TEXT'],
    ['selection, options: [left, right]', '--select "left"'],
  ])('a run that waits for %s says how it is answered', async (type, word) => {
    cli.write('typed.yaml', ASKING.replace('request_type: approval', `request_type: ${type}`));
    const { stdout } = await cli.run(['run', 'typed.yaml', '-i', 'x', '--no-follow', ...remote]);
    expect(stdout).toMatch(/^run \S+ waits for a person: Send it\?\n {2}specwright human resume /);
    expect(stdout.trimEnd().endsWith(` ${word}`)).toBe(true);
  });

  test('human resume without --request-id is wrong usage', async () => {
    expect((await cli.run(['human', 'resume', 'x', '--approve', ...remote])).code).toBe(2);
  });

  test('runs get, trace, checkpoints, checkpoint-diff and replay print what the platform answers', async () => {
    const run = await cli.run(['run', 'greeter.yaml', '-i', 'x', '--json', ...remote]);
    const id: string = run.json.run_id;
    const json = (...words: string[]) => cli.run(['runs', ...words, '--json', ...remote]);
    expect(runStatusView.parse((await json('get', id)).json).run_id).toBe(id);
    const list = await json('list', '--status', 'completed', '--limit', '2');
    expect(listRuns.responses[200]?.parse(list.json)).toBeDefined();
    expect(list.json.runs.length).toBeLessThanOrEqual(2);
    const trace = await json('trace', id);
    expect(trace.json.events[0].type).toBe('workflow_started');
    const followed = await cli.run(['runs', 'trace', id, '--follow', '--json', ...remote]);
    const lines = followed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event_id);
    expect(lines).toEqual(trace.json.events.map((event: { event_id: string }) => event.event_id));
    const checkpoints = (await json('checkpoints', id)).json.checkpoints;
    expect(checkpoints.map((item: { sequence: number }) => item.sequence)).toEqual(
      checkpoints.map((_: unknown, index: number) => index + 1),
    );
    const diff = await json('checkpoint-diff', id, '--from-sequence', '1', '--to-sequence', '2');
    expect(diff.json).toMatchObject({
      from_checkpoint: { sequence: 1 },
      to_checkpoint: { sequence: 2 },
    });
    expect((await json('replay', id)).json.timeline.length).toBe(checkpoints.length);
    const shown = await cli.run(['runs', 'get', id, ...remote]);
    expect(shown.stdout).toMatch(/status: +completed/);
    for (const word of ['trace', 'checkpoints', 'checkpoint-diff', 'replay'])
      expect((await cli.run(['runs', word, id, ...remote])).code).toBe(0);
  });

  test('runs rerun is a new run from a checkpoint, with an edited state', async () => {
    const first = await cli.run(['run', 'greeter.yaml', '-i', 'x', '--json', ...remote]);
    const id: string = first.json.run_id;
    const rerun = (...words: string[]) =>
      cli.run(['runs', 'rerun', id, '--from-sequence', '2', '--json', ...words, ...remote]);
    const shown = await rerun('--show');
    expect(shown).toMatchObject({ code: 0, json: { run_id: id, checkpoint_sequence: 2 } });
    const again = await rerun('--input', 'edited words');
    expect(again.code).toBe(0);
    const result = runResult.parse(again.json);
    expect(result.run_id).not.toBe(id);
    expect(result.output_text).toContain('edited words');
    expect((await rerun('--next-step', 'no-such-step')).code).toBe(1);
    const bad = ['runs', 'rerun', id, '--from-sequence', 'x', ...remote];
    expect((await cli.run(bad)).code).toBe(2);
    expect((await cli.run(['runs', 'rerun', id, ...remote])).code).toBe(2);
  });

  test('an unknown run exits 1 with the code', async () => {
    for (const word of [
      'get',
      'trace',
      'checkpoints',
      'checkpoint-diff',
      'replay',
      'cancel',
      'continue',
    ]) {
      const { code, stderr } = await cli.run(['runs', word, 'no-such-run', ...remote]);
      expect([word, code, stderr.trim()]).toEqual([word, 1, '✗ not_found: Not found.']);
    }
  });

  test('Ctrl-C cancels the run', async () => {
    cli.write(
      'hanging.yaml',
      'version: v1\nagent: {name: a, system_prompt: x}\nworkflow: {type: sequential, name: hanging, steps: [{id: wait, kind: function, ref: hang}]}\ncomponents: {functions: {hang: {implementation: work.hang}}}\n',
    );
    const child = cli.start(['run', 'hanging.yaml', '-i', 'x', '--follow', ...remote]);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.once('close', resolve);
    child.stderr?.on('data', (text: Buffer) => {
      if (String(text).includes('workflow_started')) child.kill('SIGINT');
    });
    expect(await promise).toBe(1);
    const { body } = await platform.get('/v1/runs?workflow_name=hanging', { key: 'admin-key' });
    expect(body.runs[0].status).toBe('cancelled');
  });

  test('a wrong key, an unreachable platform and a platform that fails are told', async () => {
    const wrong = await cli.run(['runs', 'list', ...remote], { SERV_API_KEY: 'nonsense' });
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('✗ unauthorized');
    expect(wrong.stderr).not.toContain('nonsense');
    const nobody = await cli.run(['runs', 'list', '--service-url', 'http://127.0.0.1:1']);
    expect(nobody).toMatchObject({ code: 1, stderr: '✗ The platform could not be reached.\n' });
    const unusable = await cli.run(['runs', 'list', '--service-url', 'ftp://x']);
    expect(unusable.code).toBe(1);
  });
});

describe('policies', { timeout: 60_000 }, () => {
  test('set replaces, get and list show, preview stores nothing', async () => {
    const set = await cli.run([
      ...['policy', 'set', 'prod', '--require-human-review', '--block-code', 'W_A'],
      ...['--block-code', 'W_B', '--json', ...remote],
    ]);
    expect(set).toMatchObject({
      code: 0,
      json: {
        environment: 'prod',
        policy: {
          enabled: true,
          require_human_review: true,
          blocked_diagnostic_codes: ['W_A', 'W_B'],
        },
        previous_policy: null,
      },
    });
    cli.write('policy.yaml', 'require_guardrails: true\n');
    const preview = await cli.run([
      'policy',
      'preview',
      'prod',
      '--file',
      'policy.yaml',
      '--json',
      ...remote,
    ]);
    expect(preview.json.diff.require_guardrails).toEqual({ from: false, to: true });
    expect((await cli.run(['policy', 'preview', 'prod', '--disable', ...remote])).code).toBe(0);
    const get = await cli.run(['policy', 'get', 'prod', '--json', ...remote]);
    expect(get.json.policy.require_guardrails).toBe(false);
    expect((await cli.run(['policy', 'list', ...remote])).stdout).toContain('require_human_review');
    const blocked = await cli.run(['run', 'greeter.yaml', '-i', 'x', '--env', 'prod', ...remote]);
    expect(blocked.code).toBe(1);
    expect(blocked.stderr).toContain('E_ENV_POLICY_HUMAN_REVIEW');
    const both = await cli.run([
      'policy',
      'set',
      'prod',
      '--file',
      'policy.yaml',
      '--disable',
      ...remote,
    ]);
    expect(both.code).toBe(2);
    cli.write('policy.yaml', 'no_such_rule: true\n');
    const wrong = await cli.run(['policy', 'set', 'prod', '--file', 'policy.yaml', ...remote]);
    expect(wrong.stderr).toContain('✗ request_invalid');
  });
});

describe('spec words on a remote platform', { timeout: 60_000 }, () => {
  test('the resolved spec is sent', async () => {
    for (const word of ['validate', 'lint', 'compile', 'explain', 'graph', 'policy-report']) {
      const there = await cli.run(['spec', word, 'greeter.yaml', '--json', ...remote]);
      const here = await cli.run(['spec', word, 'greeter.yaml', '--json']);
      expect([word, there.code, there.json]).toEqual([word, here.code, here.json]);
    }
  });
});
