// Launches with all that the platform takes, their history, and the audit that is asked for in parts.
import { expect, test } from 'vitest';
import { PROJECT_HEADER } from '../../server/contract/platform/specs.ts';
import { rememberLaunch } from '../../server/dashboard/launch/launch-history.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import { cookiesOf, providesOperators, signIn, started } from '../support/dashboard-oidc.ts';
import {
  clock,
  dashboard,
  freshDashboards,
  get,
  HOUR,
  NOW,
  platform,
  run,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

providesOperators();
freshDashboards();

const SPEC = { version: 'v1', agent: { name: 'desk' } };
const DRAFT = {
  kind: 'draft',
  project_id: 'default',
  ref: 'specs/desk.yaml',
  revision: 'a'.repeat(64),
} as const;
const ARTIFACT = {
  kind: 'artifact',
  project_id: 'default',
  artifact_id: 'b'.repeat(32),
  draft_ref: 'specs/desk.yaml',
  revision: 'c'.repeat(64),
} as const;

const bodyOf = (path: string): Loose => platform.calls.findLast((call) => call.path === path)?.body;

test('a launch hands on every option of a run, and layers go to the checks too (OD-053)', async () => {
  const to = dashboard();
  platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r1', status: 'queued' } });
  platform.on('POST /v1/specs/validate', { body: { valid: true, diagnostics: [] } });
  platform.on('POST /v1/specs/compile', { body: { ok: true, diagnostics: [] } });
  platform.on('POST /v1/specs/policy-report', { body: { valid: true, report: {} } });
  platform.on('POST /v1/specs/explain', { body: { summary: { root_agent: 'desk' } } });
  const layers = { overlays: ['eu.yaml'], overrides: { agent: { name: 'front' } } };
  const options = {
    skills: { add: ['maps'], disable: [] },
    session_id: 'desk-7',
    metadata: { ticket: 'R-118' },
    strict: false,
    timeout: 90,
  };
  const spec = { spec_path: 'desk.yaml', environment: 'dev', ...layers };
  expect((await send(to, 'POST', '/api/launch/deploy', spec)).body.ready).toBe(true);
  const checked = { spec_path: 'desk.yaml', environment: 'dev', ...layers };
  expect(bodyOf('/v1/specs/validate')).toEqual(checked);
  expect(bodyOf('/v1/specs/compile')).toEqual({ ...checked, strict: true });
  expect((await send(to, 'POST', '/api/launch/load', spec)).body.summary.root_agent).toBe('desk');
  expect(bodyOf('/v1/specs/explain')).toEqual({ spec_path: 'desk.yaml', ...layers });
  const started = await send(to, 'POST', '/api/launch/run', {
    ...spec,
    ...options,
    input_text: 'hello',
  });
  expect(started.status).toBe(200);
  expect(bodyOf('/v1/runs')).toEqual({ input: 'hello', async_mode: true, ...checked, ...options });

  // What may hold a secret is named and not kept.
  const { entries } = (await get(to, '/api/launch/history')).body;
  expect(entries[0]).toMatchObject({
    spec_path: 'desk.yaml',
    options: {
      overlays: ['eu.yaml'],
      skills: { add: ['maps'], disable: [] },
      session_id: 'desk-7',
      strict: false,
      timeout: 90,
      not_kept: ['overrides', 'metadata'],
    },
  });
  expect(JSON.stringify(entries)).not.toContain('R-118');
});

test('a launch from a draft names it: to the platform, in the history and in the audit', async () => {
  const to = dashboard();
  platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r1', status: 'queued' } });
  platform.on('POST /v1/specs/validate', { body: { valid: true } });
  platform.on('POST /v1/specs/compile', { body: { ok: true } });
  platform.on('POST /v1/specs/policy-report', { body: { valid: true } });
  await send(to, 'POST', '/api/launch/deploy', { spec: SPEC, source: DRAFT });
  const told = platform.calls.map(({ headers }) => headers[PROJECT_HEADER]);
  expect(told).toEqual(['default', 'default', 'default']);
  const launch = { spec: SPEC, input_text: '', metadata: { ticket: 1 } };
  await send(to, 'POST', '/api/launch/run', { ...launch, source: DRAFT });
  const { project_id, ref, revision } = DRAFT;
  expect(bodyOf('/v1/runs').metadata).toEqual({
    ticket: 1,
    authoring: { project_id, draft: ref, revision },
  });
  platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r2', status: 'queued' } });
  clock.now += 1000;
  await send(to, 'POST', '/api/launch/run', { ...launch, source: ARTIFACT });
  expect(bodyOf('/v1/runs').metadata.authoring).toEqual({
    project_id,
    artifact_id: ARTIFACT.artifact_id,
  });
  const { entries } = (await get(to, '/api/launch/history')).body;
  expect(entries.map((entry: Loose) => entry.source)).toEqual([ARTIFACT, DRAFT]);
  expect(entries[0].digest).toMatch(/^sha256:/);
  const audit = (await get(to, '/api/audit-log')).body.entries;
  expect(audit.map((entry: Loose) => entry.details.source)).toEqual([ARTIFACT, DRAFT]);
});

test('nobody names a project in the metadata; a source is one that could be', async () => {
  const to = dashboard();
  const start = (more: object) =>
    send(to, 'POST', '/api/launch/run', { spec: SPEC, input_text: '', ...more });
  const named = await start({ metadata: { authoring: { project_id: 'other' } } });
  expect(named).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  expect((await start({ source: { ...DRAFT, revision: 'a b' } })).status).toBe(422);
  expect((await start({ source: { ...DRAFT, kind: 'file' } })).status).toBe(422);
  expect((await start({ source: { ...DRAFT, ref: 'x'.repeat(1025) } })).status).toBe(422);
  expect(platform.calls).toEqual([]);
});

test('findings keep their places; what two calls report is told once', async () => {
  const to = dashboard();
  const finding = (path: string | null) => ({
    code: 'E_X',
    severity: 'error',
    message: 'no',
    path,
  });
  platform.on('POST /v1/specs/validate', {
    body: { valid: false, diagnostics: [finding('agent.model'), finding('tools.0')] },
  });
  platform.on('POST /v1/specs/compile', {
    status: 400,
    body: { detail: { error: 'spec_invalid', message: 'no', diagnostics: [finding(null)] } },
  });
  platform.on('POST /v1/specs/policy-report', { body: { valid: true, report: {} } });
  const { body } = await send(to, 'POST', '/api/launch/deploy', { spec: SPEC });
  expect(body.diagnostics.map(({ source, path }: Loose) => [source, path])).toEqual([
    ['validate', 'agent.model'],
    ['validate', 'tools.0'],
  ]);
});

test('a run that is told twice at once is one launch', async () => {
  const to = dashboard();
  const launch = { spec: SPEC, spec_path: null, environment: null, run_id: 'r1' };
  const tell = () => rememberLaunch(to.deps, { identity: 'i' }, launch);
  await Promise.all([tell(), tell(), tell()]);
  await Promise.all(
    [1, 2].map(() => rememberLaunch(to.deps, { identity: 'i' }, { ...launch, run_id: null })),
  );
  const { entries } = (await get(to, '/api/launch/history')).body;
  expect(entries.map((entry: Loose) => entry.run_id).sort()).toEqual([null, null, 'r1']);
});

test('a platform that names no run has started none from a checkpoint', async () => {
  const to = dashboard();
  platform.on('POST /v1/runs/*/rerun', { body: { status: 'queued' } });
  const answer = await send(to, 'POST', '/api/runs/r1/rerun', { checkpoint_sequence: 1 });
  expect(answer).toMatchObject({ status: 502, body: { code: 'upstream_error' } });
  expect((await get(to, '/api/launch/history')).body.entries).toEqual([]);
  const { entries } = (await get(to, '/api/audit-log')).body;
  expect(entries).toMatchObject([{ action: 'run.rerun', target: 'r1', outcome: 'error' }]);
});

test('results are those of runs that the platform has', async () => {
  const to = dashboard();
  platform.on('GET /v1/runs/*', ({ path }) =>
    path.endsWith('/gone')
      ? { status: 404, body: { detail: { error: 'not_found', message: 'no' } } }
      : { body: run({ run_id: path.split('/').at(-1), status: 'failed' }) },
  );
  const { body } = await get(to, '/api/launch/results?run_ids=r1,gone,r2,r1,');
  expect(body.results).toEqual([
    { run_id: 'r1', status: 'failed' },
    { run_id: 'r2', status: 'failed' },
  ]);
  const many = Array.from({ length: 30 }, (_, at) => `r${at}`).join(',');
  expect((await get(to, `/api/launch/results?run_ids=${many}`)).body.results).toHaveLength(20);
  platform.on('GET /v1/runs/*', { status: 500, body: {} });
  expect((await get(to, '/api/launch/results?run_ids=r1')).status).toBeGreaterThanOrEqual(500);
});

test('a run that is not read costs the results of the others nothing (OD-090)', async () => {
  const to = dashboard();
  const bad = new Set(['r3']);
  platform.on('GET /v1/runs/*', ({ path }) => {
    const run_id = path.split('/').at(-1) ?? '';
    return bad.has(run_id)
      ? { status: 500, body: {} }
      : { body: run({ run_id, status: 'completed' }) };
  });
  const all = Array.from({ length: 20 }, (_, at) => `r${at}`);
  const ask = () => get(to, `/api/launch/results?run_ids=${all.join(',')}`);
  const one = await ask();
  expect(one.status).toBe(200);
  expect(one.body.results).toHaveLength(19);
  expect(one.body.unread).toEqual([{ run_id: 'r3', code: 'upstream_error' }]);

  // A platform that stops answering is not asked for the rest of the list.
  for (const id of all.slice(4)) bad.add(id);
  platform.calls.length = 0;
  const rest = await ask();
  expect(rest.body.results.map(({ run_id }: Loose) => run_id)).toEqual(['r0', 'r1', 'r2']);
  expect(rest.body.unread).toHaveLength(17);
  expect(new Set(platform.calls.map(({ path }) => path)).size).toBe(8);

  // Where nothing is known, the answer is the failure, which says when to ask again.
  for (const id of all) bad.add(id);
  expect(await ask()).toMatchObject({ status: 500, body: { code: 'upstream_error' } });
});

test('the operators’ audit is asked for by person, outcome, environment, run and time (OD-067)', async () => {
  const to = dashboard();
  platform.on('POST /v1/runs/*/cancel', ({ path }) =>
    path.includes('/r2/')
      ? { status: 404, body: { detail: { error: 'not_found', message: 'no' } } }
      : { body: run({ status: 'cancelled' }) },
  );
  const cancel = async (id: string, env: string) => {
    clock.now += HOUR;
    await send(to, 'POST', `/api/runs/${id}/cancel`, undefined, { 'x-kneo-env': env });
  };
  await cancel('r1', 'dev');
  await cancel('r2', 'dev');
  await cancel('r3', 'prod');
  const targets = async (query: string) => {
    const { status, body } = await get(to, `/api/audit-log?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.entries.map((entry: Loose) => entry.target);
  };
  expect(await targets('')).toEqual(['r3', 'r2', 'r1']);
  expect(await targets('outcome=error')).toEqual(['r2']);
  expect(await targets('environment=dev')).toEqual(['r2', 'r1']);
  expect(await targets('target=r1&operator=static-operator')).toEqual(['r1']);
  expect(await targets('operator=somebody')).toEqual([]);
  expect(await targets('limit=1&offset=1')).toEqual(['r2']);
  const second = encodeURIComponent(toTimestamp(NOW + 2 * HOUR));
  expect(await targets(`created_after=${second}`)).toEqual(['r3', 'r2']);
  expect(await targets(`created_before=${second}`)).toEqual(['r1']);
  expect(await targets('created_after=2026-11-21T13:00:00Z&created_before=2026-11-21')).toEqual([]);
  expect((await get(to, '/api/audit-log?created_after=noon')).body.code).toBe('bad_request');
  expect((await get(to, '/api/audit-log?outcome=great')).status).toBe(422);
});

test('the platform’s audit is asked for by time; one that cannot says so (OD-066)', async () => {
  const to = dashboard();
  platform.on('GET /v1/audit-events', { body: { events: [], total: 0, window: 10_000 } });
  await get(to, '/api/audit');
  expect(platform.calls.at(-1)?.query).not.toHaveProperty('created_after');
  await get(to, '/api/audit?created_after=2026-11-20&created_before=2026-11-21');
  expect(platform.calls.at(-1)?.query).toMatchObject({
    created_after: '2026-11-20T00:00:00.000000+00:00',
    created_before: '2026-11-21T00:00:00.000000+00:00',
  });
  // As curl sends it: nobody encodes the plus of an offset.
  await get(to, '/api/audit?created_after=2026-11-18T01:00:00+01:00');
  expect(platform.calls.at(-1)?.query['created_after']).toBe('2026-11-18T00:00:00.000000+00:00');
  platform.on('GET /v1/audit-events', {
    status: 422,
    body: { detail: { error: 'unknown_query_parameters', message: 'unknown' } },
  });
  const refused = await get(to, '/api/audit?created_after=2026-11-20');
  expect(refused).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  expect(refused.body.message).toContain('Ask without dates');
});

test('where operators sign in apart from the studio, a source opens no project’s folder', async () => {
  const to = started({ DASH_OIDC_ROLE_MAP: '{"desk": "admin"}' });
  const cookie = cookiesOf(await signIn(to, 'ada'));
  platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r1', status: 'queued' } });
  const body = { spec: SPEC, input_text: '', source: DRAFT };
  const headers = { cookie, origin: 'http://127.0.0.1:8090', host: '127.0.0.1:8090' };
  const launched = await send(to, 'POST', '/api/launch/run', body, headers);
  expect(launched.status, JSON.stringify(launched.body)).toBe(200);
  expect(bodyOf('/v1/runs')).not.toHaveProperty('metadata');
  await send(to, 'POST', '/api/launch/deploy', { spec: SPEC, source: DRAFT }, headers);
  expect(platform.calls.some(({ headers: sent }) => PROJECT_HEADER in sent)).toBe(false);
  const { entries } = (await get(to, '/api/launch/history', { cookie })).body;
  expect(entries).toMatchObject([{ source: DRAFT, created_by: 'ada@example.com' }]);
});
