// What the dashboard answers while its platform fails in every way that it can: each read and each
// action, the same for all (contract/dashboard.md 4, 9, 11).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, dashboard, freshDashboards, platform, send } from '../support/dashboard-world.ts';
import { type Fault, type FaultyPeer, refusal, startFaultyPeer } from '../support/faulty-peer.ts';

freshDashboards();
let peer: FaultyPeer;
beforeEach(async () => {
  peer = await startFaultyPeer(platform.url);
});
afterEach(() => peer.close());

const READS = [
  '/runs',
  '/runs?stuck_only=true',
  '/runs/error-summary',
  '/runs/r1',
  '/runs/r1/chain',
  '/runs/r1/checkpoints/diff',
  '/runs/r1/graph',
  '/runs/r1/policy-report',
  '/runs/r1/recovery',
  '/runs/r1/replay',
  '/runs/r1/trace',
  '/runs/r1/record',
  '/runs/r1/record/trace',
  '/runs/r1/record/replay',
  '/runs/r1/record/items',
  '/sessions/s1',
  '/human-tasks',
  '/human-tasks/c1',
  '/audit',
  '/policies',
  '/policies/dev',
  '/credentials',
  '/spend',
  '/activity',
  '/overview',
];
const SPEC = { spec: { version: 'v1', agent: { name: 'a' } } };
const ACTIONS: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
  ['POST', '/runs/r1/cancel', undefined],
  ['POST', '/runs/r1/continue', undefined],
  ['POST', '/human-tasks/c1/resume', { decision: 'approved', request_id: 'q' }],
  ['POST', '/launch/load', SPEC],
  ['POST', '/launch/deploy', SPEC],
  ['POST', '/launch/run', { ...SPEC, input_text: 'x' }],
  ['PUT', '/policies/dev', { enabled: true }],
  ['POST', '/policies/dev/preview', { enabled: true }],
];

const html = '<html>/srv/secret/path: Traceback, key sk-12345</html>';
const shape = (body: unknown): Fault => ({
  kind: 'answer',
  status: 200,
  body: JSON.stringify(body),
});

const FAULTS: readonly (readonly [
  name: string,
  fault: Fault | 'down',
  status: number,
  code: string,
])[] = [
  ['refuses the key', refusal(401, 'unauthorized'), 502, 'platform_unauthorized'],
  ['forbids', refusal(403, 'permission_denied'), 403, 'permission_denied'],
  ['is busy', refusal(503, 'queue_full', { 'retry-after': '60' }), 503, 'queue_full'],
  [
    'is asked too often',
    refusal(429, 'rate_limited', { 'retry-after': '60' }),
    429,
    'rate_limited',
  ],
  ['breaks', refusal(500, 'internal_error'), 500, 'internal_error'],
  ['breaks with a page', { kind: 'answer', status: 500, body: html }, 500, 'upstream_error'],
  ['sends a page', { kind: 'answer', status: 200, body: html }, 502, 'upstream_error'],
  ['sends a list', shape([]), 502, 'upstream_error'],
  ['sends half', { kind: 'answer', status: 200, body: '{"runs":[{"id":' }, 502, 'upstream_error'],
  ['redirects', { kind: 'answer', status: 302, body: '' }, 502, 'upstream_error'],
  ['breaks off', { kind: 'cut' }, 504, 'upstream_error'],
  ['does not answer', { kind: 'silent' }, 504, 'upstream_error'],
  ['is down', 'down', 504, 'upstream_error'],
];

function before(): ReturnType<typeof dashboard> {
  return dashboard({
    env: { PLATFORM_TIMEOUT: '0.5' },
    platform: { url: peer.url, apiKey: 'secret-platform-key' },
  });
}

async function misbehave(fault: Fault | 'down'): Promise<void> {
  if (fault === 'down') await peer.down();
  else peer.misbehave(fault);
}

/** Counts of tiles are null for an answer that says nothing, and no answer of it is a zero. */
const isMild = (path: string, code: string, status: number) =>
  path === '/overview' && code === 'upstream_error' && status === 502;

test.each(FAULTS)('a platform that %s', { timeout: 60_000 }, async (name, fault, status, code) => {
  await misbehave(fault);
  const to = before();
  const answers = await Promise.all(
    [...READS.map((path) => ['GET', path, undefined] as const), ...ACTIONS].map(
      async ([method, path, body]) => ({
        at: `${method} ${path}`,
        path,
        answer: await send(to, method, `/api${path}`, body),
      }),
    ),
  );
  for (const { at, path, answer } of answers) {
    if (isMild(path, code, status)) {
      expect(answer.body.tiles.map(({ value }: { value: unknown }) => value)).toEqual(
        Array.from({ length: 5 }, () => null),
      );
      continue;
    }
    expect([at, answer.status, answer.body.code]).toEqual([at, status, code]);
    expect(answer.body.request_id).toEqual(expect.any(String));
    const told = JSON.stringify(answer.body) + JSON.stringify(answer.headers);
    expect(told).not.toMatch(/sk-12345|secret-platform-key|srv\/secret|Traceback/);
    if (name.startsWith('is ') && status !== 504) {
      expect([answer.body.retry_after, answer.headers['retry-after']]).toEqual([60, '60']);
    }
  }
  // Health says so without failing, and the dashboard itself stays well.
  const health = await ask(to, 'GET', '/api/health');
  expect([health.status, health.body.probes.readyz]).toEqual([200, false]);
  expect((await ask(to, 'GET', '/api/readyz')).status).toBe(200);
});

/** What of an answer that says nothing of what was asked would be taken for "there is none". */
const TOLD_BY_LISTS = [
  '/runs',
  '/runs?stuck_only=true',
  '/runs/error-summary',
  '/runs/r1',
  '/runs/r1/chain',
  '/runs/r1/trace',
  '/sessions/s1',
  '/human-tasks',
  '/audit',
  '/policies',
  '/credentials',
  '/spend',
  '/activity',
];

test('an object that says nothing of what was asked is no empty list, and no run that started', async () => {
  await misbehave(shape({ hello: 1 }));
  const to = before();
  for (const path of TOLD_BY_LISTS) {
    const answer = await send(to, 'GET', `/api${path}`);
    expect([path, answer.status, answer.body.code]).toEqual([path, 502, 'upstream_error']);
  }
  const { body } = await send(to, 'GET', '/api/overview');
  expect(body.tiles.map(({ value }: { value: unknown }) => value)).toEqual(Array(5).fill(null));
  const launched = await send(to, 'POST', '/api/launch/run', { ...SPEC, input_text: 'x' });
  expect([launched.status, launched.body.code]).toEqual([502, 'upstream_error']);
  expect((await send(to, 'GET', '/api/launch/history')).body.entries).toEqual([]);
  const log = await send(to, 'GET', '/api/audit-log');
  expect(log.body.entries).toMatchObject([{ action: 'launch.run', outcome: 'error' }]);
});

test('a page of a list that lacks its end is told as it came, with what the platform says of the rest', async () => {
  await misbehave(
    shape({ runs: [{ run_id: 'r1', status: 'failed' }], total: 250, limit: 50, offset: 0 }),
  );
  const { body } = await send(before(), 'GET', '/api/runs');
  expect([body.rows.length, body.count, body.total]).toEqual([1, 1, 250]);
});

test('a platform that leads elsewhere is not followed, and that is what is said', async () => {
  await misbehave({ kind: 'answer', status: 307, body: '', headers: { location: '/elsewhere' } });
  const { status, body } = await send(before(), 'GET', '/api/runs');
  expect([status, body.code, body.message]).toEqual([
    502,
    'upstream_error',
    expect.stringContaining('leads elsewhere (307)'),
  ]);
  expect(body.message).not.toContain('/elsewhere');
});
