import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

// Any bytes in any place of a request are answered within a moment by a status of the contract:
// never a 500, never a hang, and nothing stays behind in memory.

let p: TestPlatform;
let operations: { method: string; path: string }[] = [];

beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', SERV_REQUEST_LOGS: 'false' },
    thread: true,
  });
  const document = (await p.get('/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item as Loose).map((method) => ({ method: method.toUpperCase(), path })),
  );
});
afterAll(() => p.stop());

const SPEC = {
  version: 'v1',
  agent: { name: 'desk', system_prompt: 'x', tools: { include: ['look'] } },
  workflow: {
    type: 'graph',
    name: 'g',
    start: 'a',
    max_steps: 9,
    nodes: { a: { id: 'a', kind: 'agent', ref: 'w' }, b: { id: 'b', kind: 'human', ref: 'h' } },
    edges: [{ from: 'a', to: 'b', condition: { type: 'output_contains', value: 'x' } }],
  },
  components: { agents: { w: { name: 'w' } }, humans: { h: { description: 'd' } } },
};

/** Replaces one member somewhere below by something else. */
function mutated(value: unknown, path: readonly number[], other: unknown): unknown {
  if (typeof value !== 'object' || value === null || path.length === 0) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const [first = 0, ...rest] = path;
  const key = keys[first % keys.length] ?? '';
  const copy: Loose = Array.isArray(value) ? [...value] : { ...value };
  if (first % 7 === 6) delete copy[key];
  else copy[key] = mutated(copy[key], rest, other);
  return copy;
}

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('__proto__', '\u0000', '../../etc/passwd', '1e999', '\ud800', 'a'.repeat(5000)),
  fc.double(),
);
const spec = fc
  .tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), strange)
  .map(([path, other]) => mutated(SPEC, path, other));
const body = fc.oneof(
  strange.map((value) => JSON.stringify(value) ?? ''),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .record({ input: strange, spec, async_mode: strange, timeout: strange }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value)),
  spec.map((value) => JSON.stringify({ input: 'x', spec: value })),
  spec.map((value) => JSON.stringify({ spec: value })),
);
const word = fc.oneof(
  fc.webQueryParameters({ size: 'small' }),
  fc.constantFrom('limit=0', 'sort_by=__proto__', 'q=%', 'q=%00', 'offset=-1', 'limit=1&limit=2'),
);
const header = fc.string({ maxLength: 300 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?'));

const SLOW_MS = 10_000;

test('no request ends in a 500 or without an answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.string({ maxLength: 30 }),
      word,
      body,
      header,
      async (at, id, query, raw, key) => {
        const operation = operations[at % operations.length] ?? { method: 'GET', path: '/' };
        const route = operation.path.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()));
        const url = `${p.url}${route}${at % 3 === 0 ? `?${query.toWellFormed()}` : ''}`;
        const response = await fetch(url, {
          method: operation.method,
          redirect: 'manual',
          signal: AbortSignal.timeout(SLOW_MS),
          headers: {
            authorization: 'Bearer admin-key',
            'idempotency-key': key,
            'x-request-id': key,
            ...(at % 5 === 0 ? {} : { 'content-type': 'application/json' }),
          },
          ...(operation.method === 'GET' ? {} : { body: raw }),
        });
        const text = await response.text();
        const told = `${operation.method} ${url} ${raw.slice(0, 500)} → ${response.status} ${text}`;
        expect(response.status === 500 ? told : '').toBe('');
      },
    ),
    { numRuns: 600, interruptAfterTimeLimit: 40_000 },
  );
  const errors = p.logs.filter(({ level }) => level === 'error');
  expect(errors).toEqual([]);
}, 90_000);

test('specs of any shape end in a status of the contract; memory does not grow with them', async () => {
  const once = async (value: unknown): Promise<void> => {
    for (const route of [
      '/v1/specs/validate',
      '/v1/specs/compile',
      '/v1/specs/graph',
      '/v1/runs',
    ]) {
      const input = route === '/v1/runs' ? { input: 'x' } : {};
      const answer = await p.post(route, { ...input, spec: value });
      const told = `${route} ${JSON.stringify(value)?.slice(0, 1500)} → ${answer.text}`;
      expect(answer.status === 500 ? told : '').toBe('');
    }
  };
  const rounds = (numRuns: number) =>
    fc.assert(fc.asyncProperty(spec, once), { numRuns, interruptAfterTimeLimit: 15_000 });
  await rounds(60);
  const before = process.memoryUsage();
  await rounds(120);
  const after = process.memoryUsage();
  expect(after.heapUsed - before.heapUsed).toBeLessThan(150 * 1024 * 1024);
}, 60_000);
