import { describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform } from '../support/platform.ts';
import { p, resume, sharePlatform, startBlocked } from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';

sharePlatform();

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

  test('57 which secrets the newest runs asked for, and whether runs would get them (RP-082)', async () => {
    const q = await startTestPlatform({
      env: { LISTED: 'sk-listed', SERV_SPEC_SECRETS: 'LISTED' },
    });
    const run = (name: string, model: Loose) =>
      q.post('/v1/runs', {
        input: 'x',
        spec: {
          version: 'v1',
          agent: { name: 'desk' },
          workflow: { type: 'sequential', name, steps: [{ id: 'a', kind: 'agent', ref: 'a' }] },
          components: { agents: { a: { name: 'a', model: { name: 'm', ...model } } } },
        },
      });
    const needs = async () => (await q.get('/v1/security/credentials/needs')).body;
    try {
      expect(await needs()).toEqual({ runs_looked_at: 0, runs_left_out: 0, needs: [] });
      // The offline runtime answers for a provider without a key, so these runs end at once.
      await run('triage', { provider: 'anthropic' });
      await run('triage', { provider: 'anthropic' });
      const last = await run('desk', { provider: 'anthropic' });
      const own = { base_url: 'http://127.0.0.1:9/v1', api_key_ref: 'LISTED' };
      await run('own-model', { provider: 'openai', extra: own });
      await run('no-model', { provider: 'dummy' });
      const answer = await needs();
      expect(answer.runs_looked_at).toBe(5);
      expect(answer.needs).toMatchObject([
        {
          ...{ env_var: 'ANTHROPIC_API_KEY', provider: 'anthropic', present: false },
          ...{ usable: false, runs: 3 },
          workflows: [
            { name: 'desk', runs: 1, last_run_id: last.body.run_id },
            { name: 'triage', runs: 2 },
          ],
        },
        { env_var: 'LISTED', provider: null, present: true, usable: true, runs: 1 },
      ]);
      expect(JSON.stringify(answer)).not.toContain('sk-');
      const one = await q.get('/v1/security/credentials/needs?runs=1');
      expect(one.body).toMatchObject({ runs_looked_at: 1, needs: [] });
      expect((await q.get('/v1/security/credentials/needs', { key: null })).status).toBe(401);
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
