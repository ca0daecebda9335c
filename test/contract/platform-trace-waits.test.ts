import { afterEach, describe, expect, test } from 'vitest';
import { fanOf } from '../performance/platform-specs.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec } from '../support/specs.ts';
import { readSse } from '../support/sse-reader.ts';

// GET /v1/runs/{id}/trace?wait_seconds=&seen= (docs/contract-notes.md): the answer follows the commit.

const platforms: TestPlatform[] = [];
afterEach(async () => {
  for (const platform of platforms.splice(0).toReversed()) await platform.stop();
});

async function start(options: Parameters<typeof startTestPlatform>[0] = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform(options);
  platforms.push(platform);
  return platform;
}

async function blocked(p: TestPlatform): Promise<Loose> {
  const { body } = await p.post('/v1/runs', { input: 'hello', spec: humanSpec() });
  await p.waitFor(body.run_id, 'blocked');
  return (await p.get(`/v1/runs/${body.run_id}`)).body;
}

async function decide(p: TestPlatform, run: Loose): Promise<void> {
  const task = await p.get(`/v1/human-tasks/${run.continuation_id}`);
  const answer = { request_id: task.body.request.id, decision: 'approved' };
  const { status } = await p.post(`/v1/human-tasks/${run.continuation_id}/resume`, answer);
  expect(status).toBe(200);
}

const traceOf = (p: TestPlatform, run: Loose, query: string) =>
  p.get(`/v1/runs/${run.run_id}/trace?${query}`);
const waited = (p: TestPlatform, run: Loose, page: Loose, seconds = 30) =>
  traceOf(
    p,
    run,
    `offset=${page.total}&wait_seconds=${seconds}&seen=${encodeURIComponent(page.cursor)}`,
  );

describe.each([
  ['of the thread that answers', false],
  ['of the execution thread', true],
])('a commit %s', (_name, thread) => {
  test('wakes who waits for the run, and nobody else', async () => {
    const p = await start({ thread });
    const [run, other] = [await blocked(p), await blocked(p)];
    const { body: page } = await traceOf(p, run, 'wait_seconds=0');
    const { body: quiet } = await traceOf(p, other, 'wait_seconds=0');
    expect(page.run_status).toBe('blocked');
    let otherIsQuiet = true;
    const rest = waited(p, other, quiet, 3).then((answer) => {
      otherIsQuiet = false;
      return answer;
    });
    const news = waited(p, run, page);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begun = performance.now();
    await decide(p, run);
    let next = (await news).body;
    expect(performance.now() - begun).toBeLessThan(2000);
    const types = next.events.map((event: Loose) => event.type);
    expect(next.cursor).not.toBe(page.cursor);
    while (next.run_status !== 'completed') {
      next = (await waited(p, run, { ...next, total: page.total })).body;
      types.push(...next.events.map((event: Loose) => event.type));
    }
    expect(types).toContain('workflow_completed');
    expect(otherIsQuiet).toBe(true);
    const late = await rest;
    expect(late.body).toMatchObject({ cursor: quiet.cursor, events: [], run_status: 'blocked' });
  });
});

test('a commit of another process on the same store is seen within a second', async () => {
  const p = await start();
  const run = await blocked(p);
  const { body: page } = await traceOf(p, run, 'wait_seconds=0');
  const second = await start({ file: p.file });
  const news = waited(p, run, page);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begun = performance.now();
  await decide(second, run);
  expect((await news).body.cursor).not.toBe(page.cursor);
  expect(performance.now() - begun).toBeLessThan(3000);
});

test('who asks for nothing new is answered as before, and what is newer than seen at once', async () => {
  const p = await start();
  const run = await blocked(p);
  const { body: plain } = await traceOf(p, run, 'limit=1');
  expect('cursor' in plain || 'run_status' in plain).toBe(false);
  const begun = performance.now();
  const { body } = await traceOf(p, run, 'wait_seconds=30&seen=old');
  expect(body.events.length).toBe(body.total);
  expect((await traceOf(p, run, 'wait_seconds=30')).body.cursor).toBe(body.cursor);
  expect(performance.now() - begun).toBeLessThan(5000);
  expect((await traceOf(p, run, 'wait_seconds=61')).status).toBe(422);
  expect((await p.get('/v1/runs/none/trace?wait_seconds=30&seen=x')).status).toBe(404);
});

test('a stop of the service ends every wait', async () => {
  const p = await start();
  const run = await blocked(p);
  const { body: page } = await traceOf(p, run, 'wait_seconds=0');
  const rest = waited(p, run, page, 60);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const begun = performance.now();
  await Promise.all([platforms.pop()?.stop(), rest]);
  expect((await rest).body.cursor).toBe(page.cursor);
  expect(performance.now() - begun).toBeLessThan(8000);
});

test('what waits is not counted towards the rate of its caller; what need not wait is', async () => {
  const p = await start({ env: { SERV_RATE_LIMIT_PER_MINUTE: '12' } });
  const { body } = await p.post('/v1/runs', { input: 'hello', spec: humanSpec() });
  const ask = (query: string) =>
    p.get(`/v1/runs/${body.run_id}/trace?${query}`, { key: 'viewer-key' });
  const { cursor, total } = (await ask('wait_seconds=0')).body;
  const wait = `offset=${total}&wait_seconds=1&seen=${encodeURIComponent(cursor)}`;
  const waits = await Promise.all(Array.from({ length: 8 }, () => ask(wait)));
  const again = await Promise.all(Array.from({ length: 8 }, () => ask(wait)));
  expect([...waits, ...again].map(({ status }) => status)).toEqual(Array(16).fill(200));
  const plain = await Promise.all(Array.from({ length: 14 }, () => ask('wait_seconds=9&seen=old')));
  expect(plain.map(({ status }) => status)).toContain(429);
});

test('a trace beyond the window is read on by `after`, as a page and as a stream', {
  timeout: 60_000,
}, async () => {
  const p = await start({ env: { SERV_TRACE_MAX_EVENTS: '10250' } });
  const spec = fanOf(5150);
  const { body: run } = await p.post('/v1/runs', { input: 'hello', spec });
  await p.waitFor(run.run_id, 'completed');
  const { body: head } = await traceOf(p, run, 'wait_seconds=0&limit=1');
  expect(head).toMatchObject({ total: 10_250, window: 10_000, complete: false, knows_after: true });
  expect(head.dropped).toBeGreaterThan(0);
  const { body: last } = await traceOf(p, run, 'offset=9990&limit=1000');
  expect(last.events).toHaveLength(10);
  const { body: on } = await traceOf(p, run, 'after=9990&limit=1000');
  expect(on.events).toHaveLength(260);
  expect(on.events.slice(0, 10)).toEqual(last.events);
  const served = await startTestDashboard({ url: p.url, apiKey: 'admin-key' });
  try {
    const stream = `${served.url}/api/runs/${run.run_id}/trace/stream`;
    const numbered = await readSse(`${stream}?after=9875`);
    await numbered.closed;
    const events = numbered.frames.filter(({ event }) => event === 'trace');
    expect(events.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 375 }, (_none, at) => 9876 + at),
    );
    expect(events.slice(-260).map(({ data }) => data.event_id)).toEqual(
      on.events.map((event: Loose) => event.event_id),
    );
    expect(numbered.frames.at(-1)?.data).toEqual({ reason: 'run_over' });
    const late = await readSse(`${stream}?after=10249`);
    await late.closed;
    expect(late.types()).toHaveLength(1);
    const shown = await fetch(`${served.url}/api/runs/${run.run_id}`);
    expect(await shown.json()).toMatchObject({
      trace_dropped: true,
      trace_dropped_count: head.dropped,
    });
  } finally {
    await served.stop();
  }
});
