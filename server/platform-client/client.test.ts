import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPlatformClient, type PlatformClientOptions } from './client.ts';
import { PlatformError } from './platform-error.ts';
import { requireBoolean, requireSameRun } from './protocol.ts';
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
  expect(await built.listRuns({ status: undefined, limit: 5, q: 'a b' })).toEqual({ runs: [] });
  expect(seen[0]?.url).toBe('/base/v1/runs?limit=5&q=a+b');
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer k-1',
    'user-agent': 'test/1',
    'x-request-id': 'id-1',
  });
  expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
});

test('a POST keeps its idempotency key over three attempts with doubled delays', async () => {
  const { url, seen } = await serve([{ status: 503, body: 'x' }]);
  const { built, waits } = client(url, { authScheme: 'x-kneo-api-key' });
  const error = await failure(built.cancelRun('a/b', { idempotencyKey: 'mine' }));
  expect(error).toMatchObject({ family: 'unavailable', status: 503, requestId: 'up-1' });
  expect(seen.map((r) => r.headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine']);
  expect(seen[0]?.url).toBe('/v1/runs/a%2Fb/cancel');
  expect(seen[0]?.headers['x-kneo-api-key']).toBe('k-1');
  expect(waits).toEqual([200, 400]);
});

test('Retry-After is waited for as it stands, and above 30 s the call fails at once', async () => {
  const busy = { status: 429, body: '{"detail":{"error":"rate_limited","message":"m"}}' };
  const first = await serve([
    { ...busy, headers: { 'retry-after': '2' } },
    { status: 200, body: '{}' },
  ]);
  const patient = client(first.url);
  await patient.built.getRun('r');
  expect(patient.waits).toEqual([2000]);
  const second = await serve([{ ...busy, headers: { 'retry-after': '31' } }]);
  const error = await failure(client(second.url).built.getRun('r'));
  expect(error).toMatchObject({ family: 'rate_limited', code: 'rate_limited', retryAfter: 31 });
  expect(second.seen).toHaveLength(1);
});

test('a conflict is repeated only while the same key is in progress', async () => {
  const inProgress = await serve([
    { status: 409, body: '{"detail":{"error":"idempotency_key_in_progress","message":"m"}}' },
    { status: 200, body: '{"ok":true}' },
  ]);
  expect(await client(inProgress.url).built.createRun({})).toEqual({ ok: true });
  const other = await serve([
    { status: 409, body: '{"detail":{"error":"run_state_conflict","message":"m","run_id":"r"}}' },
  ]);
  const error = await failure(client(other.url).built.continueRun('r'));
  expect(error).toMatchObject({ code: 'run_state_conflict', details: { run_id: 'r' } });
  expect(other.seen).toHaveLength(1);
});

test('one attempt means one attempt, and a dead address is unreachable', async () => {
  const { built, waits } = client('http://127.0.0.1:1');
  expect(await failure(built.runSpec({}, { attempts: 1 }))).toMatchObject({
    family: 'unreachable',
    status: undefined,
  });
  expect(waits).toEqual([]);
});

test('a success that is no JSON object is a protocol failure', async () => {
  for (const body of ['', '<html>', '[]', 'null']) {
    const { url } = await serve([{ status: 200, body }]);
    expect(await failure(client(url).built.healthz())).toMatchObject({ family: 'protocol' });
  }
});

test('list-shaped detail of a 422 has no code and a summary of its first entry', async () => {
  const { url } = await serve([
    { status: 422, body: '{"detail":[{"loc":["query","limit"],"msg":"too big","type":"x"}]}' },
  ]);
  const error = await failure(client(url).built.listRuns({}));
  expect(error).toMatchObject({ family: 'validation', code: undefined });
  expect(error.message).toBe('query.limit: too big');
});

test('dot segments answer not found without a call', async () => {
  const { url, seen } = await serve([{ status: 200, body: '{}' }]);
  expect(await failure(client(url).built.getRun('..'))).toMatchObject({ family: 'not_found' });
  expect(seen).toHaveLength(0);
});

test('an aborted caller gets its own reason, not a platform failure', async () => {
  const { url } = await serve([{ status: 200, body: '{}' }]);
  const controller = new AbortController();
  controller.abort(new Error('left'));
  await expect(client(url).built.getRun('r', { signal: controller.signal })).rejects.toThrow(
    'left',
  );
});

test('every call is observed once with its outcome', async () => {
  const { url } = await serve([
    { status: 502, body: '' },
    { status: 200, body: '{}' },
  ]);
  const calls: string[] = [];
  const { built } = client(url, { observe: (c) => calls.push(`${c.operation} ${c.outcome}`) });
  await built.readyz();
  await failure(built.getRun(''));
  expect(calls).toEqual(['readyz success']);
});

test('Retry-After is read as seconds or as an HTTP date', () => {
  const now = Date.parse('Sat, 21 Nov 2026 00:00:00 GMT');
  expect(parseRetryAfter('1.5', now)).toBe(1.5);
  expect(parseRetryAfter('Sat, 21 Nov 2026 00:00:10 GMT', now)).toBe(10);
  expect(parseRetryAfter('soon', now)).toBeUndefined();
  expect(parseRetryAfter('-1', now)).toBeUndefined();
});

test('verdict fields must be real booleans and run ids the asked ones', () => {
  expect(requireBoolean({ ok: true }, 'ok')).toBe(true);
  expect(() => requireBoolean({ ok: 'true' }, 'ok')).toThrow(PlatformError);
  expect(() => requireBoolean({}, 'ok')).toThrow(PlatformError);
  expect(() => requireSameRun({ run_id: 'b' }, 'a')).toThrow(PlatformError);
});
