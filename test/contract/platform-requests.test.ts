import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';
import { p, sharePlatform } from '../support/platform-world.ts';
import { TINY } from '../support/specs.ts';

sharePlatform();

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

  test('8 metrics are at the root only; every route is at both mountings (RP-001, RP-007)', async () => {
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

  test('11–15 filters, totals, search and sorts of runs (RP-055–RP-060, RP-152)', async () => {
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
    // Additive: matches of a text may be counted no further; those of other filters cost nothing.
    expect((await mine('q=a&count_to=1')).body.total).toBeGreaterThanOrEqual(1);
    expect((await mine('has_error=false&count_to=1')).body.total).toBe(2);
    expect((await mine('q=a&count_to=0')).status).toBe(422);
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

  test('22 no spec is 400 everywhere; unreadable text and versions by path are findings (RP-106, RP-149)', async () => {
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
