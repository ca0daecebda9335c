import { describe, expect, test } from 'vitest';
import { startFakePlatform } from '../support/fake-platform.ts';
import {
  authored,
  createArtifact,
  fakes,
  freshStudios,
  P,
  readyArtifact,
  refused,
  SPEC,
  STEPS,
  studio,
} from '../support/studio-world.ts';

freshStudios();

describe('platform verdicts', () => {
  const draft = { path: 'x.yaml', revision: 'seen' };
  const preview = (text: string, alias = 'default') =>
    studio.call('POST', `${P}/specs/preview`, { alias, draft, text });

  test('71 AS-111 to AS-114: preview of a buffer (AS-012)', async () => {
    const good = await preview(STEPS);
    expect(good.body).toMatchObject({
      revision: 'seen',
      ok: true,
      stages: [
        { stage: 'validate', ok: true },
        { stage: 'compile', ok: true },
      ],
    });
    const bad = await preview(STEPS.replace('ref: w', 'ref: nobody'));
    expect(bad.body).toMatchObject({ ok: false, stages: [{ stage: 'validate', ok: false }] });
    expect(bad.body.stages).toHaveLength(1);
    expect(bad.body.stages[0].detail.diagnostics.length).toBeGreaterThan(0);
    for (const text of ['a: [', '', '- a', 'a: &x 1\nb: *x', 'metadata: {d: 2024-01-01}']) {
      const answer = await preview(text);
      refused(answer, 422, 'request_invalid');
      expect(answer.body.details.errors[0].loc).toEqual(['body', 'text']);
    }
    refused(await preview(SPEC, 'nope'), 422, 'unknown_alias');
  });

  test('73 AS-118 to AS-123: the platform draws the topology', async () => {
    const two = STEPS.replace(/ref: w\n/, 'ref: w\n  - id: two\n    kind: agent\n    ref: w\n');
    const artifact = await readyArtifact(two);
    const graph = await studio.call('POST', `${P}/specs/graph`, { artifact_id: artifact.id });
    expect(graph.body).toEqual({
      available: true,
      edges: [{ source: 'one', target: 'two', label: null, conditional: false }],
      nodes: [
        { id: 'one', kind: 'step', label: 'one' },
        { id: 'two', kind: 'step', label: 'two' },
      ],
      start: 'one',
      unavailable_reason: null,
      workflow_kind: 'sequential',
    });
    const alone = await createArtifact(await authored('alone.yaml', SPEC));
    const none = await studio.call('POST', `${P}/specs/graph`, { artifact_id: alone.id });
    expect(none.body).toMatchObject({
      available: false,
      workflow_kind: null,
      nodes: [],
      edges: [],
    });
    expect(none.body.unavailable_reason).toContain('agents only');
  });

  test('69, 70, 98 AS-140: refusals of the platform and its silence', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    const validate = () => studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id });
    await studio.restart({ platform: { url: fake.url } });
    fake.on('POST /v1/specs/validate', { body: { valid: false, diagnostics: [{ code: 'E' }] } });
    refused(
      await studio.call('GET', `${P}/artifacts/${artifact.id}/export`),
      409,
      'artifact_governance_failed',
      { stages: [{ stage: 'validate', ok: false }] },
    );
    refused(
      await studio.call('POST', `${P}/specs/compile`, { artifact_id: artifact.id }),
      409,
      'artifact_governance_failed',
    );
    fake.on('POST /v1/specs/validate', {
      status: 401,
      body: { detail: { error: 'unauthorized', message: 'no' } },
      headers: { 'x-request-id': 'up-1' },
    });
    const auth = await validate();
    refused(auth, 502, 'platform_auth_failed');
    expect(auth.body.request_id).toBe('up-1');
    fake.on('POST /v1/specs/validate', {
      status: 418,
      body: { detail: { error: 'odd_code', message: 'm', extra: 1 } },
    });
    const odd = await validate();
    refused(odd, 418, 'odd_code', { extra: 1 });
    fake.on('POST /v1/specs/validate', { body: { valid: 'yes' } });
    const shape = await validate();
    refused(shape, 502, 'platform_protocol_error');
    expect(shape.body.request_id).toMatch(/^upstream-[0-9a-f]{32}$/);
    fake.on('POST /v1/specs/validate', { body: { valid: true } });
    fake.on('POST /v1/specs/compile', {
      status: 400,
      body: { detail: { error: 'spec_invalid', message: 'm', diagnostics: [{ code: 'E_BUILD' }] } },
    });
    const green = await preview(SPEC);
    expect(green.body).toMatchObject({
      ok: false,
      stages: [
        { stage: 'validate', ok: true },
        { stage: 'compile', ok: false, detail: { diagnostics: [{ code: 'E_BUILD' }] } },
      ],
    });
    await fake.close();
    fakes.splice(0);
    const down = await validate();
    refused(down, 502, 'platform_unreachable');
    expect(down.body.request_id).toMatch(/^bff-/);
  });

  test('74 AS-014, AS-107 to AS-110: preflight of the frozen binding', async () => {
    const artifact = await readyArtifact();
    const flight = `${P}/artifacts/${artifact.id}/preflight`;
    const overridden = await studio.call('GET', `${flight}/policy?alias=x`);
    refused(overridden, 422, 'request_invalid', { refused_parameters: ['alias'] });
    const policy = await studio.call('GET', `${flight}/policy`);
    expect(policy.body).toMatchObject({
      alias: 'default',
      alias_generation: 1,
      platform_environment: 'dev',
      state: 'available',
      unavailable_reason: null,
    });
    const credentials = await studio.call('GET', `${flight}/credential-refs`);
    expect(Object.keys(credentials.body.credentials)).toEqual([
      'providers',
      'extra',
      'service_tokens',
    ]);
    expect(
      credentials.body.credentials.providers.openai ??
        Object.values(credentials.body.credentials.providers)[0],
    ).toMatchObject({ value: null });
  });
});

test("preflight lists every name that the artifact's own spec asks for, present or missing", async () => {
  const asking = `version: v1
agent:
  name: desk
  model: {provider: openai, name: gpt-5-mini, extra: {api_key_ref: DESK_KEY}}
  tools: {include: [web_search]}
components:
  agents:
    other: {name: other, model: {provider: mistral, name: large}}
tools:
  web_search: {description: find, mcp: {server: shop, name: find}}
mcp_servers:
  shop:
    transport: http
    url: https://parts.example/mcp
    headers: {Authorization: 'Bearer \${PARTS_TOKEN}'}
    client_key_ref: PARTS_KEY
`;
  const artifact = await readyArtifact(asking);
  const flight = `${P}/artifacts/${artifact.id}/preflight/credential-refs`;
  const { credentials } = (await studio.call('GET', flight)).body;
  expect(Object.keys(credentials.extra).sort()).toEqual(['DESK_KEY', 'PARTS_KEY', 'PARTS_TOKEN']);
  for (const entry of Object.values(credentials.extra)) {
    expect(entry).toMatchObject({ present: false, status: 'missing', value: null });
  }
  expect(Object.keys(credentials.providers)).toContain('mistral');
  expect(Object.keys(credentials.providers)).toContain('openai');
});

describe('test runs', () => {
  async function finished(id: string) {
    for (let i = 0; i < 100; i += 1) {
      const run = await studio.call('GET', `${P}/test-runs/${id}`);
      if (['completed', 'failed'].includes(run.body.platform?.status)) return run.body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the run did not finish');
  }

  test('a recording is chosen for a run and reaches the platform', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { status: 'ok', version: '1.2.0' } });
    fake.on('POST /v1/specs/run', { status: 202, body: { run_id: 'r1', status: 'queued' } });
    const recording = { mode: 'record', name: 'desk' };
    const begun = await studio.call('POST', `${P}/test-runs`, {
      artifact_id: artifact.id,
      input: 'x',
      recording,
    });
    expect([begun.status, begun.body.status], begun.text).toEqual([202, 'started']);
    const sent = fake.calls.find(({ path: to }) => to === '/v1/specs/run');
    expect(sent?.body).toMatchObject({ input: 'x', metadata: { recording } });
  });

  test('75, 76, 78, 79 AS-115 to AS-117, AS-126 to AS-128: a run to its end (AS-016)', async () => {
    const artifact = await readyArtifact();
    const start = (body: unknown) => studio.call('POST', `${P}/test-runs`, body);
    refused(
      await start({ artifact_id: artifact.id, input: 'hi', extra: 1 }),
      422,
      'request_invalid',
    );
    const recording = { mode: 'replay', name: '../x' };
    refused(
      await start({ artifact_id: artifact.id, input: 'hi', recording }),
      422,
      'request_invalid',
    );
    const begun = await start({ artifact_id: artifact.id, input: 'hi' });
    expect([begun.status, begun.body.status], begun.text).toEqual([202, 'started']);
    expect(begun.headers.get('location')).toBe(`${P}/test-runs/${begun.body.id}`);
    const done = await finished(begun.body.id);
    expect(done.platform).toMatchObject({ status: 'completed', output_text: 'Final answer: hi' });
    const run = `${P}/test-runs/${done.id}`;
    refused(await studio.call('GET', `${run}/trace?limit=0`), 422, 'invalid_trace_window');
    refused(await studio.call('GET', `${run}/trace?limit=501`), 422, 'invalid_trace_window');
    refused(
      await studio.call('GET', `${run}/checkpoints?offset=10001`),
      422,
      'invalid_checkpoint_window',
    );
    refused(await studio.call('GET', `${run}/trace?limit=x`), 422, 'request_invalid');
    const trace = (await studio.call('GET', `${run}/trace`)).body;
    expect(trace).toMatchObject({
      offset: 0,
      limit: 100,
      next_offset: null,
      run_status: 'completed',
      run_terminal: true,
      paging_limit_reached: false,
    });
    const first = (await studio.call('GET', `${run}/trace?limit=1`)).body;
    expect([first.returned, first.next_offset]).toEqual([1, 1]);
    const points = (await studio.call('GET', `${run}/checkpoints`)).body;
    expect(Object.keys(points).sort()).toEqual([
      'checkpoints',
      'limit',
      'next_offset',
      'offset',
      'paging_limit_reached',
      'returned',
      'total',
    ]);
    const [a, b] = points.checkpoints;
    const diff = await studio.call(
      'GET',
      `${run}/checkpoints/diff?from_sequence=${a.sequence}&to_sequence=${b.sequence}`,
    );
    expect(diff.status, diff.text).toBe(200);
    expect(Object.keys(diff.body).sort()).toEqual(
      ['added', 'change_count', 'changed', 'from_checkpoint', 'removed', 'run_id']
        .concat('to_checkpoint', 'truncated')
        .sort(),
    );
    const graph = (await studio.call('GET', `${run}/graph`)).body;
    expect(graph).toMatchObject({
      run_id: done.platform_run_id,
      visited: ['one'],
      nodes: [{ id: 'one', kind: 'step' }],
    });
    expect((await studio.call('POST', `${run}/cancel`)).body).toMatchObject({
      outcome: 'already_finished',
      status: 'completed',
    });
    const list = (await studio.call('GET', `${P}/test-runs?artifact_id=${artifact.id}`)).body;
    expect(list.map((item: { id: string }) => item.id)).toEqual([done.id]);
    refused(await studio.call('GET', `${P}/test-runs/nope`), 404, 'test_run_not_found');
    const origins = await studio.call(
      'GET',
      `/api/run-origins?session_ids=studio-${done.id},studio-nope,other`,
    );
    expect(origins.body).toEqual([
      {
        session_id: `studio-${done.id}`,
        project_id: artifact.project_id ?? 'default',
        project_name: expect.any(String),
        artifact_id: artifact.id,
        artifact_deleted: false,
        draft_ref: artifact.base.path,
        draft_revision: artifact.base.revision,
      },
    ]);
    const sessions = (await studio.call('GET', `${P}/draft-sessions`)).body;
    expect(sessions).toContainEqual({
      draft_ref: artifact.base.path,
      session_id: `studio-${done.id}`,
      started_at: expect.any(String),
    });
  });

  test('77, 79: an old platform starts nothing', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { status: 'ok', version: '1.1.9' } });
    const answer = await studio.call('POST', `${P}/test-runs`, {
      artifact_id: artifact.id,
      input: 'x',
    });
    refused(answer, 409, 'platform_version_unsupported', {
      found: '1.1.9',
      minimum: '1.2.0',
      alias: 'default',
    });
    const id = answer.body.details.test_run_id;
    const run = await studio.call('GET', `${P}/test-runs/${id}`);
    expect(run.body).toMatchObject({
      status: 'failed_to_start',
      platform: null,
      platform_run_id: null,
    });
    refused(
      await studio.call('POST', `${P}/test-runs/${id}/cancel`),
      409,
      'test_run_not_on_platform',
      { test_run_id: id },
    );
    fake.on('GET /v1/healthz', { body: { status: 'ok' } });
    refused(
      await studio.call('POST', `${P}/test-runs`, { artifact_id: artifact.id, input: 'x' }),
      502,
      'platform_version_unknown',
    );
  });

  test('80: a run left pending is settled by what the platform knows of it', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { version: '1.2.0' } });
    fake.on('POST /v1/specs/run', { status: 500, body: {} });
    const start = async () => {
      const answer = await studio.call('POST', `${P}/test-runs`, {
        artifact_id: artifact.id,
        input: 'x',
      });
      expect(answer.status).toBe(500);
      return answer.body.details.test_run_id as string;
    };
    const id = await start();
    const read = async () => (await studio.call('GET', `${P}/test-runs/${id}`)).body;
    expect((await read()).status).toBe('pending');
    fake.on('GET /v1/runs', ({ query }) => ({
      body: { total: 1, runs: [{ run_id: 'r-1', session_id: query['session_id'] }] },
    }));
    fake.on('GET /v1/runs/*', { body: { run_id: 'r-1', status: 'completed', output_text: 'o' } });
    await studio.restart({ platform: { url: fake.url } });
    expect((await read()).status).toBe('pending');
    studio.clock.ms += 16 * 60 * 1000;
    await studio.restart({ platform: { url: fake.url } });
    for (let i = 0; i < 40 && (await read()).status === 'pending'; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(await read()).toMatchObject({
      status: 'started',
      platform_run_id: 'r-1',
      platform: { status: 'completed' },
    });
  });
});
