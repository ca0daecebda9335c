// What operators may do where, and what is written down of it (contract/dashboard.md 3, 6, 12, 14).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  ask,
  clock,
  dashboard,
  folder,
  freshDashboards,
  get,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

const SPEC = { spec: { version: 'v1', agent: { name: 'a' } } };
const GRANTS = '/api/settings/access/environments';

/** Every operation that names an environment of its own, with what it sends. */
const IN_ENVIRONMENT: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/api/launch/load', { ...SPEC, environment: 'prod' }],
  ['POST', '/api/launch/deploy', { ...SPEC, environment: 'prod' }],
  ['POST', '/api/launch/run', { ...SPEC, input_text: 'x', environment: 'prod' }],
  ['GET', '/api/policies/prod'],
  ['PUT', '/api/policies/prod', { enabled: true }],
  ['POST', '/api/policies/prod/preview', { enabled: true }],
];

/** A dashboard whose operators may do everything but change settings, over the same store. */
async function operators(databaseFile: string) {
  const admin = dashboard({ databaseFile });
  const capabilities = {
    admin: ['settings.write'],
    operator: ['launch', 'policy.write', 'run.control'],
  };
  await send(admin, 'PUT', '/api/settings/access', { capabilities, version: 0 });
  return {
    admin,
    operator: dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'operator' } }),
  };
}

test('an environment that is not granted is refused before the platform hears of it (OD-144)', async () => {
  const { admin, operator } = await operators(path.join(folder, 'd.db'));
  await send(admin, 'PUT', GRANTS, { environments: { operator: ['dev'] }, version: 0 });
  platform.calls.length = 0;
  for (const headers of [{ 'x-kneo-env': 'dev' }, { 'x-kneo-env': 'prod' }]) {
    for (const [method, at, body] of IN_ENVIRONMENT) {
      const answer = await send(operator, method, at, body, headers);
      const isMixed = headers['x-kneo-env'] === 'dev' && at.startsWith('/api/launch');
      expect([at, answer.status, answer.body.code]).toEqual(
        isMixed ? [at, 400, 'bad_request'] : [at, 403, 'forbidden'],
      );
    }
  }
  expect(platform.calls).toEqual([]);
});

test('without grants every role may use every environment, and everybody may read them (OD-034, OD-124)', async () => {
  const { operator } = await operators(path.join(folder, 'd.db'));
  platform.on('GET /v1/policies/environment/*', {
    body: { environment: 'prod', policy: { enabled: true }, previous_policy: null },
  });
  platform.on('POST /v1/specs/explain', { body: { summary: {} } });
  const unlimited = { environments: {}, is_default: true, version: 0 };
  expect((await get(operator, GRANTS)).body).toEqual(unlimited);
  expect((await get(operator, '/api/me')).body.environments).toBeNull();
  expect((await get(operator, '/api/policies/prod')).status).toBe(200);
  const load = { ...SPEC, environment: 'prod' };
  expect((await send(operator, 'POST', '/api/launch/load', load)).status).toBe(200);
  const own = await send(operator, 'PUT', GRANTS, { environments: {}, version: 0 });
  expect([own.status, own.body.code]).toEqual([403, 'forbidden']);
});

test('six kinds of action leave who, what, where and how it went, newest first (OD-118)', async () => {
  platform.on('POST /v1/runs', { body: { run_id: 'r1', status: 'queued' } });
  platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'cancelled' }) });
  platform.on('POST /v1/runs/*/continue', { body: run() });
  platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
  const policy = { environment: 'dev', policy: {}, previous_policy: null };
  platform.on('GET /v1/policies/environment/*', { body: policy });
  platform.on('PUT /v1/policies/environment/*', { body: policy });
  const to = dashboard();
  const acts = [
    ['POST', '/api/launch/run', { ...SPEC, input_text: '' }],
    ['POST', '/api/runs/r1/cancel', undefined],
    ['POST', '/api/runs/r1/continue', undefined],
    ['POST', '/api/human-tasks/c1/resume', { decision: 'approved' }],
    ['PUT', '/api/policies/dev', {}],
    ['PUT', '/api/settings/pricing', { version: 0 }],
  ] as const;
  for (const [method, at, body] of acts) {
    clock.now += 1_000;
    expect((await send(to, method, at, body)).status).toBe(200);
  }
  const { body } = await get(to, '/api/audit-log');
  expect(
    body.entries.map(({ action, operator, outcome }: Loose) => [action, operator, outcome]),
  ).toEqual(
    ['pricing.put', 'policy.put', 'hitl.resume', 'run.continue', 'run.cancel', 'launch.run'].map(
      (action) => [expect.stringMatching(action), 'static-operator', 'ok'],
    ),
  );
});

test('launches are told newest first (OD-090)', async () => {
  const to = dashboard();
  for (const id of ['r1', 'r2', 'r3']) {
    clock.now += 1_000;
    platform.on('POST /v1/runs', { body: { run_id: id, status: 'queued' } });
    await send(to, 'POST', '/api/launch/run', { ...SPEC, input_text: id });
  }
  const { body } = await get(to, '/api/launch/history');
  expect(body.entries.map(({ run_id }: Loose) => run_id)).toEqual(['r3', 'r2', 'r1']);
});

test('DASH_SPA_DIR names the folder of the window, before the one that is bundled (OD-004)', async () => {
  const [own, bundled] = ['own', 'bundled'].map((name) => {
    const at = path.join(folder, name);
    mkdirSync(at);
    writeFileSync(path.join(at, 'index.html'), `<html><head><title>${name}</title></head></html>`);
    return at;
  });
  const to = dashboard({ spaDir: bundled ?? '', env: { DASH_SPA_DIR: own ?? '' } });
  expect((await get(to, '/runs')).body).toContain('<title>own</title>');
  const none = dashboard({ env: { DASH_SPA_DIR: path.join(folder, 'none') } });
  expect((await get(none, '/runs')).status).toBe(404);
  expect((await get(none, '/api/livez')).status).toBe(200);
});

test('no page of another origin reads anything, and no preflight lets it in (OD-017)', async () => {
  platform.on('GET /v1/runs', { body: runPage([run()]) });
  const headers = { host: 'localhost:1', origin: 'http://other.example' };
  const to = dashboard();
  for (const [method, more] of [
    ['GET', {}],
    ['OPTIONS', { 'access-control-request-method': 'POST' }],
  ] as const) {
    const answer = await ask(to, method, '/api/runs', { headers: { ...headers, ...more } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer.headers)).not.toContain('access-control-allow');
  }
});
