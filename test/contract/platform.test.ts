import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING, createCli } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec, TINY } from '../support/specs.ts';

function functionSpec(implementation: string, step: Record<string, unknown> = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: [
        { id: 'first', kind: 'agent', ref: 'writer' },
        { id: 'second', kind: 'function', ref: 'work', ...step },
        { id: 'third', kind: 'agent', ref: 'writer' },
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      functions: { work: { implementation } },
    },
  };
}

const gates = new Map<string, { open(): void; opened: Promise<void> }>();
function gate(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(name, { open: resolve, opened: promise });
  return { open: resolve };
}
let flakyFails = true;
const seen: string[] = [];
const handlers = {
  'work.wait': async ([input]: readonly unknown[]) => {
    await gates.get(String(input).replaceAll('Final answer: ', ''))?.opened;
    return `waited: ${String(input)}`;
  },
  'work.fails': () => {
    throw new Error('backend offline, password=hunter2');
  },
  'work.flaky': ([input]: readonly unknown[]) => {
    seen.push(String(input));
    if (flakyFails) throw new Error('not yet');
    return `done: ${String(input)}`;
  },
};

let p: TestPlatform;
beforeAll(async () => {
  p = await startTestPlatform({ handlers, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
});
afterAll(async () => {
  await p.stop();
});

async function startBlocked(spec: unknown = humanSpec(), input = 'hello'): Promise<Loose> {
  const run = await p.post('/v1/runs', { input, spec });
  expect(run.status).toBe(200);
  expect(run.body.status).toBe('blocked');
  return run.body;
}

async function resume(run: Loose, body: Record<string, unknown>, options = {}) {
  const task = await p.get(`/v1/human-tasks/${run.continuation_id}`);
  return p.post(
    `/v1/human-tasks/${run.continuation_id}/resume`,
    { request_id: task.body?.request?.id ?? 'x', ...body },
    options,
  );
}

describe('keys, scopes and the order of checks', () => {
  test('1 no key is 401 with WWW-Authenticate (RP-087, RP-097)', async () => {
    const answer = await p.get('/v1/runs', { key: null });
    expect(answer.status).toBe(401);
    expect(answer.body.detail.error).toBe('unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('2 a bad bearer beats a good own header; the own header alone is enough', async () => {
    const headers = { 'x-kneo-api-key': 'admin-key' };
    expect((await p.get('/v1/runs', { key: 'nope', headers })).status).toBe(401);
    expect((await p.get('/v1/runs', { key: null, headers })).status).toBe(200);
    const basic = { ...headers, authorization: 'Basic x' };
    expect((await p.get('/v1/runs', { key: null, headers: basic })).status).toBe(200);
  });

  test('3 every response carries X-Request-ID, a sent one is echoed', async () => {
    for (const answer of [
      await p.get('/v1/runs'),
      await p.get('/v1/nowhere'),
      await p.get('/v1/runs', { key: null }),
      await p.call('POST', '/v1/runs', { raw: 'x'.repeat(1_048_577) }),
    ]) {
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    const named = await p.get('/v1/nowhere', { headers: { 'x-request-id': 'mine-1' } });
    expect(named.headers.get('x-request-id')).toBe('mine-1');
    expect(named.status).toBe(404);
    expect(named.body.detail.error).toBe('not_found');
  });

  test('4 a missing scope beats an unknown body field (RP-088)', async () => {
    const answer = await p.post('/v1/runs', { input: 'x', zzz: 1 }, { key: 'viewer-key' });
    expect(answer.status).toBe(403);
    expect(answer.body.detail).toMatchObject({
      error: 'forbidden',
      required_scope: 'runs:write',
    });
  });

  test('5 a missing scope beats unknown query parameters (RP-090, RP-094)', async () => {
    const answer = await p.get('/v1/skills?zzz=1', { key: 'reviewer-key' });
    expect(answer.status).toBe(403);
    expect(answer.body.detail.required_scope).toBe('specs:read');
  });

  test('6 unknown query parameters beat bad values of known ones (RP-119)', async () => {
    const answer = await p.get('/v1/runs?b=1&a=2&limit=0');
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject({
      error: 'unknown_query_parameters',
      unknown: ['a', 'b'],
    });
  });

  test('7 probes and metrics take any query and no key (RP-083, RP-084)', async () => {
    for (const route of ['/healthz?x=1', '/v1/readyz?x=1', '/livez?y', '/metrics?x=1']) {
      expect((await p.get(route, { key: null })).status).toBe(200);
    }
  });

  test('8 metrics are at the root only; every route is at both mountings (RP-001)', async () => {
    expect((await p.get('/v1/metrics')).status).toBe(404);
    expect((await p.get('/runs')).status).toBe(200);
    expect((await p.get('/v1/runs')).status).toBe(200);
    const metrics = await p.get('/metrics');
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.text).toContain('# TYPE kneo_runs_started_total counter');
  });

  test('405 names the methods, a trailing slash redirects', async () => {
    const answer = await p.call('DELETE', '/v1/runs');
    expect(answer.status).toBe(405);
    expect(answer.body.detail.error).toBe('method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, POST');
    const slash = await p.get('/v1/runs/?limit=1');
    expect(slash.status).toBe(307);
    expect(slash.headers.get('location')).toBe('/v1/runs?limit=1');
    expect((await p.call('HEAD', '/v1/runs')).status).toBe(405);
  });

  test('openapi lists both mountings without a key (RP-085)', async () => {
    const answer = await p.get('/openapi.json', { key: null });
    expect(answer.body.openapi).toBe('3.1.0');
    expect(answer.body.info.version).toBe('1.2.0');
    expect(Object.keys(answer.body.paths)).toEqual(
      expect.arrayContaining(['/v1/runs/{run_id}/continue', '/runs/{run_id}/continue']),
    );
  });
});

describe('lists', () => {
  test('9 bad list values are request_invalid (RP-117)', async () => {
    for (const query of ['limit=0', 'limit=1001', 'offset=10001', 'sort_order=up', 'has_error=x']) {
      const answer = await p.get(`/v1/runs?${query}`);
      expect(answer.status).toBe(422);
      expect(answer.body.detail.error).toBe('request_invalid');
      expect(answer.body.detail.errors[0].loc[0]).toBe('query');
    }
  });

  test('10 timestamps: words are refused, every ISO form is taken (RP-058, RP-121)', async () => {
    const bad = await p.get('/v1/runs?created_after=yesterday');
    expect(bad.status).toBe(422);
    expect(bad.body.detail).toMatchObject({ error: 'invalid_timestamp', param: 'created_after' });
    for (const text of ['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00Z']) {
      expect((await p.get(`/v1/runs?created_after=${text}`)).status).toBe(200);
    }
    const offset = encodeURIComponent('2026-01-01T00:00:00+02:00');
    expect((await p.get(`/v1/runs?created_before=${offset}`)).status).toBe(200);
  });

  test('11–15 filters, totals, search and sorts of runs (RP-055–RP-060)', async () => {
    const session = `s-${Math.random()}`;
    for (const input of ['apple 100%', 'pear']) {
      await p.post('/v1/runs', { input, spec: TINY, session_id: session });
    }
    await p.post('/v1/runs', { input: 'x', spec: { version: 'v1' }, session_id: session });
    const mine = (query: string) => p.get(`/v1/runs?session_id=${session}&${query}`);
    const unknown = await mine('status=zzz');
    expect(unknown.body).toMatchObject({ runs: [], total: 0, window: 10_000 });
    const one = await mine('limit=1');
    expect(one.body).toMatchObject({ count: 1, total: 3, limit: 1 });
    const [item] = one.body.runs;
    expect(item).not.toHaveProperty('trace_events');
    expect(item.trace_event_count).toBeTypeOf('number');
    expect(item.id).toBe(item.run_id);
    expect(item.session_id).toBe(session);
    expect((await mine('has_error=true')).body.total).toBe(1);
    expect((await mine('has_error=no&workflow_kind=agent')).body.total).toBe(2);
    expect((await mine('q=APPLE')).body.total).toBe(1);
    expect((await mine(`q=${encodeURIComponent('100%')}`)).body.total).toBe(1);
    expect((await mine(`q=${encodeURIComponent('%')}`)).body.total).toBe(1);
    expect((await mine('q=appl_')).body.total).toBe(0);
    expect((await mine('q=')).body.total).toBe(3);
    for (const sort of ['nowhere', 'metadata.duration_ms', 'error.type', 'output_text', 'usage']) {
      for (const order of ['asc', 'desc']) {
        const sorted = await mine(`sort_by=${sort}&sort_order=${order}`);
        expect(sorted.status).toBe(200);
        expect(sorted.body.runs).toHaveLength(3);
      }
    }
    const durations = await mine('sort_by=metadata.duration_ms&sort_order=asc');
    expect(durations.body.runs.at(-1).status).toBe('failed');
  });
});

describe('requests', () => {
  test('16 a body over the limit is 413 before the key, declared or chunked (RP-116)', async () => {
    const raw = `{"input":"${'x'.repeat(1_048_577)}"}`;
    const declared = await p.call('POST', '/v1/runs', { raw, key: null });
    expect(declared.status).toBe(413);
    expect(declared.body.detail).toMatchObject({
      error: 'payload_too_large',
      max_body_bytes: 1_048_576,
    });
    const chunked = await fetch(`${p.url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(raw));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('17 Idempotency-Key: 257 is refused, 256 with blanks and a blank one are not (RP-109)', async () => {
    const post = (key: string) =>
      p.post('/v1/specs/validate', { spec: TINY }, { headers: { 'idempotency-key': key } });
    const bad = await post('k'.repeat(257));
    expect(bad.status).toBe(400);
    expect(bad.body.detail.error).toBe('invalid_idempotency_key');
    expect((await post(` ${'k'.repeat(256)} `)).status).toBe(200);
    expect((await post('  ')).status).toBe(200);
  });

  test('18 an unknown field is named, the input is not echoed', async () => {
    const answer = await p.post('/v1/runs', { input: 'x', spec: TINY, secret_field: 'sesame' });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.errors[0]).toMatchObject({
      loc: ['body', 'secret_field'],
      type: 'extra_forbidden',
    });
    expect(answer.text).not.toContain('sesame');
  });

  test('19 sizes over their limits are 422', async () => {
    const big = { text: 'é'.repeat(140_000) };
    for (const body of [
      { input: 'x'.repeat(20_001), spec: TINY },
      { input: 'x', spec: TINY, metadata: { text: 'x'.repeat(32_768) } },
      { input: 'x', spec: TINY, overrides: { text: 'x'.repeat(65_536) } },
      { input: 'x', spec: big },
      { input: 'x', spec: TINY, overlays: Array.from({ length: 101 }, () => 'a.yaml') },
      { input: 5, spec: TINY },
      { input: 'x', spec: TINY, overlays: null },
      { spec: TINY },
    ]) {
      const answer = await p.post('/v1/runs', body);
      expect(answer.status).toBe(422);
      expect(answer.body.detail.error).toBe('request_invalid');
    }
    expect((await p.post('/v1/runs', { input: 'é'.repeat(20_000), spec: TINY })).status).toBe(200);
  });

  test('20, 21 paths: .. and ~ are invalid, outside the root is confined, missing is 400 (RP-120)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'confine-'));
    mkdirSync(path.join(folder, 'root'));
    writeFileSync(path.join(folder, 'outside.yaml'), 'version: v1\nagent:\n  name: a\n');
    symlinkSync(path.join(folder, 'outside.yaml'), path.join(folder, 'root', 'link.yaml'));
    const q = await startTestPlatform({ specRoot: path.join(folder, 'root') });
    try {
      for (const spec_path of ['../outside.yaml', '~/x.yaml', 'a/../b.yaml']) {
        const answer = await q.post('/v1/runs', { input: 'x', spec_path });
        expect(answer.body.detail.error).toBe('request_invalid');
      }
      for (const body of [
        { spec_path: path.join(folder, 'outside.yaml') },
        { spec_path: 'link.yaml' },
        { spec: TINY, overlays: ['/etc/passwd'] },
        { spec: { ...TINY, skills: { s: { source: '../x' } } } },
      ]) {
        for (const route of ['/v1/runs', '/v1/specs/validate', '/v1/specs/graph']) {
          const answer = await q.post(route, route === '/v1/runs' ? { input: 'x', ...body } : body);
          expect(answer.status).toBe(422);
          expect(answer.body.detail.error).toBe('spec_path_confined');
          expect(answer.text).not.toContain(folder);
        }
      }
      const missing = await q.post('/v1/runs', { input: 'x', spec_path: 'none.yaml' });
      expect(missing.status).toBe(400);
      expect(missing.body.detail.error).toBe('invalid_request');
      expect(missing.text).not.toContain('none.yaml');
    } finally {
      await q.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('22 no spec is 400 everywhere; unreadable text and versions by path are findings', async () => {
    const operations = ['validate', 'compile', 'explain', 'graph', 'policy-report', 'run'];
    for (const name of operations) {
      const body = name === 'run' ? { input: 'x' } : {};
      const answer = await p.post(`/v1/specs/${name}`, body);
      expect([name, answer.status]).toEqual([name, 400]);
      expect(answer.body.detail.error).toBe('invalid_request');
    }
    const inline = await p.post('/v1/specs/validate', { spec: { ...TINY, version: 'v9' } });
    expect(inline.status).toBe(400);
    expect(inline.body.detail.error).toBe('invalid_request');
    const byPath = await p.post('/v1/specs/validate', { spec_path: 'invalid/bad-version.yaml' });
    expect(byPath.body).toMatchObject({ valid: false, diagnostics: [{ code: 'E_VERSION' }] });
    const run = await p.post('/v1/runs', {
      input: 'x',
      spec_path: 'invalid/bad-version.yaml',
      async_mode: true,
    });
    expect(run.status).toBe(400);
    expect(run.body.detail.error).toBe('spec_invalid');
  });

  test('80 strict belongs to validate, compile and policy-report (RP-075–RP-078)', async () => {
    for (const name of ['validate', 'compile', 'policy-report']) {
      expect((await p.post(`/v1/specs/${name}`, { spec: TINY, strict: 'no' })).status).toBe(200);
    }
    for (const name of ['explain', 'graph']) {
      expect((await p.post(`/v1/specs/${name}`, { spec: TINY, strict: true })).status).toBe(422);
    }
    const invalid = { spec_path: 'invalid/missing-agent.yaml' };
    const compiled = await p.post('/v1/specs/compile', invalid);
    expect(compiled.status).toBe(200);
    expect(compiled.body).toMatchObject({
      ok: false,
      valid: false,
      summary: { has_root_agent: false, has_root_workflow: false, component_agents: [] },
    });
    const inline = await p.post('/v1/specs/compile', { spec: { version: 'v1' } });
    expect(inline.status).toBe(400);
    expect(inline.body.detail.error).toBe('spec_invalid');
    expect(inline.body.detail.diagnostics[0].code).toBe('E_SCHEMA');
    const skills = await p.get('/v1/skills');
    expect(skills.body.skills).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'plain-language', origin: 'declared' }),
      ]),
    );
  });
});

describe('runs', () => {
  test('23 sync is 200 completed, async is 202 queued and then completed (RP-021, RP-051, RP-052)', async () => {
    const sync = await p.post('/v1/runs', { input: 'hi', spec: TINY });
    expect(sync.status).toBe(200);
    expect(sync.body).toMatchObject({ status: 'completed', output_text: 'Final answer: hi' });
    const queued = await p.post('/v1/runs', { input: 'hi', spec: TINY, async_mode: true });
    expect(queued.status).toBe(202);
    expect(queued.body).toMatchObject({ status: 'queued', output_text: null });
    const done = await p.waitFor(queued.body.run_id, 'completed', 'failed');
    expect(done.body).toMatchObject({ status: 'completed', output_text: 'Final answer: hi' });
    const spec = await p.post('/specs/run', { input: 'hi', spec: TINY, async_mode: true });
    expect(spec.status).toBe(202);
  });

  test('24, 25 an invalid inline spec: sync 400 with findings, async 202 and failed (RP-054, RP-107)', async () => {
    const session_id = `bad-${Math.random()}`;
    const bad = { input: 'x', spec: { version: 'v1' }, session_id };
    const sync = await p.post('/v1/runs', bad);
    expect(sync.status).toBe(400);
    expect(sync.body.detail.error).toBe('spec_invalid');
    expect(sync.body.detail.diagnostics.length).toBeGreaterThan(0);
    const record = (await p.get(`/v1/runs?session_id=${session_id}`)).body.runs[0];
    expect(record.status).toBe('failed');
    const queued = await p.post('/v1/runs', { ...bad, async_mode: true });
    expect(queued.status).toBe(202);
    const done = await p.waitFor(queued.body.run_id, 'failed', 'completed');
    expect(done.body.error.type).toBe('SpecCompilationError');
  });

  test('26 a step that throws: 500 and generic, the record says why without secrets (RP-020, RP-124)', async () => {
    const session_id = `throws-${Math.random()}`;
    const answer = await p.post('/v1/runs', {
      input: 'x',
      spec: functionSpec('work.fails'),
      session_id,
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      detail: { error: 'internal_error', message: 'An internal error occurred.' },
    });
    const [record] = (await p.get(`/v1/runs?session_id=${session_id}`)).body.runs;
    expect(record.status).toBe('failed');
    expect(record.error.message).toContain('backend offline');
    expect(JSON.stringify(record)).not.toContain('hunter2');
  });

  test('27 a guardrail block: sync 422, async failed (RP-048, RP-049)', async () => {
    const spec = {
      version: 'v1',
      agent: {
        name: 'g',
        guardrails: {
          input: [{ id: 'words', type: 'keyword', config: { keywords: ['forbidden'] } }],
        },
      },
    };
    const sync = await p.post('/v1/runs', { input: 'a forbidden word', spec });
    expect(sync.status).toBe(422);
    expect(sync.body.detail).toMatchObject({
      error: 'guardrail_violation',
      violation_type: 'GuardrailViolation',
    });
    const queued = await p.post('/v1/runs', { input: 'forbidden', spec, async_mode: true });
    const done = await p.waitFor(queued.body.run_id, 'failed', 'completed');
    expect(done.body.error.type).toBe('GuardrailViolation');
  });

  test('28 over the token budget: sync 400, the run failed; async failed (RP-050)', async () => {
    const models = await startModelServer();
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: models.baseUrl('openai') };
    const q = await startTestPlatform({ env: { ...env, SERV_TOKEN_BUDGET: '100' } });
    const model = { provider: 'openai', name: 'm' };
    const spec = (more: Loose = {}) => ({
      version: 'v1',
      agent: { name: 'a', model: { ...model, ...more } },
    });
    const usage = { input: 7, output: 6 };
    try {
      models.answerWith(() => ({ text: 'done', usage }));
      expect((await q.post('/v1/runs', { input: 'x', spec: spec() })).status).toBe(200);
      const over = await q.post('/v1/runs', {
        input: 'x',
        spec: spec({ token_budget: 12 }),
        session_id: 'over',
      });
      expect(over.status).toBe(400);
      expect(over.body.detail.error).toBe('token_budget_exceeded');
      const [record] = (await q.get('/v1/runs?session_id=over')).body.runs;
      expect(record).toMatchObject({ status: 'failed', error: { type: 'TokenBudgetExceeded' } });
      models.answerWith(() => ({ text: 'done', usage: { input: 90, output: 20 } }));
      const configured = await q.post('/v1/runs', { input: 'x', spec: spec(), async_mode: true });
      const done = await q.waitFor(configured.body.run_id, 'completed', 'failed');
      expect(done.body.error.type).toBe('TokenBudgetExceeded');
      const metrics = (await q.get('/metrics')).text;
      const value = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1];
      for (const name of ['tokens_total', 'tokens_input_total', 'tokens_output_total']) {
        expect(value(name)).toBe(value(`kneo_${name}`));
        expect(Number(value(name))).toBeGreaterThan(0);
      }
    } finally {
      await q.stop();
      await models.stop();
    }
  });

  test('29, 30 the same key replays, another body conflicts, other routes and callers are apart (RP-053, RP-114)', async () => {
    const key = `k-${Math.random()}`;
    const headers = { 'idempotency-key': key };
    const session_id = `idem-${Math.random()}`;
    const body = { input: 'x', spec: TINY, async_mode: true, session_id };
    const first = await p.post('/v1/runs', body, { headers });
    const replay = await p.post(
      '/runs',
      { ...body, overlays: [], target: 'workflow' },
      { headers },
    );
    expect(replay.status).toBe(202);
    expect(replay.body).toEqual(first.body);
    expect((await p.get(`/v1/runs?session_id=${session_id}`)).body.total).toBe(1);
    const conflict = await p.post('/v1/runs', { ...body, input: 'y' }, { headers });
    expect(conflict.status).toBe(409);
    expect(conflict.body.detail).toMatchObject({
      error: 'idempotency_key_conflict',
      scope: 'runs:create',
    });
    const other = await p.post('/v1/specs/run', { ...body, input: 'y' }, { headers });
    expect(other.status).toBe(202);
    const caller = await p.post(
      '/v1/runs',
      { ...body, input: 'z' },
      { headers, key: 'service-key' },
    );
    expect(caller.status).toBe(202);
  });

  test('31, 33 while a sync run executes others are answered, the same key is in progress (RP-113)', async () => {
    const { open } = gate('slow');
    const headers = { 'idempotency-key': `slow-${Math.random()}` };
    const body = { input: 'slow', spec: functionSpec('work.wait') };
    const running = p.post('/v1/runs', body, { headers });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    expect((await p.get('/healthz')).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(1000);
    const second = await p.post('/v1/runs', body, { headers });
    expect(second.status).toBe(409);
    expect(second.body.detail.error).toBe('idempotency_key_in_progress');
    expect(second.headers.get('retry-after')).toBe('1');
    open();
    const done = await running;
    expect(done.body.status).toBe('completed');
    expect((await p.post('/v1/runs', body, { headers })).body.run_id).toBe(done.body.run_id);
  });

  test('32 after an error answer the same key executes again', async () => {
    const headers = { 'idempotency-key': `err-${Math.random()}` };
    const body = { input: 'again', spec: functionSpec('work.flaky') };
    flakyFails = true;
    expect((await p.post('/v1/runs', body, { headers })).status).toBe(500);
    flakyFails = false;
    expect((await p.post('/v1/runs', body, { headers })).body.status).toBe('completed');
  });

  test('34, 35 cancel: running and blocked end cancelled, terminal stays, unknown is 404 (RP-037, RP-039, RP-063)', async () => {
    const { open } = gate('cancel');
    const queued = await p.post('/v1/runs', {
      input: 'cancel',
      spec: functionSpec('work.wait'),
      async_mode: true,
    });
    const id = queued.body.run_id;
    await p.waitFor(id, 'running');
    const cancelled = await p.call('POST', `/v1/runs/${id}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      error: { type: 'cancelled', message: 'Run cancellation requested.' },
    });
    open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await p.get(`/v1/runs/${id}`)).body.status).toBe('cancelled');
    const again = await p.call('POST', `/v1/runs/${id}/cancel`);
    expect(again.body.status).toBe('cancelled');
    const audit = await p.get(`/v1/audit-events?run_id=${id}&event_type=run.cancelled`);
    expect(audit.body.total).toBe(1);
    const done = await p.post('/v1/runs', { input: 'x', spec: TINY });
    const kept = await p.call('POST', `/v1/runs/${done.body.run_id}/cancel`);
    expect(kept.body.status).toBe('completed');
    const unknown = await p.call('POST', '/v1/runs/nope/cancel');
    expect(unknown.status).toBe(404);
    expect(unknown.body.detail.error).toBe('not_found');
  });

  test('48, 49 checkpoints are numbered without gap; the diff is of the last two (RP-012, RP-068)', async () => {
    const run = await p.post('/v1/runs', { input: 'x', spec_path: 'support-triage.yaml' });
    const id = run.body.run_id;
    const list = await p.get(`/v1/runs/${id}/checkpoints`);
    expect(list.body.checkpoints.map((item: Loose) => item.sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(list.body.checkpoints.map((item: Loose) => item.type)).toEqual([
      'run_started',
      'step_completed',
      'step_completed',
      'step_completed',
      'run_completed',
    ]);
    const events = list.body.checkpoints.flatMap((item: Loose) => item.trace_events);
    const trace = await p.get(`/v1/runs/${id}/trace`);
    expect(events).toEqual(trace.body.events);
    expect(list.body.checkpoints.at(-1).state.trace_events).toEqual(trace.body.events);
    const diff = await p.get(`/v1/runs/${id}/checkpoints/diff`);
    expect(diff.body.from_checkpoint.sequence).toBe(4);
    expect(diff.body.to_checkpoint.sequence).toBe(5);
    const bad = await p.get(`/v1/runs/${id}/checkpoints/diff?from_sequence=2&to_sequence=2`);
    expect(bad.status).toBe(400);
    expect((await p.get(`/v1/runs/${id}/checkpoints/diff?from_sequence=77`)).status).toBe(400);
    expect((await p.get(`/v1/runs/${id}/checkpoints/diff?from_sequence=0`)).status).toBe(422);
    expect((await p.get('/v1/runs/nope/checkpoints')).status).toBe(404);
  });

  test('49 a diff names at most 200 changes and counts them all', async () => {
    const spec: Loose = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'sequential',
        name: 'long',
        steps: Array.from({ length: 230 }, (_item, n) => ({
          id: `s${n}`,
          kind: 'agent',
          ref: 'writer',
        })),
      },
      components: { agents: { writer: { name: 'writer' } } },
    };
    const { body: run } = await p.post('/v1/runs', { input: 'x', spec });
    const at = `/v1/runs/${run.run_id}/checkpoints/diff`;
    const { body: diff } = await p.get(`${at}?from_sequence=1&to_sequence=231`);
    const listed = diff.added.length + diff.removed.length + diff.changed.length;
    expect([listed, diff.truncated]).toEqual([200, true]);
    expect(diff.change_count).toBeGreaterThan(400);
    const back = (await p.get(`${at}?from_sequence=231&to_sequence=1`)).body;
    expect(back.change_count).toBe(diff.change_count);
    const small = (await p.get(`${at}?from_sequence=2&to_sequence=3`)).body;
    const paths = small.changed.map(({ path: place }: Loose) => place);
    expect(small.truncated).toBe(false);
    expect(paths).toEqual([...paths].sort());
    expect(small.change_count).toBe(
      small.added.length + small.removed.length + small.changed.length,
    );
    expect(small.changed[0]).toHaveProperty('before');
    expect(small.added.map(({ path: place }: Loose) => place)).toContain('state.visited_steps[1]');
  });

  test('project functions: found and trusted they run; untrusted or absent they are findings', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'project-'));
    mkdirSync(path.join(folder, 'functions'));
    writeFileSync(
      path.join(folder, 'functions', 'words.ts'),
      'export const loud = (text: string): string => text.toUpperCase();\n',
    );
    const body = { input: 'x', spec: functionSpec('words.loud') };
    const trusted = await startTestPlatform({ specRoot: folder, trusted: true });
    const untrusted = await startTestPlatform({ specRoot: folder });
    try {
      const run = await trusted.post('/v1/runs', body);
      expect(run.body.output_text).toBe('Final answer: FINAL ANSWER: X');
      const refused = await untrusted.post('/v1/runs', body);
      expect(refused.status).toBe(400);
      expect(refused.body.detail.diagnostics[0].code).toBe('E_HANDLER_UNTRUSTED');
      const missing = await trusted.post('/v1/specs/compile', { spec: functionSpec('no.such') });
      expect(missing.status).toBe(400);
      expect(missing.body.detail.diagnostics[0]).toMatchObject({
        code: 'E_HANDLER_NOT_FOUND',
        path: 'components.functions.work.implementation',
      });
      const valid = await untrusted.post('/v1/specs/validate', { spec: body.spec });
      expect(valid.body.valid).toBe(true);
    } finally {
      await trusted.stop();
      await untrusted.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('64 the run keeps the spec that it was created with', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'frozen-'));
    const file = path.join(folder, 'spec.yaml');
    writeFileSync(file, JSON.stringify(humanSpec()));
    const q = await startTestPlatform({ specRoot: folder });
    try {
      const run = await q.post('/v1/runs', { input: 'x', spec_path: 'spec.yaml' });
      const before = await q.get(`/v1/runs/${run.body.run_id}/graph`);
      writeFileSync(file, 'version: v1\nagent: {name: other}\n');
      expect((await q.get(`/v1/runs/${run.body.run_id}/graph`)).body).toEqual(before.body);
      expect(before.body.nodes.map((node: Loose) => node.step_kind)).toEqual([
        'agent',
        'human',
        'agent',
      ]);
      const report = await q.get(`/v1/runs/${run.body.run_id}/policy-report`);
      expect(report.body.report.summary.human_review_step_count).toBe(1);
    } finally {
      await q.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('strict false: semantic errors are kept in the metadata, what cannot be built fails (3.1)', async () => {
    const spec = humanSpec({ default_option: 'none' });
    expect((await p.post('/v1/runs', { input: 'x', spec })).body.detail.error).toBe('spec_invalid');
    const run = await p.post('/v1/runs', { input: 'x', spec, strict: 'false' });
    expect(run.body.status).toBe('blocked');
    const expected = [
      expect.objectContaining({
        code: 'E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS',
        severity: 'error',
        path: 'components.humans.lead.default_option',
      }),
    ];
    for (const metadata of [
      run.body.metadata,
      (await p.get(`/v1/runs/${run.body.run_id}`)).body.metadata,
      (await p.get('/v1/runs?limit=1')).body.runs[0].metadata,
    ]) {
      expect(metadata.diagnostics).toEqual(expected);
    }
    const clean = await p.post('/v1/runs', { input: 'x', spec: TINY, strict: false });
    expect(clean.body.metadata.diagnostics).toEqual([]);
    const unbuildable = functionSpec('work.flaky');
    unbuildable.workflow.steps.push({ id: 'lost', kind: 'agent', ref: 'nobody' });
    const failed = await p.post('/v1/runs', { input: 'x', spec: unbuildable, strict: false });
    expect(failed.status).toBe(400);
    const broken = await p.post('/v1/runs', { input: 'x', spec: { version: 'v1' }, strict: false });
    expect(broken.body.detail.error).toBe('spec_invalid');
  });

  test('64 a date where text is wanted is refused also when the run is rebuilt from storage', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dates-'));
    writeFileSync(path.join(folder, 'base.yaml'), 'version: v1\nagent: {name: 2026-01-31}\n');
    writeFileSync(path.join(folder, 'good.yaml'), 'version: v1\nagent: {name: a}\n');
    writeFileSync(path.join(folder, 'over.yaml'), 'agent: {system_prompt: 2026-01-31}\n');
    const q = await startTestPlatform({ specRoot: folder });
    try {
      for (const source of [
        { spec_path: 'base.yaml' },
        { spec_path: 'good.yaml', overlays: ['over.yaml'] },
      ]) {
        expect((await q.post('/v1/specs/validate', source)).body.valid).toBe(false);
        const sync = await q.post('/v1/runs', { input: 'x', ...source });
        expect(sync.body.detail.error).toBe('spec_invalid');
        const queued = await q.post('/v1/runs', { input: 'x', ...source, async_mode: true });
        const done = await q.waitFor(queued.body.run_id, 'completed', 'failed');
        expect(done.body.error?.type).toBe('SpecCompilationError');
      }
    } finally {
      await q.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('69 both spellings of the timeout set the deadline; a request carries both type fields (RP-011, RP-027)', async () => {
    for (const field of ['timeout', 'timeout_seconds']) {
      const run = await p.post('/v1/runs', { input: 'x', spec: humanSpec(), [field]: 30 });
      const status = await p.get(`/v1/runs/${run.body.run_id}`);
      expect(status.body.deadline_at).toBeGreaterThan(Date.now() / 1000);
      expect(status.body.metadata.timeout_seconds).toBe(30);
      const request = status.body.pending_human_request;
      expect(request.type).toBe('approval');
      expect(request.request_type).toBe('approval');
    }
  });
});

describe('human tasks', () => {
  test('36 cancelling a blocked run removes its task (RP-038)', async () => {
    const run = await startBlocked();
    await p.call('POST', `/v1/runs/${run.run_id}/cancel`);
    expect((await p.get(`/v1/human-tasks?run_id=${run.run_id}`)).body.total).toBe(0);
    expect((await p.get(`/v1/human-tasks/${run.continuation_id}`)).status).toBe(404);
  });

  test('37 a human step blocks the run and lists a task (RP-004, RP-013–RP-015)', async () => {
    const run = await startBlocked();
    expect(run).toMatchObject({
      human_intervention_required: true,
      output_text: 'Human intervention required.',
    });
    const [task] = (await p.get(`/v1/human-tasks?run_id=${run.run_id}`)).body.tasks;
    expect(task).toMatchObject({
      id: run.continuation_id,
      continuation_id: run.continuation_id,
      status: 'pending',
      run_id: run.run_id,
      workflow_kind: 'sequential',
    });
    expect(task.request_id).toBe(task.pending_human_request.id);
    expect(task.expires_at).toBeGreaterThan(Date.now() / 1000);
    expect(run.metadata.request.id).toBe(task.request_id);
    const one = await p.get(`/v1/human-tasks/${run.continuation_id}`);
    expect(one.body.messages).toHaveLength(2);
  });

  test('38, 39 each decision passes its value on; a last human step completes the run (RP-072)', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ decision: 'approved' }, 'Final answer: hello'],
      [{ decision: 'edited', content: 'better' }, 'better'],
      [{ decision: 'rejected', content: 'no' }, 'Rejected by human reviewer: no'],
      [{ decision: 'rejected' }, 'Rejected by human reviewer: '],
      [{ decision: 'provided', content: 'given' }, 'given'],
    ];
    for (const [body, output] of cases) {
      const run = await startBlocked(humanSpec({}, false));
      const answer = await resume(run, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ status: 'completed', output_text: output });
    }
    const select = humanSpec({ request_type: 'selection', options: ['a', 'b'] }, false);
    const run = await startBlocked(select);
    const unknown = await resume(run, { decision: 'selected', selected_option: 'c' });
    expect(unknown.status).toBe(422);
    expect(unknown.body.detail.errors[0].loc).toEqual(['body', 'selected_option']);
    const answer = await resume(run, { decision: 'selected', selected_option: 'b' });
    expect(answer.body.output_text).toBe('b');
  });

  test('40 resuming twice: 404 without a key, a replay with it', async () => {
    const plain = await startBlocked();
    const { body: task } = await p.get(`/v1/human-tasks/${plain.continuation_id}`);
    const route = `/v1/human-tasks/${plain.continuation_id}/resume`;
    const body = { request_id: task.request.id, decision: 'approved' };
    const headers = { 'idempotency-key': `r-${Math.random()}` };
    const first = await p.post(route, body, { headers });
    expect(first.body.status).toBe('completed');
    expect((await p.post(route, body)).status).toBe(404);
    expect((await p.post(route, body, { headers })).body).toEqual(first.body);
  });

  test('41, 45 the deadline of a task and of a run (RP-040, RP-046, RP-115)', async () => {
    const late = await startBlocked();
    const escalating = await startBlocked(humanSpec({ on_timeout: 'escalate' }));
    const timed = await p.post('/v1/runs', { input: 'x', spec: humanSpec(), timeout: 5 });
    p.clock.skewMs += 61_000;
    const expired = await resume(late, { decision: 'approved' });
    expect(expired.status).toBe(409);
    expect(expired.body.detail).toMatchObject({
      error: 'human_task_expired',
      continuation_id: late.continuation_id,
    });
    expect(expired.body.detail.expires_at).toBeTypeOf('number');
    expect((await resume(escalating, { decision: 'approved' })).status).toBe(200);
    const report = await p.service.sweep();
    expect(report.timed_out).toBeGreaterThanOrEqual(1);
    const status = (await p.get(`/v1/runs/${timed.body.run_id}`)).body;
    expect(status).toMatchObject({
      status: 'timed_out',
      error: { type: 'run_timed_out', message: 'Run exceeded its 5s timeout.' },
    });
    const audit = await p.get(
      `/v1/audit-events?run_id=${timed.body.run_id}&event_type=run.timed_out`,
    );
    expect(audit.body.events[0].metadata.status_at_timeout).toBe('blocked');
    const types = (await p.get(`/v1/runs/${timed.body.run_id}/checkpoints`)).body.checkpoints;
    expect(types.at(-1).type).toBe('run_timed_out');
  });

  test('42 resuming a run that does not fit is 409 (RP-033, RP-111)', async () => {
    const run = await startBlocked();
    const wrong = await p.post(`/v1/human-tasks/${run.continuation_id}/resume`, {
      request_id: 'other',
      decision: 'approved',
    });
    expect(wrong.status).toBe(409);
    expect(wrong.body.detail).toMatchObject({
      error: 'run_state_conflict',
      run_id: run.run_id,
      status: 'blocked',
    });
    const minted = await p.post(`/v1/human-tasks/${run.continuation_id}/resume`, {
      request_id: `dash-${'0'.repeat(32)}`,
      decision: 'approved',
    });
    expect(minted.status).toBe(200);
  });

  test('43, 44 the task sweep: fail, continue, escalate (RP-030, RP-041–RP-045, RP-070)', async () => {
    const fail = await startBlocked(humanSpec({ on_timeout: 'fail' }));
    const goOn = await startBlocked(humanSpec({ on_timeout: 'continue' }));
    const escalate = await startBlocked(humanSpec({ on_timeout: 'escalate', assignee: 'boss' }));
    p.clock.skewMs += 61_000;
    await p.service.sweep();
    const status = async (run: Loose) => (await p.get(`/v1/runs/${run.run_id}`)).body;
    expect(await status(fail)).toMatchObject({
      status: 'expired',
      error: {
        type: 'human_task_expired',
        message: 'Human task did not complete within 60s timeout.',
      },
    });
    expect((await status(goOn)).status).toBe('completed');
    expect((await status(escalate)).status).toBe('blocked');
    const second = await p.service.sweep();
    expect(second.escalated).toBe(0);
    const listed = await p.get('/v1/human-tasks?status=escalated');
    const mine = listed.body.tasks.filter((task: Loose) => task.run_id === escalate.run_id);
    expect(mine[0].pending_human_request.escalated_at).toBeTypeOf('number');
    expect(listed.body.tasks.every((task: Loose) => task.status === 'escalated')).toBe(true);
    expect((await p.get('/v1/human-tasks?status=zzz')).status).toBe(422);
    for (const [run, type] of [
      [fail, 'human.expired'],
      [goOn, 'human.continued'],
      [escalate, 'human.escalated'],
    ] as const) {
      const audit = await p.get(`/v1/audit-events?run_id=${run.run_id}&event_type=${type}`);
      expect([type, audit.body.total]).toEqual([type, 1]);
    }
    expect((await resume(escalate, { decision: 'approved' })).body.status).toBe('completed');
  });
});

describe('continue', () => {
  test('46 what cannot go on is 409; a failed sequential run restarts at the failed step (RP-034, RP-036)', async () => {
    const done = await p.post('/v1/runs', { input: 'x', spec: TINY });
    const conflict = await p.call('POST', `/v1/runs/${done.body.run_id}/continue`);
    expect(conflict.status).toBe(409);
    expect(conflict.body.detail).toMatchObject({
      error: 'run_state_conflict',
      run_id: done.body.run_id,
      status: 'completed',
      message: `Cannot continue run ${done.body.run_id}: status is 'completed'.`,
    });
    const session_id = `cont-${Math.random()}`;
    flakyFails = true;
    seen.length = 0;
    await p.post('/v1/runs', { input: 'go', spec: functionSpec('work.flaky'), session_id });
    const [failed] = (await p.get(`/v1/runs?session_id=${session_id}`)).body.runs;
    expect(failed.status).toBe('failed');
    const recovery = await p.get(`/v1/runs/${failed.id}/recovery`);
    expect(recovery.body.replay_context).toMatchObject({
      can_continue: true,
      failed_step: 'second',
      completed_steps: ['first'],
      resume_input: 'Final answer: go',
    });
    flakyFails = false;
    const continued = await p.call('POST', `/v1/runs/${failed.id}/continue`);
    expect(continued.status).toBe(200);
    expect(continued.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: done: Final answer: go',
    });
    expect(seen).toEqual(['Final answer: go', 'Final answer: go']);
    const after = (await p.get(`/v1/runs/${failed.id}`)).body;
    expect(after.error).toBeNull();
    const types = (await p.get(`/v1/runs/${failed.id}/checkpoints`)).body.checkpoints.map(
      (item: Loose) => item.type,
    );
    expect(types).toContain('replay_context');
    expect(types.at(-1)).toBe('run_completed');
    const trace = await p.get(`/v1/runs/${failed.id}/trace`);
    const ids = trace.body.events.map((event: Loose) => event.event_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('46 every other state that cannot go on: cancelled, expired, timed out, queued, running', async () => {
    const conflict = async (id: string, status: string) => {
      const answer = await p.call('POST', `/v1/runs/${id}/continue`);
      expect([answer.status, answer.body.detail.error]).toEqual([409, 'run_state_conflict']);
      expect(answer.body.detail).toMatchObject({ run_id: id, status });
      const { replay_context: context } = (await p.get(`/v1/runs/${id}/recovery`)).body;
      expect(context.can_continue).toBe(false);
    };
    const { open } = gate('held');
    const body = { input: 'held', spec: functionSpec('work.wait'), async_mode: true };
    const running = (await p.post('/v1/runs', body)).body.run_id;
    await p.waitFor(running, 'running');
    await conflict(running, 'running');
    const queued = (await p.post('/v1/runs', body)).body.run_id;
    await conflict(queued, 'queued');
    const cancelled = await p.call('POST', `/v1/runs/${queued}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', error: { type: 'cancelled' } });
    await conflict(queued, 'cancelled');
    open();
    await p.waitFor(running, 'completed');
    expect((await p.get(`/v1/runs/${queued}`)).body).toMatchObject({
      status: 'cancelled',
      visited_steps: [],
    });
    const expired = await startBlocked();
    const timed = await p.post('/v1/runs', {
      input: 'x',
      spec: humanSpec({ timeout_seconds: 500 }),
      timeout: 5,
    });
    p.clock.skewMs += 61_000;
    await p.service.sweep();
    await conflict(expired.run_id, 'expired');
    await conflict(timed.body.run_id, 'timed_out');
  });

  test('46 a failed graph restarts at the failed node, visited nodes kept', async () => {
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'graph',
        name: 'g',
        start: 'a',
        nodes: {
          a: { id: 'a', kind: 'agent', ref: 'writer' },
          b: { id: 'b', kind: 'function', ref: 'work' },
          c: { id: 'c', kind: 'agent', ref: 'writer' },
        },
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'c' },
        ],
      },
      components: {
        agents: { writer: { name: 'writer' } },
        functions: { work: { implementation: 'work.flaky' } },
      },
    };
    flakyFails = true;
    seen.length = 0;
    await p.post('/v1/runs', { input: 'go', spec, session_id: 'graph-46' });
    const [failed] = (await p.get('/v1/runs?session_id=graph-46')).body.runs;
    expect(failed.status).toBe('failed');
    const { replay_context: context } = (await p.get(`/v1/runs/${failed.id}/recovery`)).body;
    expect(context).toMatchObject({
      workflow_type: 'graph',
      failed_node: 'b',
      completed_nodes: ['a'],
      can_continue: true,
    });
    flakyFails = false;
    const continued = await p.call('POST', `/v1/runs/${failed.id}/continue`);
    expect(continued.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: done: Final answer: go',
    });
    expect(seen).toEqual(['Final answer: go', 'Final answer: go']);
    const graph = (await p.get(`/v1/runs/${failed.id}/graph`)).body;
    expect(graph).toMatchObject({
      workflow_kind: 'graph',
      visited: ['a', 'b', 'c'],
      max_steps: 50,
    });
    expect(graph.nodes[0]).toMatchObject({ kind: 'agent', step_kind: 'agent', on_error: 'fail' });
    const sequences = (await p.get(`/v1/runs/${failed.id}/checkpoints`)).body.checkpoints;
    expect(sequences.map(({ sequence }: Loose) => sequence)).toEqual(
      sequences.map((_item: Loose, index: number) => index + 1),
    );
  });

  test('46 a graph that ended at its step cap failed with max_iterations and goes nowhere (3.2)', async () => {
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'graph',
        name: 'ring',
        start: 'a',
        max_steps: 3,
        nodes: { a: { id: 'a', kind: 'agent', ref: 'writer' } },
        edges: [{ from: 'a', to: 'a' }],
      },
      components: { agents: { writer: { name: 'writer' } } },
    };
    const run = await p.post('/v1/runs', { input: 'x', spec });
    expect([run.status, run.body.status]).toEqual([200, 'failed']);
    const status = (await p.get(`/v1/runs/${run.body.run_id}`)).body;
    expect(status.error.type).toBe('max_iterations');
    expect(status.visited_nodes).toEqual(['a', 'a', 'a']);
    const types = (await p.get(`/v1/runs/${run.body.run_id}/checkpoints`)).body.checkpoints;
    expect(types.map(({ type }: Loose) => type)).not.toContain('run_failed');
    const answer = await p.call('POST', `/v1/runs/${run.body.run_id}/continue`);
    expect(answer.body.detail.error).toBe('run_state_conflict');
  });

  test('46, 30 one key on two runs is two operations; with one key the second continue replays', async () => {
    const key = { headers: { 'idempotency-key': `cont-${Math.random()}` } };
    const [one, two] = [await startBlocked(), await startBlocked()];
    const first = await p.call('POST', `/v1/runs/${one.run_id}/continue`, key);
    const second = await p.call('POST', `/runs/${two.run_id}/continue`, key);
    expect([first.body.run_id, second.body.run_id]).toEqual([one.run_id, two.run_id]);
    const replay = await p.call('POST', `/runs/${one.run_id}/continue`, key);
    expect([replay.status, replay.body]).toEqual([200, first.body]);
  });

  test('47 a blocked run gets its default answer where one may be given (RP-031, RP-032)', async () => {
    const approval = await startBlocked();
    const operator = await p.call('POST', `/v1/runs/${approval.run_id}/continue`, {
      key: 'operator-key',
    });
    expect(operator.status).toBe(403);
    expect(operator.body.detail.required_scope).toBe('human:write');
    const answers = await Promise.all([
      p.call('POST', `/v1/runs/${approval.run_id}/continue`, { key: 'service-key' }),
      p.call('POST', `/v1/runs/${approval.run_id}/continue`, { key: 'service-key' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const select = await startBlocked(
      humanSpec({ request_type: 'selection', options: ['a', 'b'], default_option: 'b' }, false),
    );
    const chosen = await p.call('POST', `/v1/runs/${select.run_id}/continue`);
    expect(chosen.body.output_text).toBe('b');
    for (const human of [
      { request_type: 'selection', options: ['a'] },
      { request_type: 'correction' },
      { request_type: 'freeform' },
    ]) {
      const run = await startBlocked(humanSpec(human));
      const refused = await p.call('POST', `/v1/runs/${run.run_id}/continue`);
      expect(refused.status).toBe(409);
      expect(refused.body.detail.message).toContain(`/human-tasks/${run.continuation_id}/resume`);
    }
  });
});

describe('policies, audit, credentials', () => {
  test('54–56, 70 policies: scopes, replacement, enforcement, preview (RP-006, RP-080, RP-081, RP-095, RP-096)', async () => {
    const route = '/v1/policies/environment/locked';
    const unset = await p.get(route);
    expect(unset.body).toEqual({ environment: 'locked', policy: null, previous_policy: null });
    const put = (body: unknown, key = 'operator-key') => p.call('PUT', route, { body, key });
    expect((await put({ require_human_review: true }, 'service-key')).status).toBe(403);
    expect((await put({ zzz: 1 })).status).toBe(422);
    const first = await put({ require_guardrails: true });
    expect(first.body.previous_policy).toBeNull();
    await p.post('/v1/runs', { input: 'x', spec: humanSpec(), environment: 'locked' });
    const preview = await p.post(`${route}/preview`, { require_guardrails: false });
    expect(preview.body).toMatchObject({
      diff: { require_guardrails: { from: true, to: false } },
      newly_blocking: [],
    });
    const second = await put({ require_human_review: true });
    expect(second.body.previous_policy.require_guardrails).toBe(true);
    expect(second.body.policy.require_guardrails).toBe(false);
    const ok = await p.post('/v1/runs', { input: 'x', spec: humanSpec(), environment: 'locked' });
    expect(ok.status).toBe(200);
    const stricter = await p.post(`${route}/preview`, {
      require_human_review: true,
      require_guardrails: true,
    });
    expect(stricter.body.newly_blocking).toContain(ok.body.run_id);
    expect(stricter.body.runs_evaluated).toBeGreaterThanOrEqual(1);
    const before = (await p.get('/v1/runs?limit=1')).body.total;
    for (const body of [
      { input: 'x', spec: TINY, environment: 'locked' },
      { input: 'x', spec: TINY, environment: 'locked', async_mode: true },
      { input: 'x', spec: { ...TINY, metadata: { environment: 'locked' } } },
    ]) {
      const blocked = await p.post('/v1/runs', body);
      expect(blocked.status).toBe(403);
      expect(blocked.body.detail.error).toBe('environment_policy_blocked');
      expect(blocked.body.detail.diagnostics[0].code).toBe('E_ENV_POLICY_HUMAN_REVIEW');
    }
    expect((await p.get('/v1/runs?limit=1')).body.total).toBe(before);
    for (const name of ['compile', 'graph', 'explain']) {
      const body = { spec: TINY, environment: 'locked' };
      expect((await p.post(`/v1/specs/${name}`, body)).status).toBe(403);
    }
    for (const name of ['validate', 'policy-report']) {
      const body = { spec: TINY, environment: 'locked' };
      expect((await p.post(`/v1/specs/${name}`, body)).status).toBe(200);
    }
    await put({ enabled: false, require_human_review: true });
    expect(
      (await p.post('/v1/runs', { input: 'x', spec: TINY, environment: 'locked' })).status,
    ).toBe(200);
    const listed = await p.get('/v1/policies/environment');
    expect(listed.body.count).toBe(1);
    const audit = await p.get('/v1/audit-events?event_type=policy.changed&limit=1');
    expect(audit.body.events[0].metadata).toMatchObject({
      environment: 'locked',
      changed_fields: ['enabled'],
    });
  });

  test('57 credentials show presence, never a value (RP-082)', async () => {
    const q = await startTestPlatform({ env: { OPENAI_API_KEY: 'sk-very-secret-value' } });
    try {
      const answer = await q.get('/v1/security/credentials?providers=openai&providers=my-llm');
      expect(answer.body.inventory.providers).toMatchObject({
        openai: {
          env_var: 'OPENAI_API_KEY',
          present: true,
          value: '[REDACTED]',
          status: 'present',
        },
        'my-llm': { env_var: 'MY_LLM_API_KEY', present: false, value: null, status: 'missing' },
      });
      expect(answer.body.inventory.service_tokens.SERV_API_KEYS.present).toBe(true);
      expect(answer.text).not.toContain('sk-very');
      const none = await q.get('/v1/security/credentials?include_service_tokens=no');
      expect(none.body.inventory.service_tokens).toEqual({});
    } finally {
      await q.stop();
    }
  });

  test('58 a missing configured provider makes readyz 503 with its checks (RP-123, RP-125)', async () => {
    const q = await startTestPlatform({ env: { SERV_HEALTH_PROVIDERS: 'openai' } });
    try {
      const answer = await q.get('/readyz', { key: null });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.body.detail.error).toBe('not_ready');
      const checks = answer.body.detail.metadata.checks;
      expect(checks.providers.items.openai).toEqual({
        name: 'openai',
        env_var: 'OPENAI_API_KEY',
        present: false,
        value: null,
      });
    } finally {
      await q.stop();
    }
  });

  test('59, 60 secrets are masked everywhere; numbers and the session id are not (RP-100)', async () => {
    const session_id = `sess-${Math.random()}`;
    const headers = { 'idempotency-key': `red-${Math.random()}` };
    const body = {
      input: 'mail a@b.co, sk-abcdefghijklmnop, Bearer abc.def, password=hunter2',
      spec: humanSpec(),
      session_id,
      metadata: { session_id: 'hidden', password_hint: 'x', token_budget: 4000, total_tokens: 7 },
    };
    const run = await p.post('/v1/runs', body, { headers });
    const id = run.body.run_id;
    const replayed = await p.post('/v1/runs', body, { headers });
    for (const answer of [
      run,
      replayed,
      await p.get(`/v1/runs/${id}`),
      await p.get(`/v1/runs?session_id=${session_id}`),
      await p.get(`/v1/runs/${id}/trace`),
      await p.get(`/v1/runs/${id}/checkpoints`),
      await p.get(`/v1/runs/${id}/replay`),
      await p.get(`/v1/human-tasks?run_id=${id}`),
      await p.get(`/v1/human-tasks/${run.body.continuation_id}`),
      await p.get(`/v1/audit-events?run_id=${id}`),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(/a@b\.co|sk-abc|abc\.def|hunter2/);
    }
    const record = (await p.get(`/v1/runs?session_id=${session_id}`)).body.runs[0];
    expect(record.session_id).toBe(session_id);
    expect(record.metadata.caller_metadata).toMatchObject({
      session_id: '[REDACTED]',
      token_budget: 4000,
      total_tokens: 7,
    });
    const checkpoints = await p.get(`/v1/runs/${id}/checkpoints`);
    expect(checkpoints.body.checkpoints[0].state.session_id).toBe(session_id);
  });

  test('61 each operation leaves its audit event, refusals none (RP-005, RP-098, RP-099, RP-105)', async () => {
    const total = async () => (await p.get('/v1/audit-events?limit=1')).body.total as number;
    const before = await total();
    await p.post('/v1/runs', { input: 'x' });
    await p.get('/v1/runs', { key: null });
    expect(await total()).toBe(before);
    const run = await p.post('/v1/runs', {
      input: 'x',
      spec_path: 'translation-skills.yaml',
      skills: { add: [], disable: ['plain-language'] },
    });
    expect(run.status).toBe(200);
    const events = (await p.get(`/v1/audit-events?run_id=${run.body.run_id}`)).body.events;
    expect(events.map((event: Loose) => event.event_type).sort()).toEqual([
      'run.created',
      'run.skills_overlay',
    ]);
    const created = events.find((event: Loose) => event.event_type === 'run.created');
    expect(created.actor).toBe('admin');
    expect(created.metadata).toMatchObject({
      async_mode: false,
      target: 'workflow',
      inline_spec: false,
      skills_overlay: { add: [], disable: ['plain-language'] },
    });
    await p.post('/v1/specs/validate', { spec: { version: 'v1' } });
    const validated = await p.get('/v1/audit-events?event_type=spec.validated&limit=1');
    expect(validated.body.events[0].metadata).toMatchObject({ valid: false, inline_spec: true });
    const blocked = await startBlocked();
    await resume(blocked, { decision: 'edited', content: 'very private' });
    const decision = await p.get(
      `/v1/audit-events?run_id=${blocked.run_id}&event_type=human.decision`,
    );
    expect(decision.body.events[0].metadata).toMatchObject({
      decision: 'edited',
      has_content: true,
    });
    expect(decision.text).not.toContain('very private');
  });
});

describe('settings and restarts', () => {
  test('50 the trace cap drops and says so (RP-065, RP-144)', async () => {
    const q = await startTestPlatform({ env: { SERV_TRACE_MAX_EVENTS: '3' } });
    try {
      const run = await q.post('/v1/runs', { input: 'x', spec_path: 'support-triage.yaml' });
      const trace = await q.get(`/v1/runs/${run.body.run_id}/trace`);
      expect(trace.body).toMatchObject({ total: 3, dropped: 5, complete: false });
    } finally {
      await q.stop();
    }
  });

  test('51 a full queue refuses and leaves nothing (RP-137)', async () => {
    const { open } = gate('full');
    const q = await startTestPlatform({ handlers, env: { SERV_MAX_QUEUE_DEPTH: '1' } });
    try {
      const body = { input: 'full', spec: functionSpec('work.wait'), async_mode: true };
      const first = await q.post('/v1/runs', body);
      await q.waitFor(first.body.run_id, 'running');
      await q.post('/v1/runs', body);
      const runs = (await q.get('/v1/runs')).body.total;
      const audits = (await q.get('/v1/audit-events')).body.total;
      const headers = { 'idempotency-key': 'full-1' };
      const third = await q.post('/v1/runs', body, { headers });
      expect(third.status).toBe(503);
      expect(third.headers.get('retry-after')).toBe('5');
      expect(third.body.detail).toMatchObject({ error: 'queue_full', queue_depth: 1, limit: 1 });
      expect((await q.get('/v1/runs')).body.total).toBe(runs);
      expect((await q.get('/v1/audit-events')).body.total).toBe(audits);
      expect((await q.get('/metrics')).text).toContain('kneo_runs_rejected_total 1');
    } finally {
      open();
      await q.stop();
    }
  });

  test('63 a restart keeps runs, tasks, policies and idempotency records (RP-008, RP-147)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'restart-'));
    const file = path.join(folder, 'platform.db');
    const headers = { 'idempotency-key': 'restart-1' };
    const body = { input: 'x', spec: humanSpec() };
    const first = await startTestPlatform({ file });
    const run = await first.post('/v1/runs', body, { headers });
    await first.call('PUT', '/v1/policies/environment/prod', { body: { fail_on_warnings: true } });
    await first.stop();
    const second = await startTestPlatform({ file });
    try {
      expect((await second.post('/v1/runs', body, { headers })).body).toEqual(run.body);
      const policy = await second.get('/v1/policies/environment/prod');
      expect(policy.body.policy.fail_on_warnings).toBe(true);
      const task = await second.get(`/v1/human-tasks/${run.body.continuation_id}`);
      const answer = await second.post(`/v1/human-tasks/${run.body.continuation_id}/resume`, {
        request_id: task.body.request.id,
        decision: 'approved',
      });
      expect(answer.body.status).toBe('completed');
    } finally {
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('63 a store of a newer version refuses to start and stays as it is (RP-147)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'newer-'));
    const file = path.join(folder, 'platform.db');
    const first = await startTestPlatform({ file });
    await first.post('/v1/runs', { input: 'x', spec: TINY });
    await first.stop();
    const { default: Sqlite } = await import('better-sqlite3');
    const db = new Sqlite(file);
    const columns = db.pragma('table_info(schema_migrations)') as { name: string }[];
    const newest = db
      .prepare('SELECT * FROM schema_migrations ORDER BY version DESC LIMIT 1')
      .get() as Record<string, unknown>;
    const later: Record<string, unknown> = { ...newest, version: 9999, name: 'later' };
    const names = columns.map(({ name }) => name);
    db.prepare(
      `INSERT INTO schema_migrations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ).run(...names.map((name) => later[name]));
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const before = readFileSync(file);
    try {
      const refusal = await startTestPlatform({ file }).catch(String);
      expect(refusal).toContain('9999');
      expect(refusal).toContain(` ${String(newest['version'])}`);
      expect(readFileSync(file).equals(before)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('68 with authentication off foreign hosts and origins are refused', async () => {
    const q = await startTestPlatform({ env: { SERV_API_KEYS: '' } });
    try {
      const { port } = new URL(q.url);
      const ask = (headers: Record<string, string>, route = '/v1/runs') =>
        q.get(route, { key: null, headers });
      expect((await ask({})).status).toBe(200);
      const foreign = await ask({ origin: 'http://evil.example' });
      expect(foreign.status).toBe(403);
      expect(foreign.body.detail.error).toBe('forbidden');
      expect((await ask({ origin: 'null' })).status).toBe(403);
      expect((await ask({ referer: 'http://evil.example/x' })).status).toBe(403);
      expect((await ask({ origin: `http://127.0.0.1:${port}` })).status).toBe(200);
      expect((await ask({ origin: 'http://evil.example' }, '/healthz')).status).toBe(200);
    } finally {
      await q.stop();
    }
  });

  test('71 metrics can be switched off; token counters have both names (RP-104)', async () => {
    const q = await startTestPlatform({ env: { SERV_METRICS_ENABLED: 'false' } });
    try {
      expect((await q.get('/metrics')).status).toBe(404);
    } finally {
      await q.stop();
    }
    const { text } = await p.get('/metrics');
    expect(text).toMatch(/^tokens_input_total 0$/m);
    expect(text).toMatch(/^kneo_tokens_input_total 0$/m);
  });

  test('72 each stored audit event is one line of the export channel (RP-101)', async () => {
    const q = await startTestPlatform({ env: { SERV_AUDIT_EXPORT_ENABLED: '1' } });
    try {
      await q.post('/v1/runs', { input: 'x', spec: TINY });
      const lines = q.logs.filter(({ fields }) => fields['channel'] === 'serv.audit');
      expect(lines).toHaveLength(1);
      expect(lines[0]?.fields['event_type']).toBe('run.created');
    } finally {
      await q.stop();
    }
  });
});

describe('command line and shutdown', () => {
  test('66 exit codes: an invalid spec 1, an unknown command 2, a resume without a choice 1', async () => {
    const cli = createCli();
    try {
      cli.write('bad.yaml', 'version: v1\n');
      cli.write('good.yaml', ASKING);
      expect((await cli.run(['spec', 'validate', 'bad.yaml'])).code).toBe(1);
      expect((await cli.run(['spec', 'validate', 'good.yaml'])).code).toBe(0);
      expect((await cli.run(['spec', 'divine', 'good.yaml'])).code).toBe(2);
      expect((await cli.run(['divine'])).code).toBe(2);
      const none = await cli.run(['human', 'resume', 'some-task', '--request-id', 'r']);
      expect(none.code).toBe(1);
      expect(none.stderr).toContain('✗ ');
      const two = ['human', 'resume', 'some-task', '--request-id', 'r', '--approve', '--reject'];
      expect((await cli.run(two)).code).toBe(1);
    } finally {
      cli.dispose();
    }
  }, 60_000);

  test('73 SIGTERM ends the program with 0 after what runs has ended', async () => {
    const cli = createCli();
    try {
      const served = cli.start(['service', 'serve', '--port', '0']);
      const [line] = (await once(served.stdout ?? served, 'data')) as [Buffer];
      const url = line.toString().trim();
      const models = await startModelServer();
      models.answerWith(() => ({ text: 'late', delayMs: 1500 }));
      const model = { provider: 'openai-compatible', name: 'm' };
      const spec = {
        version: 'v1',
        agent: { name: 'a', model: { ...model, extra: { base_url: models.baseUrl('openai') } } },
      };
      const answer = fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { ...cli.credential(), 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'x', spec }),
      });
      await expect.poll(() => models.requests.length, { timeout: 10_000 }).toBe(1);
      const ended = once(served, 'close');
      served.kill('SIGTERM');
      expect(((await (await answer).json()) as Loose).output_text).toBe('late');
      expect(await ended).toEqual([0, null]);
      await models.stop();
    } finally {
      cli.dispose();
    }
  }, 60_000);

  test('73 at shutdown claiming stops, work gets its time, what is left is leased again (RP-139)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'shutdown-'));
    const file = path.join(folder, 'platform.db');
    const env = {
      SERV_SHUTDOWN_TIMEOUT_SECONDS: '0.4',
      SERV_WORKER_LEASE_SECONDS: '1',
      SERV_WORKER_CONCURRENCY: '2',
    };
    const short = gate('short');
    gate('long');
    const body = (input: string) => ({
      input,
      spec: functionSpec('work.wait'),
      async_mode: true,
    });
    const q = await startTestPlatform({ file, handlers, env });
    const ends = await q.post('/v1/runs', body('short'));
    const stays = await q.post('/v1/runs', body('long'));
    await q.waitFor(ends.body.run_id, 'running');
    await q.waitFor(stays.body.run_id, 'running');
    const waits = await q.post('/v1/runs', body('waits'));
    const began = performance.now();
    const stopping = q.service.stop();
    setTimeout(() => short.open(), 100);
    await stopping;
    expect(performance.now() - began).toBeGreaterThan(350);
    expect(performance.now() - began).toBeLessThan(5000);
    const { default: Sqlite } = await import('better-sqlite3');
    const db = new Sqlite(file, { readonly: true });
    const statusOf = db.prepare('SELECT status FROM runs WHERE id = ?').pluck();
    const left = [ends, stays, waits].map(({ body: { run_id: id } }) => statusOf.get(id));
    db.close();
    expect(left).toEqual(['completed', 'running', 'queued']);
    gates.clear();
    const again = await startTestPlatform({ file, handlers, env });
    try {
      for (const { body: run } of [stays, waits]) {
        const done = await again.waitFor(run.run_id, 'completed', 'failed');
        expect(done.body.status).toBe('completed');
      }
    } finally {
      await again.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('specs over HTTP', () => {
  test('75 an attempt that timed out is repeated only when the settings say so', async () => {
    let calls = 0;
    const slow = {
      'work.slow': async () => {
        calls += 1;
        if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
        return 'in time';
      },
    };
    const spec = functionSpec('work.slow', { max_retries: 2, timeout_seconds: 1 });
    for (const [setting, attempts, status] of [
      ['false', 1, 'failed'],
      ['true', 2, 'completed'],
    ] as const) {
      calls = 0;
      const q = await startTestPlatform({
        handlers: slow,
        env: { SERV_WORKFLOW_RETRY_ON_TIMEOUT: setting },
      });
      try {
        const run = await q.post('/v1/runs', { input: 'x', spec, session_id: 'slow' });
        expect(run.status).toBe(status === 'failed' ? 500 : 200);
        const [record] = (await q.get('/v1/runs?session_id=slow')).body.runs;
        expect(record.status).toBe(status);
        if (status === 'failed') expect(record.error.type).toBe('RetryTimeoutError');
        expect(calls).toBe(attempts);
      } finally {
        await q.stop();
      }
    }
  });

  test('75 a model call that timed out likewise (SERV_PROVIDER_RETRY_ON_TIMEOUT)', async () => {
    const models = await startModelServer();
    const spec = {
      version: 'v1',
      agent: {
        name: 'a',
        model: {
          provider: 'openai-compatible',
          name: 'm',
          extra: { base_url: models.baseUrl('openai') },
        },
      },
    };
    const env = { SERV_PROVIDER_RETRIES: '2', SERV_PROVIDER_TIMEOUT_SECONDS: '0.3' };
    try {
      for (const [setting, requests, status] of [
        ['off', 1, 500],
        ['on', 2, 200],
      ] as const) {
        models.reset();
        models.reply({ fault: { kind: 'hang' } }, { text: 'second' });
        const q = await startTestPlatform({
          env: { ...env, SERV_PROVIDER_RETRY_ON_TIMEOUT: setting },
        });
        const run = await q.post('/v1/runs', { input: 'x', spec });
        await q.stop();
        expect([run.status, models.requests.length]).toEqual([status, requests]);
      }
    } finally {
      await models.stop();
    }
  });

  test('graphs of other workflow kinds are empty, of a run as of a spec (3.7)', async () => {
    const participants = [{ id: 'a', kind: 'agent', ref: 'writer' }];
    const kinds: readonly Loose[] = [
      undefined,
      { type: 'handoff', name: 'h', participants, selector: { type: 'sequence' } },
      { type: 'group-chat', name: 'g', participants, rounds: 1 },
      { type: 'concurrent', name: 'c', participants },
    ];
    for (const workflow of kinds) {
      const spec = {
        version: 'v1',
        agent: { name: 'desk' },
        ...(workflow === undefined ? {} : { workflow }),
        components: { agents: { writer: { name: 'writer' } } },
      };
      const graph = await p.post('/v1/specs/graph', { spec });
      expect([graph.status, graph.body]).toEqual([
        200,
        {
          workflow_name: workflow?.name ?? null,
          workflow_kind: null,
          start: null,
          max_steps: null,
          nodes: [],
          edges: [],
        },
      ]);
      const { body: run } = await p.post('/v1/runs', { input: 'x', spec });
      const own = (await p.get(`/v1/runs/${run.run_id}/graph`)).body;
      expect(own).toMatchObject({ ...graph.body, run_id: run.run_id, status: 'completed' });
      expect(own.visited).toBeInstanceOf(Array);
    }
  });

  test('compile: semantic errors are reported with strict false, schema errors stay 400 (3.10)', async () => {
    const semantic = humanSpec({ default_option: 'none' });
    const strict = await p.post('/v1/specs/compile', { spec: semantic });
    expect(strict.status).toBe(400);
    expect(strict.body.detail.diagnostics[0].code).toBe('E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS');
    const loose = await p.post('/v1/specs/compile', { spec: semantic, strict: false });
    expect([loose.status, loose.body.ok]).toEqual([200, false]);
    expect(loose.body.summary).toMatchObject({ has_root_agent: true, has_root_workflow: true });
    expect(loose.body.diagnostics.map(({ code }: Loose) => code)).toContain(
      'E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS',
    );
    const schema = await p.post('/v1/specs/compile', { spec: { version: 'v1' }, strict: false });
    expect(schema.status).toBe(400);
    for (const name of ['explain', 'graph']) {
      for (const spec of [semantic, { version: 'v1' }]) {
        const answer = await p.post(`/v1/specs/${name}`, { spec });
        expect(answer.body.detail.error).toBe('spec_invalid');
      }
      const byPath = await p.post(`/v1/specs/${name}`, { spec_path: 'invalid/bad-version.yaml' });
      expect([byPath.status, byPath.body.detail.error]).toEqual([400, 'spec_invalid']);
    }
    const report = await p.post('/v1/specs/policy-report', { spec: { version: 'v1' } });
    expect(report.body).toEqual({
      valid: false,
      report: { valid: false, diagnostics: expect.any(Array) },
    });
    for (const name of ['validate', 'compile', 'explain', 'graph', 'policy-report']) {
      const missing = await p.post(`/v1/specs/${name}`, { spec_path: 'none.yaml' });
      expect([name, missing.status, missing.body.detail.error]).toEqual([
        name,
        400,
        'invalid_request',
      ]);
    }
  });

  test('22 text that is no document: E_PARSE with its place, a run is refused at create', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'text-'));
    const files: readonly (readonly [string, string])[] = [
      ['broken.yaml', 'version: v1\nagent: {name: [\n'],
      ['empty.yaml', ''],
      ['list.yaml', '- a\n'],
      ['broken.json', '{"version": '],
    ];
    for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
    const q = await startTestPlatform({ specRoot: folder });
    try {
      for (const [spec_path] of files) {
        const validated = await q.post('/v1/specs/validate', { spec_path });
        expect(validated.body).toMatchObject({
          valid: false,
          diagnostics: [{ code: 'E_PARSE', severity: 'error', path: null }],
        });
        const compiled = await q.post('/v1/specs/compile', { spec_path });
        expect(compiled.body).toMatchObject({ ok: false, valid: false });
        expect((await q.post('/v1/specs/policy-report', { spec_path })).body.valid).toBe(false);
        for (const async_mode of [true, false]) {
          const run = await q.post('/v1/runs', { input: 'x', spec_path, async_mode });
          expect([run.status, run.body.detail.error]).toEqual([400, 'spec_invalid']);
          expect(run.body.detail.diagnostics[0].code).toBe('E_PARSE');
        }
      }
      expect((await q.get('/v1/runs')).body.total).toBe(0);
    } finally {
      await q.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('76 a round-robin handoff ends completed after one full rotation (spec-v1 12)', async () => {
    const participant = (id: string) => ({ id, kind: 'agent', ref: 'writer' });
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'handoff',
        name: 'ring',
        participants: ['a', 'b', 'c'].map(participant),
        selector: { type: 'round_robin', sequence: ['a'] },
      },
      components: { agents: { writer: { name: 'writer' } } },
    };
    const run = await p.post('/v1/runs', { input: 'hello', spec });
    expect(run.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: Final answer: Final answer: hello',
    });
    expect(run.body.metadata.workflow.visited_steps).toEqual(['a', 'b', 'c']);
  });

  test('77 reading files without a person in the flow gives W_HUMAN_APPROVAL_MISSING too', async () => {
    const tools = { include: ['look'], permissions: { allow_filesystem_read: true } };
    const spec = (workflow?: Loose) => ({
      ...(workflow ?? { version: 'v1' }),
      agent: { name: 'reader', tools },
      tools: { look: { description: 'reads', implementation: 'files.look' } },
    });
    const codes = async (body: Loose) =>
      (await p.post('/v1/specs/validate', { spec: body })).body.diagnostics.map(
        (item: Loose) => `${item.code} ${item.path}`,
      );
    expect(await codes(spec())).toEqual([
      'W_TOOL_FILESYSTEM_READ_ALLOWED agent.tools.permissions.allow_filesystem_read',
      'W_HUMAN_APPROVAL_MISSING workflow',
    ]);
    expect(await codes(spec(humanSpec()))).toEqual([
      'W_TOOL_FILESYSTEM_READ_ALLOWED agent.tools.permissions.allow_filesystem_read',
    ]);
    const report = await p.post('/v1/specs/policy-report', { spec: spec() });
    expect(report.body.report.human_review).toMatchObject({ required: true, missing: true });
  });

  test('78 an unknown key of any block is E_SCHEMA at its path', async () => {
    const whole: Loose = {
      version: 'v1',
      agent: {
        name: 'desk',
        model: { provider: 'dummy', name: 'm' },
        strategy: { type: 'react', max_iterations: 3 },
        tools: { include: ['look'], permissions: { allow_network: false } },
      },
      tools: { look: { description: 'd', implementation: 'm.look' } },
      workflow: {
        type: 'graph',
        name: 'g',
        start: 'a',
        nodes: { a: { id: 'a', kind: 'agent', ref: 'w' }, b: { id: 'b', kind: 'human', ref: 'h' } },
        edges: [{ from: 'a', to: 'b', condition: { type: 'output_contains', value: 'x' } }],
      },
      components: {
        agents: { w: { name: 'w' } },
        humans: { h: { description: 'd' } },
        functions: { f: { implementation: 'm.f' } },
        workflows: {
          x: { type: 'sequential', name: 'x', steps: [{ id: 's', kind: 'agent', ref: 'w' }] },
        },
      },
    };
    const places: readonly (readonly (string | number)[])[] = [
      [],
      ['agent'],
      ['agent', 'model'],
      ['agent', 'tools', 'permissions'],
      ['tools', 'look'],
      ['workflow'],
      ['workflow', 'nodes', 'a'],
      ['workflow', 'edges', 0],
      ['workflow', 'edges', 0, 'condition'],
      ['components'],
      ['components', 'agents', 'w'],
      ['components', 'humans', 'h'],
      ['components', 'functions', 'f'],
      ['components', 'workflows', 'x'],
      ['components', 'workflows', 'x', 'steps', 0],
    ];
    expect((await p.post('/v1/specs/validate', { spec: whole })).body.valid).toBe(true);
    for (const place of places) {
      const spec = structuredClone(whole);
      let at = spec;
      for (const part of place) at = at[part];
      at.zzz = 1;
      const { body } = await p.post('/v1/specs/validate', { spec });
      expect(body.valid).toBe(false);
      const written = [...place, 'zzz'].map((part) =>
        typeof part === 'number' ? `[${part}]` : `.${part}`,
      );
      const found = body.diagnostics.map((item: Loose) => `${item.code} ${item.path}`);
      expect(found).toEqual([`E_SCHEMA ${written.join('').slice(1)}`]);
    }
  });
});
