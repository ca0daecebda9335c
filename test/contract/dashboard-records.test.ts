// What the dashboard keeps itself, member by member, and what it writes down (dashboard.md 7, 12, 14).
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  ask,
  dashboard,
  folder,
  freshDashboards,
  get,
  NOW,
  platform,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

const names = (value: Loose) => Object.keys(value).sort();
const STAMPED = ['created_at', 'created_by', 'id', 'updated_at', 'version'];

test('notes and filters hold their members and no other (OD-030, OD-031)', async () => {
  const to = dashboard();
  const note = await send(to, 'POST', '/api/runs/r1/annotations', { body: 'n', zzz: 1 });
  expect(names(note.body)).toEqual([...STAMPED, 'body', 'run_id', 'tags'].sort());
  const filter = await send(to, 'POST', '/api/saved-filters', { name: 'n', zzz: 1 });
  expect(names(filter.body)).toEqual([...STAMPED, 'filters', 'name'].sort());
});

test('a launch has nine members, and is told to those who have its environment (OD-045, OD-090)', async () => {
  const databaseFile = path.join(folder, 'd.db');
  const admin = dashboard({ databaseFile });
  platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r1', status: 'queued' } });
  for (const environment of ['dev', 'prod']) {
    platform.on('POST /v1/runs', { body: { run_id: `r-${environment}`, status: 'queued' } });
    await send(admin, 'POST', '/api/launch/run', { spec: {}, input_text: '', environment });
  }
  await send(admin, 'PUT', '/api/settings/access/environments', {
    environments: { viewer: ['dev'] },
    version: 0,
  });
  const launches = async (role: string) => {
    const to = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: role } });
    return (await get(to, '/api/launch/history')).body.entries;
  };
  const all = await launches('admin');
  expect(all.map(names)[0]).toEqual(
    ['created_at', 'created_by', 'digest', 'environment', 'id', 'label', 'mode', 'run_id']
      .concat('spec_path')
      .sort(),
  );
  expect(all.map(({ environment }: Loose) => environment).sort()).toEqual(['dev', 'prod']);
  const seen = await launches('viewer');
  expect(seen.map(({ environment }: Loose) => environment)).toEqual(['dev']);
});

test('an answer and a policy are written down with who, what and how it went (OD-083, OD-093)', async () => {
  const to = dashboard();
  platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
  platform.on('GET /v1/policies/environment/*', {
    body: { environment: 'prod', policy: {}, previous_policy: null },
  });
  platform.on('PUT /v1/policies/environment/*', ({ body }) => ({
    body: { environment: 'prod', policy: body, previous_policy: {} },
  }));
  const resume = () => send(to, 'POST', '/api/human-tasks/c1/resume', { decision: 'approved' });
  await resume();
  platform.on('POST /v1/human-tasks/*/resume', {
    status: 409,
    body: { detail: { error: 'run_state_conflict', message: 'no' } },
  });
  await resume();
  await send(to, 'PUT', '/api/policies/prod', { enabled: true });
  const { body } = await get(to, '/api/audit-log');
  const rows = body.entries.map((entry: Loose) =>
    [entry.operator, entry.action, entry.target, entry.outcome].join(' '),
  );
  expect(rows.sort()).toEqual([
    'static-operator hitl.resume c1 error',
    'static-operator hitl.resume c1 ok',
    'static-operator policy.put prod ok',
  ]);
});

test('a policy is shown beside the one before it (OD-092)', async () => {
  platform.on('GET /v1/policies/environment/*', {
    body: {
      environment: 'e',
      policy: { enabled: true, require_guardrails: true },
      previous_policy: { enabled: true, require_guardrails: false },
    },
  });
  const { body } = await get(dashboard(), '/api/policies/e');
  expect(body).toMatchObject({
    environment: 'e',
    policy: { require_guardrails: true },
    previous_policy: { require_guardrails: false },
    diff: [{ key: 'require_guardrails', before: 'false', after: 'true' }],
  });
});

test('a connection is removed at the version that was seen (OD-128)', async () => {
  const to = dashboard();
  const at = '/api/settings/connections/dev';
  await send(to, 'PUT', at, { version: 0 });
  expect((await ask(to, 'DELETE', at)).status).toBe(422);
  expect(await ask(to, 'DELETE', `${at}?version=2`)).toMatchObject({
    status: 409,
    body: { code: 'dashboard_state_conflict' },
  });
  expect((await ask(to, 'DELETE', `${at}?version=1`)).status).toBe(204);
  expect((await ask(to, 'DELETE', `${at}?version=1`)).status).toBe(404);
  expect((await get(to, '/api/settings/connections')).body).toEqual([]);
});

test('spend reads the newest runs of its window, in five pages at most (OD-133, OD-134)', async () => {
  platform.on('GET /v1/runs', {
    body: runPage(
      Array.from({ length: 200 }, () => ({})),
      5000,
    ),
  });
  await get(dashboard(), '/api/spend?window=24h');
  expect(platform.calls).toHaveLength(5);
  expect(platform.calls.map(({ query }) => query['offset'])).toEqual([
    '0',
    '200',
    '400',
    '600',
    '800',
  ]);
  for (const { query } of platform.calls) {
    expect(query).toMatchObject({ sort_by: 'created_at', sort_order: 'desc', limit: '200' });
    expect(Date.parse(query['created_after'] ?? '')).toBe(NOW - 24 * 3_600_000);
  }
});
