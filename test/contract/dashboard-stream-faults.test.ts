import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { dashboard, freshDashboards, platform, run } from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';
import { readSse, type SseReader } from '../support/sse-reader.ts';

// Trace streams over platforms that do not wait, or fail (contract/dashboard.md 10 and 11).

freshDashboards();
const readers: SseReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.leave();
});

type Dashboard = ReturnType<typeof dashboard>;

async function open(to: Dashboard, query = '') {
  const address = to.app.fastify.server.address();
  const url =
    typeof address === 'object' && address !== null
      ? `http://127.0.0.1:${address.port}`
      : (await to.app.listen('127.0.0.1', 0)).url;
  const reader = await readSse(`${url}/api/runs/r1/trace/stream${query}`);
  readers.push(reader);
  return reader;
}

const eventAt = (place: number, more: object = {}) => ({
  type: `step-${place}`,
  event_id: `e${place}`,
  ...more,
});
const pageOfTrace = (count: number, query: Record<string, string>, more: object = {}) => {
  const offset = Number(query['offset']);
  const length = Math.max(0, Math.min(100, count - offset));
  const events = Array.from({ length }, (_none, index) => eventAt(offset + index + 1, more));
  return { events, total: count, window: 10_000, count: length, limit: 100, offset };
};
const tracesOf = () => platform.calls.filter(({ path }) => path.endsWith('/trace'));

test('a platform that knows no waiting is polled, and asked to wait only once', async () => {
  let count = 2;
  platform.on('GET /v1/runs/*/trace', ({ query }) =>
    'wait_seconds' in query
      ? failure(400, 'unknown_query_parameters', { unknown: ['wait_seconds'] })
      : { body: pageOfTrace(count, query) },
  );
  platform.on('GET /v1/runs/r1', () => ({
    body: run({ status: count > 3 ? 'completed' : 'running' }),
  }));
  const to = dashboard();
  const [one, two] = [await open(to), await open(to, '?after=0')];
  await two.until(({ event }) => event === 'run');
  count = 3;
  await one.until(({ data }) => data.type === 'step-3');
  count = 4;
  await Promise.all([one, two].map((reader) => reader.until(({ event }) => event === 'end')));
  expect(one.types()).toEqual(['step-1', 'step-2', 'step-3', 'step-4']);
  expect(two.types()).toEqual(one.types());
  expect(tracesOf().filter(({ query }) => 'wait_seconds' in query)).toHaveLength(1);
  const statuses = two.frames.filter(({ event }) => event === 'run');
  expect(statuses.map(({ data }) => data.status)).toEqual(['running', 'completed']);
});

test('a platform that answers a wait at once is not asked in a circle', async () => {
  platform.on('GET /v1/runs/*/trace', ({ query }) => ({
    body: { ...pageOfTrace(1, query), cursor: 'same', run_status: 'running' },
  }));
  const to = dashboard();
  const reader = await open(to);
  await reader.until(({ event }) => event === 'trace');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(tracesOf().length).toBeLessThan(6);
});

test.each([
  ['503', failure(503, 'service_unavailable'), 'service_unavailable'],
  ['429', { ...failure(429, 'rate_limited'), headers: { 'retry-after': '60' } }, 'rate_limited'],
  ['401', failure(401, 'unauthorized'), 'platform_unauthorized'],
  ['text that is no JSON', { text: '<html>' }, 'upstream_error'],
  ['JSON of another shape', { body: { events: 'none' } }, 'upstream_error'],
])('%s in mid-stream ends it with a code, for each of its readers', async (_name, reply, code) => {
  let fails = false;
  platform.on('GET /v1/runs/*/trace', ({ query }) =>
    fails ? reply : { body: pageOfTrace(2, query) },
  );
  platform.on('GET /v1/runs/r1', { body: run({ status: 'running' }) });
  const to = dashboard();
  const both = [await open(to), await open(to, '?after=0')];
  await Promise.all(both.map((reader) => reader.until(({ data }) => data.type === 'step-2')));
  fails = true;
  for (const reader of both) {
    const { data } = await reader.until(({ event }) => event === 'stream_error');
    expect(data.code).toBe(code);
    if (code === 'rate_limited') expect(data.retry_after).toBe(60);
    await reader.closed;
  }
  fails = false;
  const on = await open(to, '?after=1');
  await on.until(({ data }) => data.type === 'step-2');
  expect(on.types()).toEqual(['step-2']);
  on.leave();
  await expect.poll(() => to.deps.streams.active()).toBe(0);
});

/** A connection that asks for the stream and reads nothing until it is told to. */
function stalledReader(to: Dashboard, query = '') {
  const address = to.app.fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /api/runs/r1/trace/stream${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  return socket.pause();
}

test('a reader that is slower than the run misses nothing', async () => {
  let count = 0;
  platform.on('GET /v1/runs/*/trace', ({ query }) => {
    count = Math.min(1500, count + 100);
    return {
      body: {
        ...pageOfTrace(count, query, { output_preview: 'x'.repeat(12_000) }),
        cursor: String(count),
        run_status: count < 1500 ? 'running' : 'completed',
      },
    };
  });
  const to = dashboard();
  const fast = await open(to, '?after=0');
  const slow = stalledReader(to, '?after=0');
  await fast.until(({ event }) => event === 'end');
  const late = await open(to, '?after=700');
  await late.until(({ event }) => event === 'end');
  const all = Array.from({ length: 1500 }, (_none, index) => `step-${index + 1}`);
  expect(fast.types()).toEqual(all);
  expect(late.types()).toEqual(all.slice(700));
  let text = '';
  slow.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  slow.resume();
  await expect.poll(() => text.includes('event: end'), { timeout: 60_000 }).toBe(true);
  const ids = [...text.matchAll(/(?:^|\n)id: (\d+)\r\nevent: trace/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(all.map((_type, index) => index + 1));
  slow.destroy();
});

test('readers who stand still at one trace have it read once for all of them', async () => {
  const count = 9000;
  platform.on('GET /v1/runs/*/trace', ({ query }) => ({
    body: {
      ...pageOfTrace(count, query, { output_preview: 'x'.repeat(4000) }),
      cursor: 'end',
      run_status: 'completed',
    },
  }));
  const to = dashboard({ env: { DASH_SSE_MAX_STREAMS_PER_OPERATOR: '40' } });
  await to.app.listen('127.0.0.1', 0);
  const stalled = Array.from({ length: 30 }, (_none, index) =>
    // Some stand at another place of the same page.
    stalledReader(to, `?after=${index % 3}`),
  );
  await expect.poll(() => to.deps.streams.active(), { timeout: 60_000 }).toBe(30);
  let reads = -1;
  while (reads < tracesOf().length) {
    reads = tracesOf().length;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const places = new Set(tracesOf().map(({ query }) => query['offset']));
  expect(places.size).toBeGreaterThan(3);
  // The trace itself is followed beside the pages of those who are behind it.
  expect(reads).toBeLessThanOrEqual(2 * places.size + 2);
  for (const socket of stalled) socket.destroy();
});

test('a trace beyond the window ends with that as its reason', async () => {
  platform.on('GET /v1/runs/*/trace', ({ query }) => ({
    body: { ...pageOfTrace(500, query), window: 200, cursor: 'c', run_status: 'running' },
  }));
  const to = dashboard();
  const reader = await open(to, '?after=0');
  const { data } = await reader.until(({ event }) => event === 'end');
  expect(data).toEqual({ reason: 'window' });
});

test('stalled readers are cut off without a line of error, and others go on', {
  timeout: 40_000,
}, async () => {
  const errors: unknown[] = [];
  const begun = performance.now();
  const text = 'x'.repeat(40_000);
  platform.on('GET /v1/runs/*/trace', ({ query }) => {
    const count = 500 + Math.floor((performance.now() - begun) / 50);
    return {
      body: {
        ...pageOfTrace(count, query, { output_preview: text }),
        cursor: String(count),
        run_status: 'running',
      },
    };
  });
  const to = dashboard({
    env: { DASH_SSE_SEND_TIMEOUT_SECONDS: '5', DASH_SSE_MAX_STREAMS_PER_OPERATOR: '40' },
    log: { info() {}, warn() {}, error: (...line: unknown[]) => void errors.push(line) },
  });
  const reading = await open(to, '?after=0');
  const stalled = Array.from({ length: 6 }, () => stalledReader(to));
  await expect.poll(() => to.deps.streams.active(), { timeout: 60_000 }).toBe(7);
  await expect.poll(() => to.deps.streams.active(), { timeout: 60_000 }).toBe(1);
  const seen = reading.frames.length;
  await expect.poll(() => reading.frames.length, { timeout: 60_000 }).toBeGreaterThan(seen);
  expect(errors).toEqual([]);
  for (const socket of stalled) socket.destroy();
});
