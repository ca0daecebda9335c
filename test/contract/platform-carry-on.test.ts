import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

// Runs that timed out, of every kind, and steps that have another name: they go on under another spec.

const FUNCTIONS = ['mark', 'hangs', 'fails'];

function specOf(workflow: object) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow,
    components: {
      functions: Object.fromEntries(
        FUNCTIONS.map((name) => [name, { implementation: `work.${name}` }]),
      ),
      humans: { person: { request_type: 'freeform' } },
    },
  };
}

const step = (id: string, ref = 'mark') => ({ id, kind: 'function', ref });

const calls: string[] = [];
const handlers = {
  'work.mark': ([input]: readonly unknown[]) => {
    calls.push(String(input));
    return `<${String(input)}>`;
  },
  'work.hangs': () => new Promise<string>(() => undefined),
  'work.fails': () => {
    throw new Error('the address is wrong');
  },
};

const KINDS = {
  sequential: (ref: string) => ({
    type: 'sequential',
    name: 'w',
    steps: [step('one'), step('two', ref), step('three')],
  }),
  concurrent: (ref: string) => ({
    type: 'concurrent',
    name: 'w',
    participants: [step('one'), step('two', ref), step('three')],
  }),
  group_chat: (ref: string) => ({
    type: 'group_chat',
    name: 'w',
    rounds: 2,
    participants: [step('one'), step('two', ref)],
  }),
  handoff: (ref: string) => ({
    type: 'handoff',
    name: 'w',
    participants: [step('one'), step('two', ref)],
    selector: { type: 'sequence', sequence: ['one', 'two', 'one'] },
  }),
  graph: (ref: string) => ({
    type: 'graph',
    name: 'w',
    start: 'one',
    nodes: { one: step('one'), two: step('two', ref), three: step('three') },
    edges: [
      { from: 'one', to: 'two' },
      { from: 'two', to: 'three' },
    ],
  }),
} as const;

/** What the steps are called with when the run goes on, and what it comes to. */
const GOES_ON = {
  sequential: { asked: ['<a>', '<<a>>'], text: '<<<a>>>' },
  concurrent: { asked: ['a'], text: '<a>' },
  group_chat: { asked: ['<a>', '<<a>>', '<<<a>>>'], text: '<<<<a>>>>' },
  handoff: { asked: ['<a>', '<<a>>'], text: '<<<a>>>' },
  graph: { asked: ['<a>', '<<a>>'], text: '<<<a>>>' },
} as const;

type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];

describe.each([false, true])('a run that stopped is carried on, thread %s', (thread) => {
  let p: TestPlatform;
  beforeAll(async () => {
    p = await startTestPlatform({ handlers, thread });
  });
  afterAll(() => p.stop());

  /** A run whose time was up while its second step hung. */
  async function timedOut(kind: Kind): Promise<string> {
    const begun = await p.post('/v1/runs', {
      ...{ input: 'a', spec: specOf(KINDS[kind]('hangs')), async_mode: true, timeout: 600 },
      metadata: { kind },
    });
    const id: string = begun.body.run_id;
    const ended = kind === 'concurrent' ? 2 : 1;
    const visited = async () => {
      const { visited_steps: steps, visited_nodes: nodes } = (await p.get(`/v1/runs/${id}`)).body;
      return steps.length + nodes.length;
    };
    await expect.poll(visited, { timeout: 20_000 }).toBe(ended);
    p.clock.skewMs += 700_000;
    await p.service.sweep();
    await p.waitFor(id, 'timed_out');
    return id;
  }

  test.each(ALL)('a %s run whose time was up goes on where it stood', async (kind) => {
    const id = await timedOut(kind);
    const before = (await p.get(`/v1/runs/${id}`)).body;
    // The contract keeps plain continue for failed runs.
    expect((await p.post(`/v1/runs/${id}/continue`, {})).status).toBe(409);
    const spec = specOf(KINDS[kind]('mark'));
    const check = await p.post(`/v1/runs/${id}/recover/check`, { spec });
    expect(check.body).toMatchObject({
      ...{ run_id: id, status: 'timed_out', masked: false, timeout_seconds: 600 },
      fit: { fits: true, repeats: 'two', again: ['two'] },
    });
    expect((await p.get(`/v1/runs/${id}`)).body).toEqual(before);
    calls.length = 0;
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(answer).toMatchObject({
      status: 200,
      body: { run_id: id, status: 'completed', output_text: GOES_ON[kind].text },
    });
    expect(calls).toEqual(GOES_ON[kind].asked);
    const run = (await p.get(`/v1/runs/${id}`)).body;
    expect(run).toMatchObject({ status: 'completed', error: null });
    // It got its whole time again.
    expect(run.deadline_at - before.deadline_at).toBeGreaterThan(600);
    expect(run.metadata.recovered).toMatchObject([{ from_status: 'timed_out', repeats: 'two' }]);
    expect(await p.service.sweep()).toMatchObject({ timed_out: 0 });
    const rows = (await p.get(`/v1/runs/${id}/checkpoints`)).body.checkpoints;
    const types = rows.map((row: Loose) => row.type);
    expect(types).toContain('run_timed_out');
    expect(types.at(-1)).toBe('run_completed');
  });

  test.each(['concurrent', 'group_chat', 'handoff'] as const)(
    'a %s run that failed goes on where it failed',
    async (kind) => {
      const spec = specOf(KINDS[kind]('fails'));
      await p.post('/v1/runs', { input: 'a', spec });
      const { body } = await p.get('/v1/runs?status=failed&sort_by=created_at&sort_order=desc');
      const id: string = body.runs[0].run_id;
      expect((await p.post(`/v1/runs/${id}/continue`, {})).status).toBe(409);
      calls.length = 0;
      const mended = specOf(KINDS[kind]('mark'));
      const answer = await p.post(`/v1/runs/${id}/recover`, { spec: mended });
      expect(answer.body).toMatchObject({ status: 'completed', output_text: GOES_ON[kind].text });
      expect(calls).toEqual(GOES_ON[kind].asked);
    },
  );

  test('a run gets another time limit, and keeps it', async () => {
    const id = await timedOut('sequential');
    const spec = specOf(KINDS.sequential('hangs'));
    const going = p.post(`/v1/runs/${id}/recover`, { spec, timeout: 5_000 });
    await p.waitFor(id, 'running');
    p.clock.skewMs += 700_000;
    await p.service.sweep();
    expect((await p.get(`/v1/runs/${id}`)).body).toMatchObject({
      ...{ status: 'running', metadata: { timeout_seconds: 5_000 } },
    });
    p.clock.skewMs += 5_000_000;
    await p.service.sweep();
    await p.waitFor(id, 'timed_out');
    await going;
    const mended = { spec: specOf(KINDS.sequential('mark')) };
    const answer = await p.post(`/v1/runs/${id}/recover`, mended);
    expect(answer.body).toMatchObject({ status: 'completed', output_text: '<<<a>>>' });
  });

  test('a step that has another name is found, or mapped by hand', async () => {
    const id = await timedOut('graph');
    const { nodes, edges, ...graph } = KINDS.graph('mark');
    const named = (one: string, two: string) =>
      specOf({
        ...graph,
        start: one,
        nodes: { [one]: step(one), [two]: step(two), three: nodes.three },
        edges: edges.map(({ from, to }) => ({
          from: from === 'one' ? one : two,
          to: to === 'two' ? two : to,
        })),
      });
    const auto = await p.post(`/v1/runs/${id}/recover/check`, { spec: named('eins', 'two') });
    expect(auto.body.fit).toMatchObject({ fits: true, renamed: { one: 'eins' }, kept: ['eins'] });
    const spec = named('eins', 'zwei');
    const both = await p.post(`/v1/runs/${id}/recover/check`, { spec });
    expect(both.body.fit).toMatchObject({
      ...{ fits: false, missing: ['one'], free: ['eins', 'zwei'] },
      misfits: [{ code: 'step_gone', step: 'one' }],
    });
    const renamed = { one: 'eins' };
    const refused = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(refused.status).toBe(409);
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec, renamed });
    expect(answer.body).toMatchObject({ status: 'completed', output_text: '<<<a>>>' });
    const run = (await p.get(`/v1/runs/${id}`)).body;
    expect(run.visited_nodes).toEqual(['eins', 'zwei', 'three']);
    expect(run.metadata.recovered).toMatchObject([{ renamed }]);
    const audit = await p.get(`/v1/audit-events?event_type=run.recovered&run_id=${id}`);
    expect(audit.body.events[0].metadata).toMatchObject({ renamed });
  });

  test('a run whose time was up while it waited for a person asks again', async () => {
    const human = { id: 'ask', kind: 'human', ref: 'person' };
    const spec = specOf({ type: 'sequential', name: 'w', steps: [step('one'), human] });
    const begun = await p.post('/v1/runs', { input: 'a', spec, timeout: 600 });
    const id: string = begun.body.run_id;
    expect(begun.body.status).toBe('blocked');
    p.clock.skewMs += 700_000;
    await p.service.sweep();
    await p.waitFor(id, 'timed_out');
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(answer.body).toMatchObject({ run_id: id, status: 'blocked' });
    const { tasks } = (await p.get(`/v1/human-tasks?run_id=${id}`)).body;
    expect(tasks).toHaveLength(1);
    const done = await p.post(`/v1/human-tasks/${tasks[0].id}/resume`, {
      ...{ request_id: tasks[0].request_id, decision: 'provided', content: 'fine' },
    });
    expect(done.body).toMatchObject({ status: 'completed', output_text: 'fine' });
  });

  test('a run of an agent alone says that it is run again', async () => {
    const nowhere = { base_url: 'http://127.0.0.1:9/v1' };
    const model = { provider: 'openai', name: 'm', timeout_seconds: 5, extra: nowhere };
    const spec = { ...specOf(KINDS.sequential('mark')), agent: { name: 'desk', model } };
    const agent = await p.post('/v1/runs', { input: 'a', spec, target: 'agent', async_mode: true });
    const id = agent.body.run_id;
    await p.waitFor(id, 'failed');
    const check = await p.post(`/v1/runs/${id}/recover/check`, { spec });
    expect(check.body.fit.misfits).toMatchObject([{ code: 'agent_alone' }]);
    const refused = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: { error: 'run_state_conflict' } },
    });
    expect(refused.body.detail.message).toContain('same input');
  });
});

describe('kill -9', () => {
  const SCRIPT = fileURLToPath(new URL('../support/fault-process.ts', import.meta.url));
  const STEPS = Array.from({ length: 40 }, (_, at) => `s${at}`);
  const KILLS = 3;
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'carry-'));
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<string> {
    const args = [SCRIPT, path.join(folder, 'platform.db'), path.join(folder, 'effects')];
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('no output');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return line.toString().trim();
  }

  async function kill(): Promise<void> {
    const gone = child === undefined ? undefined : once(child, 'exit');
    child?.kill('SIGKILL');
    await gone;
  }

  async function call(url: string, route: string, body?: unknown): Promise<Loose> {
    const answer = await fetch(`${url}${route}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer admin-key', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  }

  const effects = () =>
    readFileSync(path.join(folder, 'effects'), 'utf8').split('\n').filter(Boolean);

  /** A pipe of notes; the third step is a circle that ends at its cap, until it is mended. */
  function pipe(ids: readonly string[], broken: boolean) {
    const inner = { type: 'graph', name: 'inner', start: 'n', max_steps: 1 };
    return {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'sequential',
        name: 'pipe',
        steps: ids.map((id, at) =>
          broken && at === 2
            ? { id, kind: 'workflow', ref: 'inner' }
            : { id, kind: 'function', ref: 'note' },
        ),
      },
      components: {
        functions: { note: { implementation: 'work.note' } },
        workflows: {
          inner: {
            ...inner,
            nodes: { n: { id: 'n', kind: 'function', ref: 'note' } },
            edges: [{ from: 'n', to: 'n' }],
          },
        },
      },
    };
  }

  test('a platform that is killed while it carries a run on loses nothing, and repeats only what was in flight', async () => {
    let url = await start();
    await call(url, '/v1/runs', { input: 'x', spec: pipe(STEPS, true) });
    const [{ run_id: id, status }] = (await call(url, '/v1/runs')).runs;
    expect(status).toBe('failed');
    const before = effects();
    // Its third step has another name by now.
    const mended = pipe(STEPS.with(2, 'mended'), false);
    for (let killed = 0; killed < KILLS; killed += 1) {
      const going = call(url, `/v1/runs/${id}/recover`, { spec: mended }).catch(() => undefined);
      while (effects().length < before.length + 8 * (killed + 1)) await sleep(1);
      await kill();
      await going;
      url = await start();
      const run = await call(url, `/v1/runs/${id}`);
      expect(run.status).toBe('failed');
      expect(run.visited_steps.length).toBeGreaterThanOrEqual(8 * killed);
      expect(run.metadata.frozen_spec.base.workflow.steps[2].id).toBe('mended');
    }
    // One that is killed before the run goes on at all leaves it as it was, or ready to go on.
    const late = call(url, `/v1/runs/${id}/recover`, { spec: mended }).catch(() => undefined);
    await kill();
    await late;
    url = await start();
    const done = await call(url, `/v1/runs/${id}/recover`, { spec: mended });
    expect(done).toMatchObject({
      ...{ run_id: id, status: 'completed', output_text: `x${'.'.repeat(STEPS.length)}` },
    });
    const run = await call(url, `/v1/runs/${id}`);
    expect(run.visited_steps).toEqual(STEPS.with(2, 'mended'));
    const after = effects().slice(before.length);
    const again = after.length - new Set(after).size;
    expect(again).toBeLessThanOrEqual(KILLS + 1);
    expect(new Set(after).size).toBe(STEPS.length - 2);
  }, 120_000);
});
