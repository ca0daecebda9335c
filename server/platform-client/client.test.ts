import { createServer, type IncomingMessage, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createRun, resumeHumanTask, runSpec } from '../contract/platform/client-routes.ts';
import { getHealthz, getLivez, getReadyz } from '../contract/platform/probes.ts';
import { cancelRun, continueRun, getRun, listRuns } from '../contract/platform/runs.ts';
import { required, requireSameRun, typedReader } from './answers.ts';
import { createPlatformClient, type PlatformClientOptions } from './client.ts';
import * as errors from './platform-error.ts';
import { PlatformError } from './platform-error.ts';
import { parseRetryAfter } from './retry.ts';

interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(replies: Reply[]): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    const reply = replies[Math.min(seen.length, replies.length) - 1]!;
    response.writeHead(reply.status, { 'x-request-id': 'up-1', ...reply.headers });
    response.end(reply.body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function client(baseUrl: string, more: Partial<PlatformClientOptions> = {}) {
  let n = 0;
  const waits: number[] = [];
  const built = createPlatformClient({
    baseUrl,
    apiKey: 'k-1',
    userAgent: 'test/1',
    newRequestId: () => `id-${++n}`,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    ...more,
  });
  return { built, waits };
}

const of = (run_id: string) => ({ params: { run_id } });

const failure = (promise: Promise<unknown>): Promise<PlatformError> =>
  promise.then(
    () => Promise.reject(new Error('expected a failure')),
    (error: unknown) => {
      if (error instanceof PlatformError) return error;
      throw error;
    },
  );

test('a GET carries key, agent and request id, and leaves unset parameters out', async () => {
  const { url, seen } = await serve([{ status: 200, body: '{"runs":[]}' }]);
  const { built } = client(`${url}/base/`);
  expect(await built.call(listRuns, { query: { status: undefined, limit: 5, q: 'a b' } })).toEqual({
    runs: [],
  });
  expect(seen[0]?.url).toBe('/base/v1/runs?limit=5&q=a+b');
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer k-1',
    'user-agent': 'test/1',
    'x-request-id': 'id-1',
  });
  expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
});

test('a POST keeps its idempotency key over three attempts with doubled delays (RP-129)', async () => {
  const { url, seen } = await serve([{ status: 503, body: 'x' }]);
  const { built, waits } = client(url, { authScheme: 'x-kneo-api-key' });
  const error = await failure(built.call(cancelRun, of('a/b'), { idempotencyKey: 'mine' }));
  expect(error).toMatchObject({ family: 'unavailable', status: 503, requestId: 'up-1' });
  expect(seen.map((r) => r.headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine']);
  expect(seen[0]?.url).toBe('/v1/runs/a%2Fb/cancel');
  expect(seen[0]?.headers['x-kneo-api-key']).toBe('k-1');
  expect(waits).toEqual([200, 400]);
});

test('Retry-After is waited for as it stands, and above 30 s the call fails at once (RP-129)', async () => {
  const busy = { status: 429, body: '{"detail":{"error":"rate_limited","message":"m"}}' };
  const first = await serve([
    { ...busy, headers: { 'retry-after': '2' } },
    { status: 200, body: '{}' },
  ]);
  const patient = client(first.url);
  await patient.built.call(getRun, of('r'));
  expect(patient.waits).toEqual([2000]);
  const second = await serve([{ ...busy, headers: { 'retry-after': '31' } }]);
  const error = await failure(client(second.url).built.call(getRun, of('r')));
  expect(error).toMatchObject({ family: 'rate_limited', code: 'rate_limited', retryAfter: 31 });
  expect(second.seen).toHaveLength(1);
});

test('a conflict is repeated only while the same key is in progress', async () => {
  const inProgress = await serve([
    { status: 409, body: '{"detail":{"error":"idempotency_key_in_progress","message":"m"}}' },
    { status: 200, body: '{"ok":true}' },
  ]);
  expect(await client(inProgress.url).built.call(createRun, { body: {} })).toEqual({ ok: true });
  const other = await serve([
    { status: 409, body: '{"detail":{"error":"run_state_conflict","message":"m","run_id":"r"}}' },
  ]);
  const error = await failure(client(other.url).built.call(continueRun, of('r')));
  expect(error).toMatchObject({ code: 'run_state_conflict', details: { run_id: 'r' } });
  expect(other.seen).toHaveLength(1);
});

test('one attempt means one attempt, and a dead address is unreachable', async () => {
  const { built, waits } = client('http://127.0.0.1:1');
  expect(await failure(built.call(runSpec, { body: {} }, { attempts: 1 }))).toMatchObject({
    family: 'unreachable',
    status: undefined,
  });
  expect(waits).toEqual([]);
});

test('a success that is no JSON object is a protocol failure (RP-128)', async () => {
  for (const body of ['', '<html>', '[]', 'null']) {
    const { url } = await serve([{ status: 200, body }]);
    expect(await failure(client(url).built.call(getHealthz))).toMatchObject({ family: 'protocol' });
  }
});

test('list-shaped detail of a 422 has no code and a summary of its first entry', async () => {
  const { url } = await serve([
    { status: 422, body: '{"detail":[{"loc":["query","limit"],"msg":"too big","type":"x"}]}' },
  ]);
  const error = await failure(client(url).built.call(listRuns));
  expect(error).toMatchObject({ family: 'validation', code: undefined });
  expect(error.message).toBe('query.limit: too big');
});

test('dot segments answer not found without a call', async () => {
  const { url, seen } = await serve([{ status: 200, body: '{}' }]);
  expect(await failure(client(url).built.call(getRun, of('..')))).toMatchObject({
    family: 'not_found',
  });
  expect(seen).toHaveLength(0);
});

test('an aborted caller gets its own reason, not a platform failure', async () => {
  const { url } = await serve([{ status: 200, body: '{}' }]);
  const controller = new AbortController();
  controller.abort(new Error('left'));
  await expect(
    client(url).built.call(getRun, of('r'), { signal: controller.signal }),
  ).rejects.toThrow('left');
});

test('every call is observed once with its outcome', async () => {
  const { url } = await serve([
    { status: 502, body: '' },
    { status: 200, body: '{}' },
  ]);
  const calls: string[] = [];
  const { built } = client(url, { observe: (c) => calls.push(`${c.operation} ${c.outcome}`) });
  await built.call(getReadyz);
  await failure(built.call(getRun, of('')));
  expect(calls).toEqual(['getReadyz success']);
});

test('an answer that the platform is asked to hold back is waited for, counted and not timed', async () => {
  const server = createServer((_request, response) => {
    setTimeout(() => response.end('{}'), 500);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls: [string, boolean][] = [];
  const { built } = client(url, {
    timeoutMs: 200,
    observe: ({ outcome, durationMs }) => calls.push([outcome, durationMs === null]),
  });
  await failure(built.call(getLivez, {}, { attempts: 1 }));
  expect(await built.call(getLivez, {}, { attempts: 1, heldMs: 5_000 })).toEqual({});
  expect(calls).toEqual([
    ['unreachable', false],
    ['stream', true],
  ]);
});

test('Retry-After is read as seconds or as an HTTP date', () => {
  const now = Date.parse('Sat, 21 Nov 2026 00:00:00 GMT');
  expect(parseRetryAfter('1.5', now)).toBe(1.5);
  expect(parseRetryAfter('Sat, 21 Nov 2026 00:00:10 GMT', now)).toBe(10);
  expect(parseRetryAfter('soon', now)).toBeUndefined();
  expect(parseRetryAfter('-1', now)).toBeUndefined();
});

test('a reader that is typed refuses another type, a missing field and another run', () => {
  const read = typedReader(z.object({ ok: z.boolean(), run_id: z.string() }));
  expect(read({ ok: true, run_id: null, more: 1 })).toEqual({ ok: true, run_id: null, more: 1 });
  expect(() => read({ ok: 'true' })).toThrow(PlatformError);
  expect(() => required(read({}).ok, 'ok')).toThrow(PlatformError);
  expect(() => requireSameRun(read({ run_id: 'b' }), 'a')).toThrow(PlatformError);
});

test('an answer of another platform is read as far as it is of the agreed types (dashboard.md 9)', async () => {
  const run = { run_id: 'r', status: 'pondering', tags: ['a', 7], trace_dropped: '3', mood: 'new' };
  const { url } = await serve([
    { status: 200, body: JSON.stringify({ runs: [run, null, 'x'], total: 1.5, count: 1 }) },
  ]);
  const answer = await client(url).built.call(listRuns);
  expect(answer).toEqual({
    runs: [
      { run_id: 'r', status: 'pondering', tags: ['a'], trace_dropped: undefined, mood: 'new' },
    ],
    total: undefined,
    count: 1,
  });
});

const FAMILIES: readonly [status: number, code: string | undefined, ErrorClass: unknown][] = [
  [400, 'spec_invalid', errors.PlatformBadRequestError],
  [401, 'unauthorized', errors.PlatformAuthError],
  [403, 'forbidden', errors.PlatformPermissionError],
  [404, 'not_found', errors.PlatformNotFoundError],
  [409, 'run_state_conflict', errors.PlatformConflictError],
  [409, 'idempotency_key_conflict', errors.PlatformIdempotencyMismatchError],
  [409, undefined, errors.PlatformIdempotencyMismatchError],
  [409, 'human_task_expired', errors.PlatformHumanTaskExpiredError],
  [413, 'payload_too_large', errors.PlatformPayloadTooLargeError],
  [422, 'request_invalid', errors.PlatformValidationError],
  [429, 'rate_limited', errors.PlatformRateLimitedError],
  [503, 'store_unavailable', errors.PlatformUnavailableError],
  [500, 'internal_error', errors.PlatformServerError],
  [502, undefined, errors.PlatformServerError],
];

test.each(FAMILIES)(
  '%s %s is an error of its own class, with body, ids and key (RP-126)',
  async (status, code, ErrorClass) => {
    const extra = { continuation_id: 'c', expires_at: 12.5, max_body_bytes: 7 };
    const detail = { ...(code === undefined ? {} : { error: code }), message: 'm', ...extra };
    const { url, seen } = await serve([{ status, body: JSON.stringify({ detail }) }]);
    const { built } = client(url);
    const error = await failure(
      built.call(createRun, { body: {} }, { idempotencyKey: ' mine ', attempts: 1 }),
    );
    expect(error.constructor).toBe(ErrorClass);
    expect(error).toMatchObject({ status, code, requestId: 'up-1', idempotencyKey: 'mine' });
    expect(error.body).toEqual({ detail });
    expect(seen[0]?.headers['idempotency-key']).toBe('mine');
    if (error instanceof errors.PlatformHumanTaskExpiredError) {
      expect([error.continuationId, error.expiresAt]).toEqual(['c', 12.5]);
    }
    if (error instanceof errors.PlatformPayloadTooLargeError) expect(error.maxBodyBytes).toBe(7);
  },
);

test('an answer without JSON, and none at all, have classes too (RP-127)', async () => {
  const { url } = await serve([{ status: 200, body: 'fine' }]);
  const odd = await failure(client(url).built.call(getLivez));
  expect(odd.constructor).toBe(errors.PlatformProtocolError);
  expect(odd.body).toBe('fine');
  const { built, waits } = client('http://127.0.0.1:9');
  const none = await failure(built.call(createRun, { body: {} }, { idempotencyKey: 'k' }));
  expect(none.constructor).toBe(errors.PlatformNetworkError);
  expect(none).toMatchObject({ idempotencyKey: 'k', status: undefined });
  expect(waits).toHaveLength(2);
});

test('a key in progress is asked for again, an expired task never (RP-130)', async () => {
  const conflict = (error: string, headers = {}) => ({
    status: 409,
    body: JSON.stringify({ detail: { error, message: 'm' } }),
    headers,
  });
  const busy = await serve([
    conflict('idempotency_key_in_progress', { 'retry-after': '1' }),
    conflict('idempotency_key_in_progress'),
    { status: 200, body: '{"run_id":"r"}' },
  ]);
  const first = client(busy.url);
  expect(await first.built.call(createRun, { body: {} })).toEqual({ run_id: 'r' });
  expect(first.waits[0]).toBe(1000);
  const keys = busy.seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
  const expired = await serve([conflict('human_task_expired', { 'retry-after': '1' })]);
  const second = client(expired.url);
  await failure(second.built.call(resumeHumanTask, { params: { continuation_id: 'c' }, body: {} }));
  expect([expired.seen.length, second.waits]).toEqual([1, []]);
});

test('a key that no platform takes is refused before anything is sent (RP-132)', async () => {
  const { url, seen } = await serve([{ status: 200, body: '{}' }]);
  const { built } = client(url);
  for (const idempotencyKey of ['', '   ', 'k'.repeat(257)]) {
    await expect(built.call(createRun, { body: {} }, { idempotencyKey })).rejects.toThrow(
      RangeError,
    );
  }
  expect(seen).toEqual([]);
  await built.call(createRun, { body: {} }, { idempotencyKey: ` ${'k'.repeat(256)} ` });
  expect(seen[0]?.headers['idempotency-key']).toBe('k'.repeat(256));
});

test('connecting and reading have a limit each; a slow answer that goes on is read (RP-133)', async () => {
  const once = { attempts: 1 } as const;
  const slow = createServer((_request, response) => {
    response.writeHead(200);
    let left = 6;
    const timer = setInterval(() => {
      response.write(left === 6 ? '{"a":"' : 'x');
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      response.end('"}');
    }, 100);
  });
  const silent = createServer((_request, response) => {
    response.writeHead(200);
    response.write('{');
  });
  servers.push(slow, silent);
  const addressOf = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const patient = client(await addressOf(slow), { timeoutMs: 400, connectTimeoutMs: 5_000 });
  expect(await patient.built.call(getLivez, {}, once)).toEqual({ a: 'xxxxx' });
  const mute = client(await addressOf(silent), { timeoutMs: 200, connectTimeoutMs: 5_000 });
  const late = await failure(mute.built.call(getLivez, {}, once));
  expect(late.message).toBe('The platform did not answer in time.');
  silent.closeAllConnections();
  // It takes the connection and never greets: TLS belongs to connecting.
  const mum = net.createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mum.listen(0, '127.0.0.1', resolve));
  const { port } = mum.address() as AddressInfo;
  const far = client(`https://127.0.0.1:${port}`, { timeoutMs: 20_000, connectTimeoutMs: 200 });
  const begun = performance.now();
  expect((await failure(far.built.call(getLivez, {}, once))).message).toBe(
    'The platform could not be reached in time.',
  );
  mum.close();
  expect(performance.now() - begun).toBeLessThan(5_000);
});
