import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import { onPostgres } from '../support/chosen-store.ts';
import {
  ask,
  dashboard,
  folder,
  freshDashboards,
  get,
  NOW,
  open,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

describe('local state', () => {
  test('45-46 annotations (OD-030, OD-058 to OD-061, OD-050, OD-139, OD-155, OD-156)', async () => {
    const to = dashboard();
    const at = '/api/runs/r1/annotations';
    expect((await send(to, 'POST', at, { body: '' })).status).toBe(422);
    expect((await send(to, 'POST', at, { body: 'x'.repeat(10_001) })).status).toBe(422);
    const tags = (list: string[]) => send(to, 'POST', at, { body: 'x', tags: list });
    expect((await tags(Array.from({ length: 65 }, () => 't'))).status).toBe(422);
    expect((await tags(['t'.repeat(101)])).status).toBe(422);
    const made = await send(to, 'POST', at, { body: 'note', tags: ['a'], extra: 1 });
    expect(made).toMatchObject({
      status: 201,
      body: { run_id: 'r1', body: 'note', tags: ['a'], created_by: 'static-operator', version: 1 },
    });
    const row = `/api/annotations/${made.body.id}`;
    const changed = await send(to, 'PUT', row, { body: 'new', version: 1 });
    expect(changed.body).toMatchObject({ tags: [], version: 2 });
    expect(await send(to, 'PUT', row, { body: 'new', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'dashboard_state_conflict' },
    });
    expect((await send(to, 'PUT', row, { body: 'new', version: 0 })).status).toBe(422);
    expect((await send(to, 'PUT', '/api/annotations/no', { body: 'n', version: 1 })).status).toBe(
      404,
    );
    expect((await ask(to, 'DELETE', row)).status).toBe(422);
    expect((await ask(to, 'DELETE', `${row}?version=1`)).status).toBe(409);
    const gone = await ask(to, 'DELETE', `${row}?version=2`);
    expect(gone).toMatchObject({ status: 204, body: '' });
    expect((await get(to, at)).body).toEqual([]);
  });

  test('47 saved filters (OD-031, OD-062 to OD-065)', async () => {
    const to = dashboard();
    const blob = (bytes: number) => ({ k: 'x'.repeat(bytes - '{"k":""}'.length) });
    const make = (name: string, filters: unknown) =>
      send(to, 'POST', '/api/saved-filters', { name, filters });
    expect((await make('big', blob(16_385))).status).toBe(422);
    expect((await make('b', blob(16_384))).status).toBe(201);
    expect((await make('a', {})).status).toBe(201);
    expect((await make('a', {})).status).toBe(201);
    const { body } = await get(to, '/api/saved-filters');
    expect(body.map((row: Loose) => row.name)).toEqual(['a', 'a', 'b']);
  });

  test('48, 51, 52, 74 connections, grants and the active environment (OD-032, OD-126 to OD-128, OD-144, OD-147, OD-154)', async () => {
    platform.on('GET /v1/runs', { body: runPage([]) });
    platform.on('GET /v1/policies/environment', {
      body: { policies: { prod: {}, dev: { enabled: false } }, count: 2 },
    });
    platform.on('GET /v1/policies/environment/*', {
      body: { environment: 'x', policy: null, previous_policy: null },
    });
    const databaseFile = path.join(folder, 'd.db');
    const admin = dashboard({ databaseFile });
    const put = (env: string, body: object) =>
      send(admin, 'PUT', `/api/settings/connections/${env}`, body);
    expect((await get(admin, '/api/runs', { 'x-kneo-env': 'any' })).status).toBe(200);
    expect((await put('dev', { version: 0, profile: '' })).body).toMatchObject({
      env: 'dev',
      profile: null,
      label: '',
      version: 1,
    });
    expect((await put('dev', { version: 0 })).status).toBe(409);
    expect((await put('none', { version: 1 })).status).toBe(404);
    await put('prod', { version: 0 });
    expect(await get(admin, '/api/runs', { 'x-kneo-env': 'any' })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    expect((await get(admin, '/api/runs?env=any')).status).toBe(400);
    expect((await get(admin, '/api/runs?env=any', { 'x-kneo-env': 'dev' })).status).toBe(200);
    expect((await get(admin, '/api/runs?env=dev')).status).toBe(200);
    const grants = await send(admin, 'PUT', '/api/settings/access/environments', {
      environments: { viewer: ['dev'] },
      version: 0,
    });
    expect(grants.body).toEqual({
      environments: { viewer: ['dev'] },
      is_default: false,
      version: 1,
    });
    const viewer = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
    expect((await get(viewer, '/api/runs')).status).toBe(403);
    expect((await get(viewer, '/api/runs?env=prod')).status).toBe(403);
    expect((await get(viewer, '/api/runs?env=dev')).status).toBe(200);
    expect((await get(viewer, '/api/me')).body.environments).toEqual(['dev']);
    const visible = await get(viewer, '/api/settings/connections');
    expect(visible.body.map((row: Loose) => row.env)).toEqual(['dev']);
    expect((await get(viewer, '/api/policies/prod?env=dev')).status).toBe(403);
    expect((await get(viewer, '/api/policies?env=dev')).body.rows).toEqual([
      { environment: 'dev', enabled: false },
    ]);
    expect((await get(admin, '/api/runs?env=prod')).status).toBe(200);
    expect((await ask(admin, 'DELETE', '/api/settings/connections/dev?version=1')).status).toBe(
      204,
    );
  });

  test('an environment marked as production stays so until somebody says otherwise (OD-126)', async () => {
    const admin = dashboard();
    const put = async (body: object) =>
      (await send(admin, 'PUT', '/api/settings/connections/prod', body)).body.production;
    expect(await put({ version: 0 })).toBe(false);
    expect(await put({ version: 1, production: true })).toBe(true);
    // A client that knows nothing of the mark takes it from nobody.
    expect(await put({ version: 2, label: 'Live' })).toBe(true);
    expect((await get(admin, '/api/settings/connections')).body).toMatchObject([
      { env: 'prod', label: 'Live', production: true },
    ]);
    expect(await put({ version: 3, production: false })).toBe(false);
  });

  test('49 the access map (OD-033, OD-121, OD-122)', async () => {
    const to = dashboard();
    const put = (capabilities: object, version = 0) =>
      send(to, 'PUT', '/api/settings/access', { capabilities, version });
    expect((await get(to, '/api/settings/access')).body).toMatchObject({
      is_default: true,
      version: 0,
    });
    expect((await put({ root: [] })).status).toBe(400);
    expect((await put({ admin: ['settings.write', 'fly'] })).status).toBe(400);
    expect((await put({ admin: ['launch'] })).status).toBe(400);
    const stored = await put({ admin: ['settings.write', 'audit.read'] });
    expect(stored.body).toEqual({
      capabilities: { viewer: [], operator: [], admin: ['audit.read', 'settings.write'] },
      is_default: false,
      version: 1,
    });
    expect((await send(to, 'POST', '/api/launch/load', {})).status).toBe(403);
    expect((await put({ admin: ['settings.write'] })).status).toBe(409);
    expect((await put({ admin: ['settings.write'] }, 1)).body.version).toBe(2);
  });

  test('53 prices (OD-037, OD-131, OD-132)', async () => {
    const to = dashboard();
    const put = (body: object) => send(to, 'PUT', '/api/settings/pricing', body);
    expect(await put({ blended_per_1k: -1, version: 0 })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    expect((await put({ blended_per_1k: 'Infinity', version: 0 })).status).toBe(400);
    const huge = await ask(to, 'PUT', '/api/settings/pricing', {
      headers: { 'content-type': 'application/json' },
      payload: '{"blended_per_1k":1e999,"version":0}',
    });
    expect(huge.status).toBe(400);
    expect((await put({ blended_per_1k: 'x', version: 0 })).status).toBe(422);
    expect((await put({ blended_per_1k: 0, version: 0 })).body).toEqual({
      blended_per_1k: 0,
      currency: 'USD',
      is_default: false,
      version: 1,
    });
    expect((await put({ version: 1 })).body.blended_per_1k).toBeNull();
    expect((await put({ version: 1 })).status).toBe(409);
  });

  test('preferences belong to the operator and are audited (OD-036, OD-129, OD-130, OD-050)', async () => {
    const to = dashboard();
    expect((await get(to, '/api/settings/preferences')).body).toEqual({
      preferences: {},
      is_default: true,
      version: 0,
    });
    await send(to, 'PUT', '/api/settings/preferences', {
      preferences: { theme: 'dark' },
      version: 0,
    });
    expect((await get(to, '/api/settings/preferences')).body).toMatchObject({
      preferences: { theme: 'dark' },
      version: 1,
    });
    const { body } = await get(to, '/api/audit-log');
    expect(body.entries[0]).toMatchObject({
      action: 'settings.preferences.put',
      target: 'static-operator',
    });
  });

  test('54 spend (OD-039, OD-133 to OD-137, OD-055)', async () => {
    const to = dashboard();
    expect(await get(to, '/api/spend?window=1y')).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    platform.on('GET /v1/runs', {
      body: runPage(
        Array.from({ length: 200 }, (_, i) =>
          run({ metadata: { usage: { total_tokens: i === 0 ? -5 : 10 } } }),
        ),
        1001,
      ),
    });
    expect((await get(to, '/api/spend')).body).toEqual({
      window: '7d',
      total_cost_usd: null,
      currency: 'USD',
      counted: 1000,
      scanned: 1000,
      total: 1001,
      truncated: true,
      priced: false,
      approximate: false,
    });
    await send(to, 'PUT', '/api/settings/pricing', {
      blended_per_1k: 1,
      currency: 'EUR',
      version: 0,
    });
    expect((await get(to, '/api/spend?window=24h')).body).toMatchObject({
      total_cost_usd: 9.95,
      currency: 'EUR',
      priced: true,
      approximate: true,
    });
  });

  test('55 policies: full replace, textual diff, preview persists nothing (OD-091 to OD-094)', async () => {
    const stored = { enabled: true, blocked_diagnostic_codes: ['A', 'B'], custom: 1 };
    platform.on('GET /v1/policies/environment/*', {
      body: { environment: 'e', policy: stored, previous_policy: null },
    });
    platform.on('PUT /v1/policies/environment/*', ({ body }) => ({
      body: { environment: 'e', policy: body, previous_policy: stored },
    }));
    platform.on('POST /v1/policies/environment/*/preview', {
      body: { affected_run_ids: ['r1', 'r2'] },
    });
    const to = dashboard();
    const preview = await send(to, 'POST', '/api/policies/e/preview', {
      require_guardrails: true,
      blocked_diagnostic_codes: [],
    });
    expect(preview.body).toMatchObject({ affected_run_ids: ['r1', 'r2'], affected_count: 2 });
    expect(preview.body.diff).toContainEqual({
      key: 'blocked_diagnostic_codes',
      before: 'A, B',
      after: '(none)',
    });
    expect(platform.calls.some((call) => call.method === 'PUT')).toBe(false);
    const put = await send(to, 'PUT', '/api/policies/e', {
      enabled: false,
      fail_on_warnings: 'yes',
    });
    expect(Object.keys(put.body.policy)).toHaveLength(7);
    expect(put.body.policy).toMatchObject({ enabled: false, fail_on_warnings: true });
    expect(put.body.diff[0]).toEqual({ key: 'enabled', before: 'true', after: 'false' });
  });

  test('56 credentials never carry a value (OD-048, OD-074)', async () => {
    platform.on('GET /v1/security/credentials', {
      body: {
        inventory: {
          providers: { openai: { env_var: 'OPENAI_API_KEY', present: true, value: 'sk-1' } },
          service_tokens: { SERV: { name: 'service:SERV', present: false } },
        },
      },
    });
    const { body } = await get(dashboard(), '/api/credentials');
    expect(body).toMatchObject({ present_count: 1, missing_count: 1 });
    expect(body.sections.map((row: Loose) => row.section)).toEqual(['providers', 'service_tokens']);
    expect(body.sections[0].entries[0]).toMatchObject({ name: 'openai', status: 'present' });
    expect(JSON.stringify(body)).not.toMatch(/value|sk-1/);
  });

  test('62 in recovery only the five paths answer', async () => {
    const to = dashboard();
    await to.deps.db
      .insertInto('recovery')
      .values({ id: 1, entered_at: toTimestamp(NOW), reason: 'test' })
      .execute();
    expect((await get(to, '/api/livez')).status).toBe(200);
    expect((await get(to, '/api/readyz')).status).toBe(503);
    expect((await get(to, '/api/healthz')).status).toBe(200);
    for (const url of ['/api/me', '/api/runs', '/api/settings/access']) {
      expect(await get(to, url)).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable' },
      });
    }
    expect((await send(to, 'POST', '/api/logout')).status).toBe(503);
  });

  // Only a file has a counter beside it.
  describe.skipIf(onPostgres)('63 a store that was put back is locked down at start', () => {
    const sidecar = () => `${path.join(folder, 'd.db')}.generation`;
    const restart = async (before?: () => void): Promise<boolean> => {
      for (const one of open.splice(0)) await one.close();
      before?.();
      const to = dashboard({ databaseFile: path.join(folder, 'd.db') });
      return (await get(to, '/api/healthz')).body.checks.recovery_mode;
    };

    test('a first start and plain restarts count up in the store and beside it', async () => {
      for (const n of [1, 2, 3]) {
        expect(await restart()).toBe(false);
        expect(readFileSync(sidecar(), 'utf8')).toBe(`${n}\n`);
        const row = await open[0]?.deps.db
          .selectFrom('config')
          .select('value')
          .where('namespace', '=', 'meta')
          .where('key', '=', 'db_generation')
          .executeTakeFirst();
        expect(row).toEqual({ value: `{"n":${n}}` });
      }
      expect(statSync(sidecar()).mode & 0o777).toBe(0o600);
    });

    test.each([
      ['an older file', () => writeFileSync(sidecar(), '7\n')],
      ['no file beside it', () => rmSync(sidecar())],
      ['no counter in the file', () => writeFileSync(sidecar(), 'x')],
      ['a counter of nothing', () => writeFileSync(sidecar(), '0')],
    ])('%s', async (_what, spoil) => {
      await restart();
      expect(await restart(spoil)).toBe(true);
      expect(await restart()).toBe(true);
      const map = await open[0]?.deps.db
        .selectFrom('config')
        .select(['value', 'version'])
        .where('namespace', '=', 'access')
        .execute();
      expect(map).toEqual([
        { value: '{"viewer":[],"operator":[],"admin":["settings.write"]}', version: 1 },
      ]);
    });

    test('a row that was lost', async () => {
      await restart();
      await open[0]?.deps.db.deleteFrom('config').execute();
      expect(await restart()).toBe(true);
    });

    test('a start that was killed between both counters is no restore', async () => {
      await restart();
      expect(await restart(() => renameSync(sidecar(), `${sidecar()}.new`))).toBe(false);
      expect(readFileSync(sidecar(), 'utf8')).toBe('2\n');
    });
  });

  test('71 a store that cannot be written changes no answer (OD-118)', async () => {
    platform.on('POST /v1/runs', { body: { run_id: 'r1', status: 'queued' } });
    const to = dashboard();
    await to.deps.db.schema.dropTable('audit_log').execute();
    await to.deps.db.schema.dropTable('launches').execute();
    platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'cancelled' }) });
    platform.on('POST /v1/runs/*/continue', { body: run() });
    platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
    const policy = { environment: 'e', policy: {}, previous_policy: null };
    platform.on('GET /v1/policies/environment/*', { body: policy });
    platform.on('PUT /v1/policies/environment/*', { body: policy });
    const acts = [
      ['POST', '/api/launch/run', { spec: {}, input_text: '' }],
      ['POST', '/api/runs/r1/cancel', undefined],
      ['POST', '/api/runs/r1/continue', undefined],
      ['POST', '/api/human-tasks/c1/resume', { decision: 'approved' }],
      ['PUT', '/api/policies/e', {}],
      ['PUT', '/api/settings/pricing', { version: 0 }],
    ] as const;
    for (const [method, url, body] of acts) {
      expect([url, (await send(to, method, url, body)).status]).toEqual([url, 200]);
    }
  });

  test('13, 73 static mode has no sign-in; signing out clears the cookie', async () => {
    const to = dashboard();
    expect((await get(to, '/api/login')).status).toBe(404);
    expect((await get(to, '/api/callback?code=x')).status).toBe(404);
    const out = await send(to, 'POST', '/api/logout');
    expect(out).toMatchObject({ status: 200, body: { status: 'logged_out' } });
    expect(out.headers['set-cookie']).toContain('dash_session=;');
  });
});
