// Several nodes of the platform on one database: each with a folder of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

const nodes: TestPlatform[] = [];
let database = '';
let turn = 0;

beforeEach(() => {
  turn += 1;
  database = `/nodes/${process.pid}/${turn}`;
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

/** Ways in which nodes hear of each other. */
const NOTIFY = { SERV_DATABASE_NOTIFY: 'true', SERV_WORKER_IDLE_POLL_SECONDS: '30' };
const POLLING = { SERV_DATABASE_NOTIFY: 'false', SERV_WORKER_IDLE_POLL_SECONDS: '0.2' };

async function node(
  env: Readonly<Record<string, string>> = {},
  handlers: Record<string, (args: readonly unknown[]) => unknown> = {},
  role: 'all' | 'api' | 'worker' = 'all',
): Promise<TestPlatform> {
  const made = await startTestPlatform({
    database,
    role,
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', ...env },
    handlers,
  });
  nodes.push(made);
  return made;
}

async function queueRun(p: TestPlatform, spec: unknown = TINY, headers = {}): Promise<Loose> {
  const answer = await p.post('/v1/runs', { input: 'x', spec, async_mode: true }, { headers });
  expect(answer.status).toBe(202);
  return answer.body;
}

test('runs that are queued at once are executed once each, by both nodes (RP-009)', async () => {
  const done: string[] = [];
  const note =
    (name: string) =>
    ([input]: readonly unknown[]) => {
      done.push(`${name} ${String(input)}`);
      return new Promise((resolve) => setTimeout(() => resolve('ok'), 5));
    };
  const a = await node({ SERV_WORKER_CONCURRENCY: '2' }, { 'work.note': note('a') });
  const b = await node({ SERV_WORKER_CONCURRENCY: '2' }, { 'work.note': note('b') });
  const ids = await Promise.all(
    Array.from({ length: 60 }, async (_item, at) => {
      const body = { input: `r${at}`, spec: functionSpec('work.note'), async_mode: true };
      return (await (at % 2 === 0 ? a : b).post('/v1/runs', body)).body.run_id as string;
    }),
  );
  for (const id of ids) await a.waitFor(id, 'completed');
  expect(new Set(done.map((line) => line.slice(2))).size).toBe(ids.length);
  expect(done).toHaveLength(ids.length);
  expect(new Set(done.map((line) => line[0]))).toEqual(new Set(['a', 'b']));
}, 60_000);

describe.each([
  ['told by NOTIFY', NOTIFY],
  ['found by looking', POLLING],
])('news of another node, %s', (_how, env) => {
  test('a queued run is begun', async () => {
    const asked = await node(env, {}, 'api');
    const works = await node(env, {}, 'worker');
    // The worker has looked, and waits.
    await sleep(500);
    const run = await queueRun(asked);
    const began = performance.now();
    await asked.waitFor(run.run_id, 'completed');
    expect(performance.now() - began).toBeLessThan(3000);
    expect(works.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('who waits for a trace is told of an answer to a task', async () => {
    const [a, b] = [await node(env), await node(env)];
    const run = (await a.post('/v1/runs', { input: 'x', spec: humanSpec() })).body;
    const { body: page } = await a.get(`/v1/runs/${run.run_id}/trace?wait_seconds=0`);
    const news = a.get(
      `/v1/runs/${run.run_id}/trace?wait_seconds=20&seen=${encodeURIComponent(page.cursor)}&offset=${page.total}`,
    );
    await sleep(700);
    const began = performance.now();
    const task = await b.get(`/v1/human-tasks/${run.continuation_id}`);
    const answered = await b.post(`/v1/human-tasks/${run.continuation_id}/resume`, {
      request_id: task.body.request.id,
      decision: 'approved',
    });
    expect(answered.status).toBe(200);
    expect((await news).body.cursor).not.toBe(page.cursor);
    expect(performance.now() - began).toBeLessThan(3000);
  });

  test('a run that another node executes is cancelled at once', async () => {
    const hangs = new Promise(() => undefined);
    const handlers = { 'work.hang': () => hangs };
    const a = await node({ ...env, SERV_WORKER_LEASE_SECONDS: '3' }, handlers);
    const b = await node(env, {}, 'api');
    const run = await queueRun(a, functionSpec('work.hang'));
    await a.waitFor(run.run_id, 'running');
    const cancelled = await b.post(`/v1/runs/${run.run_id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect((await a.get(`/v1/runs/${run.run_id}`)).body.status).toBe('cancelled');
    // The worker that held it is free again.
    const other = await queueRun(a);
    await a.waitFor(other.run_id, 'completed');
  }, 30_000);
});

test('a key that one node answered is answered the same by the other', async () => {
  const [a, b] = [await node(), await node()];
  const headers = { 'idempotency-key': 'once' };
  const first = await queueRun(a, TINY, headers);
  const again = await b.post('/v1/runs', { input: 'x', spec: TINY, async_mode: true }, { headers });
  expect(again.body.run_id).toBe(first.run_id);
  expect((await b.get('/v1/runs')).body.total).toBe(1);
});

test('one node at a time sweeps, and another takes over from one that is gone', async () => {
  const a = await node();
  const b = await node();
  const stored = await openStored(database);
  const duty = () => stored.prepare<[], Loose>("SELECT * FROM locks WHERE name = 'duty'").all();
  const [first] = duty();
  expect(duty()).toHaveLength(1);
  await a.service.stop();
  await expect.poll(() => duty()[0]?.owner, { timeout: 10_000 }).not.toBe(first.owner);
  await stored.close();
  expect((await b.get('/v1/readyz', { key: null })).status).toBe(200);
}, 30_000);

describe('roles', () => {
  const answers = { 'work.it': ([input]: readonly unknown[]) => `did ${String(input)}` };
  const pair = async () => [await node({}, {}, 'api'), await node({}, answers, 'worker')] as const;

  test('a worker executes what an api node is asked for, and answers probes alone', async () => {
    const [api, worker] = await pair();
    const done = await api.post('/v1/runs', { input: 'x', spec: functionSpec('work.it') });
    expect([done.status, done.body.status]).toEqual([200, 'completed']);
    expect(done.body.output_text).toContain('did');
    const blocked = (await api.post('/v1/runs', { input: 'x', spec: humanSpec() })).body;
    expect(blocked.status).toBe('blocked');
    const at = `/v1/human-tasks/${blocked.continuation_id}`;
    const { body: task } = await api.get(at);
    const decision = { request_id: task.request.id, decision: 'approved' };
    const resumed = await api.post(`${at}/resume`, decision);
    expect([resumed.status, resumed.body.status]).toEqual([200, 'completed']);
    const begun = await worker.get('/metrics', { key: null });
    expect(begun.text).toMatch(/runs_started\S* [3-9]/);
    for (const probe of ['/healthz', '/livez', '/readyz']) {
      expect([probe, (await worker.get(probe, { key: null })).status]).toEqual([probe, 200]);
    }
    expect((await worker.get('/v1/runs')).status).toBe(404);
    expect((await worker.post('/v1/runs', { input: 'x', spec: TINY })).status).toBe(404);
  });

  test('a key of a synchronous run is answered the same by another api node', async () => {
    const [api] = await pair();
    const other = await node({}, {}, 'api');
    const headers = { 'idempotency-key': 'sync' };
    const body = { input: 'x', spec: TINY };
    const first = await api.post('/v1/runs', body, { headers });
    const again = await other.post('/v1/runs', body, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('a run that needs what the worker lacks fails and names it', async () => {
    const [api] = await pair();
    const spec = functionSpec('work.unknown');
    const queued = await api.post('/v1/runs', { input: 'x', spec, async_mode: true });
    const failed = await api.waitFor(queued.body.run_id, 'failed');
    expect(failed.body.error.type).toBe('SpecCompilationError');
    expect(JSON.stringify(failed.body.error)).toContain('work.unknown');
  });
});

test('limits of a workflow hold over all nodes', async () => {
  const state = { now: 0, most: 0 };
  const handlers = {
    'work.slow': async () => {
      state.now += 1;
      state.most = Math.max(state.most, state.now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      state.now -= 1;
      return 'ok';
    },
  };
  const env = {
    SERV_WORKFLOW_CONCURRENCY: 'pipe=2',
    SERV_WORKER_CONCURRENCY: '4',
    SERV_WORKER_IDLE_POLL_SECONDS: '0.05',
  };
  const [a, b] = [await node(env, handlers), await node(env, handlers)];
  const runs = await Promise.all(
    Array.from({ length: 12 }, (_item, at) =>
      queueRun(at % 2 === 0 ? a : b, functionSpec('work.slow')),
    ),
  );
  for (const { run_id } of runs) await a.waitFor(run_id, 'completed');
  expect(state.most).toBe(2);
}, 60_000);
