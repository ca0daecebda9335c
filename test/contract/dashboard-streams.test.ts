import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec } from '../support/specs.ts';
import { readSse, type SseReader } from '../support/sse-reader.ts';

// Trace streams over a real platform that waits (contract/dashboard.md 10).

let p: TestPlatform;
let dashboard: RunningService;
const readers: SseReader[] = [];
beforeEach(async () => {
  p = await startTestPlatform({ thread: true });
  dashboard = await startTestDashboard({ url: p.url, apiKey: 'admin-key' });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await dashboard.stop();
  await p.stop();
});

async function open(run: Loose, query = '', headers: Record<string, string> = {}) {
  const url = `${dashboard.url}/api/runs/${run.run_id}/trace/stream${query}`;
  const reader = await readSse(url, headers);
  readers.push(reader);
  return reader;
}

async function blocked(): Promise<Loose> {
  const { body } = await p.post('/v1/runs', { input: 'hello', spec: humanSpec() });
  await p.waitFor(body.run_id, 'blocked');
  return (await p.get(`/v1/runs/${body.run_id}`)).body;
}

async function decide(run: Loose): Promise<void> {
  const task = await p.get(`/v1/human-tasks/${run.continuation_id}`);
  const answer = { request_id: task.body.request.id, decision: 'approved' };
  expect((await p.post(`/v1/human-tasks/${run.continuation_id}/resume`, answer)).status).toBe(200);
}

/** Reads of runs that reached the platform and were answered. */
const readsOf = (run: Loose) =>
  p.logs.filter(
    ({ message, fields }) =>
      message === 'http_request' && String(fields['path']).includes(run.run_id),
  ).length;
const isWaiting = ({ event, data }: { event: string; data: Loose }) =>
  event === 'trace' && data.type === 'human_intervention_requested';

test('an idle stream reads nothing, and a commit is at its reader at once (OD-106)', async () => {
  const run = await blocked();
  const reader = await open(run);
  await reader.until(isWaiting);
  const before = readsOf(run);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(readsOf(run)).toBe(before);
  await decide(run);
  await reader.until(({ event }) => event === 'end');
  const [row] = (await p.get(`/v1/runs/${run.run_id}/trace?limit=1000`)).body.events.slice(-1);
  const last = reader.frames.at(-2);
  expect(last?.data.type).toBe(row.type);
  const late = performance.timeOrigin + (last?.at ?? 0) - Date.parse(row.timestamp);
  // Polling would be late by up to a second.
  expect(late).toBeLessThan(400);
  expect(reader.frames.every(({ id }) => id === null)).toBe(true);
  expect(reader.frames.at(-1)?.data).toEqual({});
});

test('however many streams follow a run, it is read once', async () => {
  const run = await blocked();
  const first = await open(run, '?after=0&window_id=a');
  await first.until(isWaiting);
  const before = readsOf(run);
  const windows = ['b', 'c', 'd', 'e'];
  const more = await Promise.all(
    windows.flatMap((name) =>
      Array.from({ length: 5 }, () => open(run, `?after=0&window_id=${name}`)),
    ),
  );
  await Promise.all(more.map((reader) => reader.until(isWaiting)));
  expect(readsOf(run) - before).toBeLessThan(3);
  await decide(run);
  await Promise.all([first, ...more].map((reader) => reader.until(({ event }) => event === 'end')));
  expect(readsOf(run) - before).toBeLessThan(20);
  const [told, ...others] = [first, ...more].map(({ frames }) =>
    frames.filter(({ event }) => event !== 'run').map(({ id, event, data }) => [id, event, data]),
  );
  for (const other of others) expect(other).toEqual(told);
  expect(first.frames.at(-1)?.data).toEqual({ reason: 'run_over' });
});

test('a reader that knows ids goes on where it stopped and hears how the run stands', async () => {
  const run = await blocked();
  const whole = await open(run, '?after=0');
  await whole.until(({ event, data }) => event === 'run' && data.status === 'blocked');
  const types = whole.types();
  expect(whole.frames.slice(0, types.length).map(({ id }) => id)).toEqual(
    types.map((_type, index) => String(index + 1)),
  );
  const rest = await open(run, '?after=3');
  await rest.until(({ event }) => event === 'run');
  expect(rest.types()).toEqual(types.slice(3));
  expect(rest.frames[0]).toMatchObject({ id: '4', data: whole.frames[3]?.data });
  const again = await open(run, '', { 'last-event-id': String(types.length - 1) });
  await again.until(({ event }) => event === 'run');
  expect(again.types()).toEqual(types.slice(-1));
  whole.leave();
  rest.leave();
  again.leave();
  // A place that the platform never had, as after it was put back from a copy.
  const beyond = await open(run, '?after=9000');
  await beyond.until(({ event }) => event === 'run');
  await decide(run);
  await beyond.until(({ event }) => event === 'end');
  expect(beyond.frames[0]).toMatchObject({ event: 'run', data: { status: 'blocked' } });
  expect(beyond.frames.find(({ event }) => event === 'trace')?.id).toBe(String(types.length + 1));
  expect(beyond.types().at(-1)).toBe('workflow_completed');
});

test('the cap counts streams of one window, and of one operator where they sign in', async () => {
  const run = await blocked();
  const asked = Array.from({ length: 5 }, () => open(run, '?window_id=a'));
  await Promise.all(asked);
  expect((await open(run, '?window_id=a')).status).toBe(503);
  expect((await open(run, '?window_id=b')).status).toBe(200);
  expect((await open(run)).status).toBe(200);
  readers[0]?.leave();
  await expect.poll(async () => (await open(run, '?window_id=a')).status).toBe(200);
});

describe('a platform that', () => {
  test('stops in mid-stream is told, and the stream goes on from its place afterwards', async () => {
    const run = await blocked();
    const reader = await open(run, '?after=0');
    const { id } = await reader.until(isWaiting);
    const { file, url } = p;
    await p.service.stop();
    const lost = await reader.until(({ event }) => event === 'stream_error');
    expect(lost.data.code).toBe('upstream_error');
    const port = new URL(url).port;
    const { stop } = p;
    p = { ...(await startTestPlatform({ file, thread: true })), stop };
    expect(port).not.toBe(new URL(p.url).port);
    await dashboard.stop();
    dashboard = await startTestDashboard({ url: p.url, apiKey: 'admin-key' });
    const on = await open(run, `?after=${id}`);
    await on.until(({ event }) => event === 'run');
    await decide(run);
    await on.until(({ event }) => event === 'end');
    expect(on.frames.find(({ event }) => event === 'trace')?.id).toBe(String(Number(id) + 1));
    await p.service.stop();
  });
});
