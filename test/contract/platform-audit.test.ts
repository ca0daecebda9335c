// Who did what, and that it is kept (contract/platform.md 8; conformance 59-61).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { checkedSpec, TINY } from '../support/specs.ts';

let p: TestPlatform;
let fails = false;
beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', OPENAI_API_KEY: 'sk-present' },
    handlers: {
      'work.it': ([input]) => {
        if (fails) throw new Error('broken');
        return String(input);
      },
    },
  });
});
afterAll(() => p.stop());

interface Told {
  readonly event_type: string;
  readonly actor: string | null;
  readonly run_id: string | null;
  readonly continuation_id: string | null;
  readonly metadata: Loose;
}

/** The events that something leaves, oldest first. */
async function leaves(act: () => Promise<unknown>): Promise<Told[]> {
  const before = (await p.get('/v1/audit-events?limit=1')).body.total;
  await act();
  const { body } = await p.get('/v1/audit-events?limit=1000');
  const fresh = body.events.slice(0, body.total - before).reverse();
  for (const event of fresh) {
    expect(Object.keys(event).sort()).toEqual([
      'actor',
      'continuation_id',
      'created_at',
      'event_type',
      'id',
      'metadata',
      'run_id',
    ]);
    expect(event.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  }
  return fresh.map(({ id: _id, created_at: _at, ...told }: Loose) => told);
}

const run = (over: Loose = {}) => p.post('/v1/runs', { input: 'x', spec: TINY, ...over });
const blocked = async (human: Loose = {}): Promise<Loose> =>
  (await run({ spec: checkedSpec(human) })).body;
const byAdmin = { actor: 'admin', run_id: null, continuation_id: null };

describe('what each route leaves (8)', () => {
  test('run.created, sync and async', async () => {
    let id = '';
    const make = (over: Loose) => async () => {
      id = (await run({ session_id: 's', metadata: { ticket: 7 }, ...over })).body.run_id;
    };
    const [sync, ...none] = await leaves(make({ environment: 'dev' }));
    const metadata = {
      async_mode: false,
      target: 'workflow',
      spec_path: null,
      inline_spec: true,
      environment: 'dev',
      session_id: '[REDACTED]',
      metadata: { ticket: 7 },
    };
    expect(none).toEqual([]);
    expect(sync).toEqual({ ...byAdmin, event_type: 'run.created', run_id: id, metadata });
    const [queued] = await leaves(make({ async_mode: true, target: 'agent' }));
    expect(queued?.metadata).toEqual({
      ...metadata,
      async_mode: true,
      target: 'agent',
      environment: null,
    });
    await p.waitFor(id, 'completed');
    const failed = await leaves(() => run({ spec: { version: 'v1' } }));
    expect(failed.map(({ event_type }) => event_type)).toEqual([]);
  });

  test('spec.run instead of run.created on /specs/run', async () => {
    const body = { input: 'x', spec: TINY };
    const sync = await leaves(() => p.post('/v1/specs/run', body));
    const metadata = {
      target: 'workflow',
      spec_path: null,
      inline_spec: true,
      environment: null,
      status: 'completed',
    };
    expect(sync).toEqual([
      { ...byAdmin, event_type: 'spec.run', run_id: expect.any(String), metadata },
    ]);
    const queued = await leaves(() => p.post('/v1/specs/run', { ...body, async_mode: true }));
    expect(queued[0]?.metadata).toEqual({ ...metadata, status: 'queued', async_mode: true });
  });

  test('run.skills_overlay beside run.created', async () => {
    const skills = { add: [], disable: ['plain-language'] };
    const told = await leaves(() =>
      p.post('/v1/runs', { input: 'x', spec_path: 'translation-skills.yaml', skills }),
    );
    const created = told.find(({ event_type }) => event_type === 'run.created');
    expect(created?.metadata).toMatchObject({ inline_spec: false, skills_overlay: skills });
    const overlay = told.find(({ event_type }) => event_type === 'run.skills_overlay');
    expect(overlay?.metadata).toEqual(skills);
    expect(told).toHaveLength(2);
    const empty = await leaves(() =>
      p.post('/v1/runs', { input: 'x', spec: TINY, skills: { add: [], disable: [] } }),
    );
    expect(empty.map(({ event_type }) => event_type)).toEqual(['run.created']);
    expect(empty[0]?.metadata).not.toHaveProperty('skills_overlay');
  });

  test('run.cancelled, only when the status changed', async () => {
    const { run_id: id } = await blocked();
    const cancel = () => p.call('POST', `/v1/runs/${id}/cancel`);
    expect(await leaves(cancel)).toEqual([
      { ...byAdmin, event_type: 'run.cancelled', run_id: id, metadata: {} },
    ]);
    expect(await leaves(cancel)).toEqual([]);
  });

  test('human.decision without content; a continue adds run.continued', async () => {
    const task = await blocked();
    const at = `/v1/human-tasks/${task.continuation_id}`;
    const request_id = (await p.get(at)).body.request.id;
    const body = { request_id, decision: 'edited', content: 'private words', metadata: { n: 'q' } };
    const told = await leaves(() => p.post(`${at}/resume`, body, { key: 'reviewer-key' }));
    expect(told).toEqual([
      {
        event_type: 'human.decision',
        actor: 'reviewer',
        run_id: task.run_id,
        continuation_id: task.continuation_id,
        metadata: {
          request_id,
          decision: 'edited',
          has_content: true,
          selected_option: null,
          status: 'completed',
        },
      },
    ]);
    const other = await blocked();
    const both = await leaves(() => p.call('POST', `/v1/runs/${other.run_id}/continue`));
    expect(both.map(({ event_type }) => event_type).sort()).toEqual([
      'human.decision',
      'run.continued',
    ]);
    expect(both.find(({ event_type }) => event_type === 'run.continued')).toEqual({
      ...byAdmin,
      event_type: 'run.continued',
      run_id: other.run_id,
      metadata: { status: 'completed' },
    });
    const decision = both.find(({ event_type }) => event_type === 'human.decision');
    expect(decision?.metadata).toMatchObject({ decision: 'approved', has_content: false });
  });

  test('the sweeps, without an actor', async () => {
    const cases = [
      ['fail', 'human.expired'],
      ['continue', 'human.continued'],
      ['escalate', 'human.escalated'],
    ] as const;
    for (const [on_timeout, event_type] of cases) {
      const task = await blocked({ on_timeout, assignee: 'boss' });
      p.clock.skewMs += 61_000;
      expect(await leaves(() => p.service.sweep())).toEqual([
        {
          event_type,
          actor: null,
          run_id: task.run_id,
          continuation_id: task.continuation_id,
          metadata: {
            timeout_seconds: 60,
            expired_at: expect.any(Number),
            expires_at: expect.any(Number),
            on_timeout,
            ...(on_timeout === 'escalate' ? { assignee: 'boss' } : {}),
          },
        },
      ]);
    }
    const broken = await blocked({ on_timeout: 'continue' });
    p.clock.skewMs += 61_000;
    fails = true;
    const told = await leaves(() => p.service.sweep());
    fails = false;
    expect(told).toEqual([
      {
        event_type: 'human.continue_failed',
        actor: null,
        run_id: broken.run_id,
        continuation_id: broken.continuation_id,
        metadata: {
          error_type: expect.any(String),
          error_message: expect.any(String),
          on_timeout: 'continue',
        },
      },
    ]);
    expect((await p.get(`/v1/runs/${broken.run_id}`)).body.status).toBe('failed');
    expect((await p.get(`/v1/human-tasks/${broken.continuation_id}`)).status).toBe(404);
    const { body: late } = await run({ spec: checkedSpec(), timeout: 5 });
    p.clock.skewMs += 6000;
    expect(await leaves(() => p.service.sweep())).toEqual([
      {
        ...byAdmin,
        actor: null,
        event_type: 'run.timed_out',
        run_id: late.run_id,
        metadata: {
          timeout_seconds: 5,
          deadline_at: expect.any(Number),
          timed_out_at: expect.anything(),
          status_at_timeout: 'blocked',
        },
      },
    ]);
  });

  test('the five operations on specs', async () => {
    const facts = { spec_path: null, inline_spec: true };
    const layers = { ...facts, environment: 'dev', overlays: [] };
    const cases: readonly (readonly [string, Loose, string, Loose])[] = [
      ['validate', { spec: TINY }, 'spec.validated', { ...layers, valid: true }],
      ['validate', { spec: { version: 'v1' } }, 'spec.validated', { ...layers, valid: false }],
      ['compile', { spec: TINY }, 'spec.compiled', { ...layers, valid: true }],
      [
        'compile',
        { spec_path: 'invalid/missing-agent.yaml' },
        'spec.compiled',
        { ...layers, spec_path: expect.any(String), inline_spec: false, valid: false },
      ],
      ['policy-report', { spec: TINY }, 'spec.policy_reported', { ...layers, valid: true }],
      ['policy-report', { spec: {} }, 'spec.policy_reported', { ...layers, valid: false }],
      ['explain', { spec: TINY }, 'spec.explained', facts],
      ['graph', { spec: checkedSpec() }, 'spec.graph', { ...facts, workflow_kind: 'sequential' }],
    ];
    for (const [name, body, event_type, metadata] of cases) {
      const told = await leaves(() => p.post(`/v1/specs/${name}`, { ...body, environment: 'dev' }));
      expect(told).toEqual([{ ...byAdmin, event_type, metadata }]);
    }
    const { run_id: id } = (await run()).body;
    expect(await leaves(() => p.get(`/v1/runs/${id}/policy-report`))).toEqual([
      {
        ...byAdmin,
        event_type: 'spec.policy_reported',
        run_id: id,
        metadata: { valid: true, source: 'run' },
      },
    ]);
  });

  test('policy.changed and credential.inventory_accessed', async () => {
    const at = '/v1/policies/environment/audited';
    const put = (body: Loose) => leaves(() => p.call('PUT', at, { body, key: 'operator-key' }));
    const defaults = {
      enabled: true,
      fail_on_warnings: false,
      blocked_diagnostic_codes: [],
      require_human_review: false,
      require_tool_permissions: false,
      deny_unrestricted_tools: false,
      require_guardrails: false,
    };
    const surface = 'environment_policy_enforcement';
    const [first] = await put({ require_guardrails: true });
    expect(first).toEqual({
      ...byAdmin,
      actor: 'operator',
      event_type: 'policy.changed',
      metadata: {
        surface,
        environment: 'audited',
        previous: null,
        current: { ...defaults, require_guardrails: true },
        changed_fields: Object.keys(defaults).sort(),
      },
    });
    const [second] = await put({ fail_on_warnings: true });
    expect(second?.metadata).toMatchObject({
      previous: { ...defaults, require_guardrails: true },
      changed_fields: ['fail_on_warnings', 'require_guardrails'],
    });
    expect(await leaves(() => p.post(`${at}/preview`, {}))).toEqual([]);
    const asked = await leaves(() =>
      p.get('/v1/security/credentials?providers=openai&extras=PLAIN_NAME'),
    );
    expect(asked).toEqual([
      {
        ...byAdmin,
        event_type: 'credential.inventory_accessed',
        metadata: {
          providers_requested: ['openai'],
          extras_requested: ['PLAIN_NAME'],
          include_service_references: true,
          provider_count: 1,
          extra_count: 1,
          service_reference_count: 3,
          providers_present: ['openai'],
          extras_present: [],
          service_references_present: ['SERV_API_KEYS'],
        },
      },
    ]);
  });

  test('reads, refusals and replays leave nothing', async () => {
    const { run_id: id, continuation_id: task } = await blocked();
    const headers = { 'idempotency-key': 'audited' };
    await p.post('/v1/runs', { input: 'x', spec: TINY }, { headers });
    const told = await leaves(async () => {
      for (const route of ['', '/recovery', '/replay', '/graph', '/trace', '/checkpoints']) {
        expect((await p.get(`/v1/runs/${id}${route}`)).status).toBe(200);
      }
      for (const route of [
        'runs',
        'skills',
        'human-tasks',
        `human-tasks/${task}`,
        'audit-events',
      ]) {
        expect((await p.get(`/v1/${route}`)).status).toBe(200);
      }
      await p.get('/v1/policies/environment');
      await p.post('/v1/runs', { input: 'x', spec: TINY }, { headers });
      await p.post('/v1/runs', { input: 'y', spec: TINY }, { headers });
      await p.post('/v1/runs', { input: 'x' });
      await p.get('/v1/runs', { key: null });
      await p.post('/v1/runs', {}, { key: 'viewer-key' });
      await p.post('/v1/specs/compile', { spec: { version: 'v1' } });
      await p.post('/v1/specs/graph', { spec: { version: 'v1' } });
      await p.post('/v1/specs/explain', { spec_path: '/etc/passwd' });
      await p.post(`/v1/human-tasks/${task}/resume`, { request_id: 'no', decision: 'approved' });
      await p.call('PUT', '/v1/policies/environment/x', { body: { zzz: 1 } });
    });
    expect(told).toEqual([]);
  });
});

test('events are asked for by time (additive, RP-101)', async () => {
  await run();
  const all = (await p.get('/v1/audit-events?limit=1000')).body;
  const middle = all.events[Math.floor(all.events.length / 2)].created_at;
  const at = encodeURIComponent(middle);
  const times = async (query: string): Promise<string[]> => {
    const { body } = await p.get(`/v1/audit-events?limit=1000&${query}`);
    expect(body.total).toBe(body.events.length);
    return body.events.map(({ created_at }: Loose) => created_at);
  };
  const since = await times(`created_after=${at}`);
  const until = await times(`created_before=${at}`);
  expect(since.every((time) => time >= middle)).toBe(true);
  expect(until.every((time) => time < middle)).toBe(true);
  expect(since.length + until.length).toBe(all.total);
  expect(until.length).toBeGreaterThan(0);
  expect((await times(`created_after=${at}&event_type=nothing`)).length).toBe(0);
  expect(await p.get('/v1/audit-events?created_after=noon')).toMatchObject({
    status: 422,
    body: { detail: { error: 'invalid_timestamp', param: 'created_after' } },
  });
});
