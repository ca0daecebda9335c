import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { openStored } from '../support/stored.ts';

// One clock in all threads, whatever happens to it: the tests move it.

const HOUR = 3_600_000;
const calls: string[] = [];
let release = (): void => undefined;
let p: TestPlatform;

beforeEach(async () => {
  calls.length = 0;
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  p = await startTestPlatform({
    thread: true,
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', SERV_WORKER_CONCURRENCY: '2' },
    handlers: {
      'work.wait': async ([input]) => {
        calls.push(String(input));
        await held.promise;
        return `${String(input)}!`;
      },
    },
  });
});
afterEach(async () => {
  release();
  await p.stop();
});

function specOf(step: {
  readonly kind: string;
  readonly ref: string;
  readonly timeout_seconds?: number;
}) {
  const functions = { wait: { implementation: 'work.wait' } };
  const humans = { check: { request_type: 'approval', timeout_seconds: 3600 } };
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: { type: 'sequential', steps: [{ id: 's', ...step }] },
    components: step.kind === 'human' ? { humans } : { functions },
  };
}
const waiting = specOf({ kind: 'function', ref: 'wait' });
const asking = specOf({ kind: 'human', ref: 'check' });

async function queue(spec: unknown, more: object = {}): Promise<string> {
  const { body } = await p.post('/v1/runs', { spec, input: 'x', async_mode: true, ...more });
  return body.run_id;
}

async function untilCalled(): Promise<void> {
  while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

function inOrder(run: Loose): void {
  expect(run.created_at <= run.started_at).toBe(true);
  expect(run.started_at <= run.completed_at).toBe(true);
  expect(run.completed_at <= run.updated_at).toBe(true);
}

test('a task of an hour made in the execution thread expires after an hour of the clock, not before', async () => {
  p.clock.skewMs = 5 * HOUR;
  const id = await queue(asking);
  const { body } = await p.waitFor(id, 'blocked');
  const { body: task } = await p.get(`/v1/human-tasks/${body.continuation_id}`);
  const left = task.expires_at - (Date.now() + 5 * HOUR) / 1000;
  expect(left).toBeGreaterThan(3500);
  expect(left).toBeLessThanOrEqual(3600);
  p.clock.skewMs += 12_000;
  expect(await p.service.sweep()).toMatchObject({ expired: 0 });
  p.clock.skewMs += HOUR;
  expect(await p.service.sweep()).toMatchObject({ expired: 1 });
  inOrder((await p.get(`/v1/runs/${id}`)).body);
}, 30_000);

test.each([
  ['back', -HOUR],
  ['forward', HOUR],
])(
  'the clock is set %s while a run runs: its moments stay in order',
  async (_way, step) => {
    const id = await queue(waiting);
    await untilCalled();
    p.clock.skewMs += step;
    release();
    const { body } = await p.waitFor(id, 'completed');
    inOrder(body);
    const { events } = (await p.get(`/v1/runs/${id}/trace`)).body;
    const times = events.map((event: Loose) => event.timestamp);
    expect(times).toEqual([...times].sort());
    const { checkpoints } = (await p.get(`/v1/runs/${id}/checkpoints`)).body;
    const made = checkpoints.map((item: Loose) => item.created_at);
    expect(made).toEqual([...made].sort());
  },
  30_000,
);

test('the deadline of a run passes in spite of a clock that is set back', async () => {
  const late = await queue(waiting, { timeout: 8 });
  await untilCalled();
  await p.service.sweep();
  p.clock.skewMs -= HOUR;
  await p.service.sweep();
  expect((await p.get(`/v1/runs/${late}`)).body.status).toBe('running');
  await new Promise((resolve) => setTimeout(resolve, 8200));
  expect(await p.service.sweep()).toMatchObject({ timed_out: 1 });
  const { body } = await p.get(`/v1/runs/${late}`);
  expect(body.status).toBe('timed_out');
  inOrder(body);
}, 30_000);

test.each([
  ['set back', -HOUR, 900, 5000],
  ['set forward, or the machine sleeps', HOUR, 0, 2500],
])(
  'a step ends at its time limit when the clock is %s',
  async (_what, step, least, most) => {
    const id = await queue(specOf({ kind: 'function', ref: 'wait', timeout_seconds: 3 }));
    await untilCalled();
    const from = performance.now();
    p.clock.skewMs += step;
    await p.waitFor(id, 'failed');
    const took = performance.now() - from;
    expect(took).toBeGreaterThanOrEqual(least);
    if (step > 0) expect(took).toBeLessThan(most);
  },
  30_000,
);

test('leases that ran out while the machine slept take no run from who executes it', async () => {
  const id = await queue(waiting);
  await untilCalled();
  const db = await openStored(p.file);
  db.prepare('UPDATE run_queue SET lease_expires_at = 1').run();
  p.clock.skewMs += HOUR;
  // The second worker of the thread looks for work meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const lease = db.prepare(
    `SELECT lease_expires_at > ${onPostgres ? 'extract(epoch FROM now())' : 'unixepoch()'} AS holds, attempts
     FROM run_queue`,
  );
  expect(lease.get()).toEqual({ holds: 1, attempts: 1 });
  await db.close();
  release();
  await p.waitFor(id, 'completed');
  expect(calls).toEqual(['x']);
}, 30_000);

test('what was queued before the clock was set back is executed', async () => {
  const first = await queue(waiting);
  await queue(waiting);
  await untilCalled();
  const db = await openStored(p.file);
  const third = await queue(waiting);
  db.prepare(
    "UPDATE run_queue SET available_at = available_at + 3600 WHERE status = 'queued'",
  ).run();
  await db.close();
  await p.service.sweep();
  release();
  for (const id of [first, third]) await p.waitFor(id, 'completed');
}, 30_000);

let folder: string | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  if (child !== undefined) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = undefined;
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

test('a real process over hours of sleep: tasks, runs and their moments follow the clock', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clock-'));
  const entry = fileURLToPath(new URL('../support/limits-process.ts', import.meta.url));
  const settings = JSON.stringify({ SERV_SWEEP_INTERVAL_SECONDS: '0.2' });
  const words = [entry, path.join(folder, 'platform.db'), settings, folder];
  const started = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  child = started;
  const [url] = await once(started.stdout, 'data');
  const headers = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };
  const call = async (method: string, route: string, body?: unknown): Promise<Loose> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${String(url).trim()}${route}`, { method, headers, ...sent });
    return answer.json();
  };
  const until = async (id: string, status: string): Promise<Loose> => {
    for (;;) {
      const run = await call('GET', `/v1/runs/${id}`);
      if (run.status === status) return run;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const ask = async (): Promise<string> =>
    (await call('POST', '/v1/runs', { spec: asking, input: 'x', async_mode: true })).run_id;
  const before = await ask();
  await until(before, 'blocked');
  started.stdin.write(`${12 * HOUR}\n`);
  inOrder(await until(before, 'expired'));
  // The thread that executes was started before the sleep; what it makes now is of now.
  const after = await ask();
  await until(after, 'blocked');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const run = await call('GET', `/v1/runs/${after}`);
  expect(run.status).toBe('blocked');
  expect(run.started_at >= run.created_at).toBe(true);
  const done = await call('POST', `/v1/runs/${after}/continue`, {});
  expect(done.status).toBe('completed');
  inOrder(await call('GET', `/v1/runs/${after}`));
}, 60_000);
