// Requirements that work and had no test of their own: each named where it is proven.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { createCli, GREETER } from '../support/cli.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec, TINY } from '../support/specs.ts';

let root: string;
let p: TestPlatform;
let models: ModelServer;

const write = (name: string, content: unknown): void => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'requirements-'));
  models = await startModelServer();
  p = await startTestPlatform({
    specRoot: root,
    handlers: {
      'sample_steps.always_fails': () => {
        throw new Error('backend offline');
      },
      'sample_steps.stamp': ([text]) => `[stamped] ${String(text)}`,
    },
  });
});
afterAll(async () => {
  await p.stop();
  await models.stop();
  rmSync(root, { recursive: true, force: true });
});

const pipe = (implementation: string): Loose => ({
  version: 'v1',
  agent: { name: 'a' },
  workflow: {
    type: 'sequential',
    name: 'w',
    steps: [{ id: 's', kind: 'function', ref: 'f' }],
  },
  components: { functions: { f: { implementation } } },
});

describe('specs with overlays, overrides and strict', () => {
  const broken = {
    workflow: { type: 'sequential', name: 'w', steps: [{ id: 's', kind: 'agent', ref: 'gone' }] },
  };

  test('RP-075 to RP-077: validate, compile and policy-report judge the layered spec', async () => {
    write('base.json', TINY);
    write('broken.json', broken);
    const mended = {
      workflow: { steps: [{ id: 's', kind: 'agent', ref: 'here' }] },
      components: { agents: { here: { name: 'here' } } },
    };
    const ask = (operation: string, more: Loose) =>
      p.post(`/v1/specs/${operation}`, { spec_path: 'base.json', ...more });
    const verdicts = async (more: Loose) => [
      (await ask('validate', more)).body.valid,
      (await ask('compile', more)).body.ok,
      (await ask('policy-report', more)).body.report.summary.workflow_count,
    ];
    expect(await verdicts({})).toEqual([true, true, 0]);
    expect(await verdicts({ overlays: ['broken.json'] })).toEqual([false, false, 1]);
    expect(await verdicts({ overlays: ['broken.json'], overrides: mended })).toEqual([
      true,
      true,
      1,
    ]);
    for (const operation of ['validate', 'compile', 'policy-report']) {
      const lenient = await ask(operation, { overlays: ['broken.json'], strict: false });
      expect([operation, lenient.status]).toEqual([operation, 200]);
      const odd = await ask(operation, { strict: 'perhaps' });
      expect([operation, odd.status, odd.body.detail.errors[0].loc]).toEqual([
        operation,
        422,
        ['body', 'strict'],
      ]);
    }
  });

  test('RP-023: overrides of a run decide what it does, and are kept with it', async () => {
    const overrides = { agent: { name: 'renamed' } };
    const made = await p.post('/v1/runs', { input: 'x', spec: TINY, overrides });
    expect(made.body.status).toBe('completed');
    const run = await p.get(`/v1/runs/${made.body.run_id}`);
    expect(run.body.agent_name).toBe('renamed');
    expect(run.body.metadata.overrides).toEqual(overrides);
    const refused = await p.post('/v1/runs', { input: 'x', spec: TINY, overrides: [] });
    expect([refused.status, refused.body.detail.errors[0].loc]).toEqual([
      422,
      ['body', 'overrides'],
    ]);
  });

  test('a file whose paths leave the tree is not valid, with every place named (golden path-escape)', async () => {
    write(
      'escape.yaml',
      `version: v1
agent: {name: root, skills: [s]}
skills: {s: {source: ../outside/skill}}
mcp_servers:
  m: {transport: http, url: "https://x.example.com", ca_bundle: ~/ca.pem}
`,
    );
    const found = await p.post('/v1/specs/validate', { spec_path: 'escape.yaml' });
    expect(found.body.valid).toBe(false);
    expect(found.body.diagnostics.map(({ code, path: at }: Loose) => [code, at]).sort()).toEqual([
      ['E_SCHEMA', 'mcp_servers.m.ca_bundle'],
      ['E_SCHEMA', 'skills.s.source'],
    ]);
    symlinkSync('/usr', path.join(root, 'linked'));
    for (const source of ['/etc', 'linked/lib']) {
      write('outside.json', { ...TINY, skills: { s: { source } } });
      const body = { spec_path: 'outside.json' };
      const at = [expect.objectContaining({ code: 'E_SCHEMA', path: 'skills.s.source' })];
      const validated = await p.post('/v1/specs/validate', body);
      expect([validated.status, validated.body.valid, validated.body.diagnostics]).toEqual([
        200,
        false,
        at,
      ]);
      expect(validated.text).not.toContain(source);
      const compiled = await p.post('/v1/specs/compile', body);
      expect([compiled.status, compiled.body.ok, compiled.body.diagnostics]).toEqual([
        200,
        false,
        at,
      ]);
      const report = await p.post('/v1/specs/policy-report', body);
      expect([report.status, report.body.valid]).toEqual([200, false]);
      const run = await p.post('/v1/runs', { input: 'x', ...body });
      expect([run.status, run.body.detail.error]).toEqual([422, 'spec_path_confined']);
      const queued = await p.post('/v1/runs', { input: 'x', ...body, async_mode: true });
      expect([queued.status, queued.body.detail.error]).toEqual([422, 'spec_path_confined']);
      expect(run.text + queued.text).not.toContain(source);
      const inline = await p.post('/v1/specs/validate', {
        spec: { ...TINY, skills: { s: { source } } },
      });
      expect([inline.status, inline.body.detail.error]).toEqual([422, 'spec_path_confined']);
    }
  });
});

test('checkpoints of graph-fallback.yaml are those of the golden (EXPECTED.md, with its "Ours") (RP-026)', async () => {
  const sample = new URL('../fixtures/specs/graph-fallback.yaml', import.meta.url);
  write('graph-fallback.yaml', readFileSync(sample, 'utf8'));
  const body = { input: 'parcel 55', spec_path: 'graph-fallback.yaml' };
  const made = await p.post('/v1/runs', body);
  expect(made.body).toMatchObject({
    status: 'completed',
    output_text: 'Final answer: [stamped] parcel 55',
  });
  const run = await p.get(`/v1/runs/${made.body.run_id}`);
  expect(run.body).toMatchObject({ error: null, visited_nodes: ['carrier', 'quote', 'apology'] });
  const { checkpoints } = (await p.get(`/v1/runs/${made.body.run_id}/checkpoints`)).body;
  const rows = checkpoints.map(({ type, node_id, iteration }: Loose) => {
    const place = node_id === null ? '' : `@${node_id}`;
    return `${type}${place}${iteration === 1 ? '' : `#${iteration}`}`;
  });
  expect(rows).toEqual([
    'run_started',
    'step_failed@carrier',
    'node_completed@carrier#2',
    'step_failed@quote',
    'node_completed@apology',
    'run_completed',
  ]);
});

test('RP-015: a request carries options, default, context and response role', async () => {
  const spec = humanSpec({
    request_type: 'selection',
    options: ['left', 'right'],
    default_option: 'right',
    context: { order: { id: 7 } },
    response_role: 'assistant',
  });
  const { body } = await p.post('/v1/runs', { input: 'x', spec });
  expect(body.metadata.request).toMatchObject({
    type: 'selection',
    options: ['left', 'right'],
    default_option: 'right',
    response_role: 'assistant',
    context: { order: { id: 7 }, input_text: expect.any(String) },
  });
});

test('RP-150: what an agent says of itself is merged over the defaults of a run, field by field', async () => {
  const desk = (model: Loose, more: Loose = {}): Loose => ({
    version: 'v1',
    agent: {
      name: 'desk',
      ...more,
      model: {
        provider: 'ollama',
        name: 'm',
        extra: { base_url: models.baseUrl('openai') },
        ...model,
      },
    },
  });
  const sent = async (spec: Loose) => {
    models.reset();
    const { body } = await p.post('/v1/runs', { input: 'x', spec });
    expect(body.status).toBe('completed');
    return models.requests.at(-1)?.body as Loose;
  };
  const plain = await sent(desk({}));
  expect(plain.temperature).toBe(0.7);
  const own = await sent(desk({ temperature: 0.1 }, { system_prompt: 'Be brief.' }));
  expect(own.temperature).toBe(0.1);
  expect(JSON.stringify(own.messages)).toContain('Be brief.');
  const zero = await sent(desk({ temperature: 0 }));
  expect(zero.temperature).toBe(0);
});

test('failed and given-up runs are counted (platform.md 11)', async () => {
  const file = path.join(root, 'counted.db');
  const env = {
    SERV_QUEUE_MAX_ATTEMPTS: '1',
    SERV_SHUTDOWN_TIMEOUT_SECONDS: '0',
    SERV_SWEEP_INTERVAL_SECONDS: '0',
  };
  const hang = { 'work.hang': () => new Promise(() => undefined) };
  const counted = async (of: TestPlatform) => {
    const { text } = await of.get('/metrics');
    return ['kneo_runs_failed_total', 'kneo_runs_dead_lettered_total'].map((series) =>
      Number(new RegExp(`^${series} (\\d+)$`, 'm').exec(text)?.[1]),
    );
  };
  const first = await startTestPlatform({ file, env, handlers: hang });
  expect(await counted(first)).toEqual([0, 0]);
  const failed = await first.post('/v1/runs', { input: 'x', spec: pipe('work.gone') });
  expect(failed.status).not.toBe(200);
  expect(await counted(first)).toEqual([1, 0]);
  const queued = await first.post('/v1/runs', {
    input: 'x',
    spec: pipe('work.hang'),
    async_mode: true,
  });
  await first.waitFor(queued.body.run_id, 'running');
  await first.service.stop();
  const second = await startTestPlatform({ file, env, handlers: hang });
  await second.waitFor(queued.body.run_id, 'failed');
  const [, deadLettered] = await counted(second);
  expect(deadLettered).toBe(1);
  await second.stop();
});

test('RP-141: without SERV_SPEC_ROOT paths are looked for in the working directory', {
  timeout: 30_000,
}, async () => {
  const cli = createCli();
  try {
    cli.write('greeter.yaml', GREETER);
    cli.env['SERV_API_KEYS'] = 'me:the-key:admin';
    const served = cli.start(['service', 'serve', '--port', '0']);
    let text = '';
    for await (const chunk of served.stdout ?? []) {
      text += String(chunk);
      if (text.includes('\n')) break;
    }
    const address = /https?:\/\/[\w.:[\]]+/.exec(text)?.[0];
    const ask = async (spec_path: string) => {
      const answer = await fetch(`${address}/v1/specs/validate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer the-key' },
        body: JSON.stringify({ spec_path }),
      });
      return (await answer.json()) as Loose;
    };
    expect(await ask('greeter.yaml')).toMatchObject({ valid: true });
    expect((await ask(path.join(cli.folder, 'config'))).detail.error).toBe('spec_path_confined');
    served.kill('SIGTERM');
    await once(served, 'exit');
  } finally {
    cli.dispose();
  }
});

describe('PUT and DELETE of the dashboard', () => {
  let dashboard: RunningService;
  beforeAll(async () => {
    dashboard = await startTestDashboard(
      { url: p.url },
      { databaseFile: path.join(root, 'dashboard.db') },
    );
  });
  afterAll(() => dashboard.stop());

  async function ask(method: string, route: string, body?: Loose) {
    const answer = await fetch(`${dashboard.url}/api${route}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: text === '' ? undefined : JSON.parse(text) };
  }

  interface Kind {
    readonly name: string;
    readonly list: string;
    readonly missing: string;
    make(n: number): Promise<{ id: string; row: string }>;
    change(version: number): Loose;
    changed: Loose;
  }
  const KINDS: readonly Kind[] = [
    {
      name: 'saved filters (OD-064, OD-065)',
      list: '/saved-filters',
      missing: '/saved-filters/none',
      make: async (n) => {
        const { body } = await ask('POST', '/saved-filters', { name: `f${n}`, filters: { n } });
        return { id: body.id, row: `/saved-filters/${body.id}` };
      },
      change: (version) => ({ name: 'new', filters: { a: 1 }, version }),
      changed: { name: 'new', filters: { a: 1 }, version: 2 },
    },
    {
      name: 'annotations (OD-060, OD-061)',
      list: '/runs/r1/annotations',
      missing: '/annotations/none',
      make: async (n) => {
        const { body } = await ask('POST', '/runs/r1/annotations', { body: `note ${n}` });
        return { id: body.id, row: `/annotations/${body.id}` };
      },
      change: (version) => ({ body: 'new', tags: ['t'], version }),
      changed: { body: 'new', tags: ['t'], version: 2 },
    },
  ];

  test.for(KINDS)(
    '$name: PUT replaces one row by its version, DELETE removes it alone',
    async (kind) => {
      const [one, other] = [await kind.make(1), await kind.make(2)];
      const listed = async () => (await ask('GET', kind.list)).body as Loose[];
      const untouched = (await listed()).find(({ id }) => id === other.id);
      expect((await ask('PUT', kind.missing, kind.change(1))).status).toBe(404);
      expect((await ask('PUT', one.row, kind.change(7))).status).toBe(409);
      expect((await ask('PUT', one.row, kind.change(1))).status).toBe(200);
      expect((await ask('PUT', one.row, kind.change(1))).body.code).toBe(
        'dashboard_state_conflict',
      );
      expect((await listed()).find(({ id }) => id === one.id)).toMatchObject(kind.changed);
      expect((await ask('DELETE', `${kind.missing}?version=1`)).status).toBe(404);
      expect((await ask('DELETE', `${one.row}?version=1`)).status).toBe(409);
      expect((await listed()).map(({ id }) => id)).toContain(one.id);
      expect(await ask('DELETE', `${one.row}?version=2`)).toMatchObject({ status: 204, text: '' });
      expect((await ask('DELETE', `${one.row}?version=2`)).status).toBe(404);
      expect((await ask('PUT', one.row, kind.change(2))).status).toBe(404);
      expect((await listed()).filter(({ id }) => id === one.id)).toEqual([]);
      expect((await listed()).find(({ id }) => id === other.id)).toEqual(untouched);
    },
  );
});
