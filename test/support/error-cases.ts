// One way to reach each code of contract/platform.md 4.1.
import path from 'node:path';
import { expect } from 'vitest';
import {
  blocked,
  type Case,
  dearWorkflow,
  folder,
  hold,
  letGo,
  models,
  oneTooMany,
  p,
  released,
  resume,
  run,
  tight,
  whileLocked,
  work,
  workflow,
} from './errors-world.ts';
import { startTestPlatform } from './platform.ts';
import { TINY } from './specs.ts';
import { HOLDING, openStored } from './stored.ts';

const DIAGNOSTIC = {
  code: expect.any(String),
  severity: expect.any(String),
  message: expect.any(String),
};
export const CASES: readonly Case[] = [
  { code: 'invalid_request', what: 'no spec', act: () => p.post('/v1/runs', { input: 'x' }) },
  {
    code: 'invalid_request',
    what: 'a skill that is not declared',
    act: () => run(TINY, { skills: { add: ['none'] } }),
  },
  {
    code: 'invalid_request',
    what: 'a diff of one checkpoint',
    act: async () => {
      hold();
      const { body } = await run(workflow('function'), { async_mode: true });
      const answer = await p.get(`/v1/runs/${body.run_id}/checkpoints/diff`);
      letGo();
      await p.waitFor(body.run_id, 'completed');
      return answer;
    },
  },
  {
    code: 'invalid_request',
    what: 'an unsupported guardrail type',
    act: () =>
      run({
        version: 'v1',
        agent: { name: 'a', guardrails: { input: [{ id: 'g', type: 'no' }] } },
      }),
  },
  {
    code: 'spec_invalid',
    what: 'inline',
    act: () => run({ version: 'v1' }),
    fields: {
      diagnostics: [{ ...DIAGNOSTIC, path: 'agent', suggestion: null }],
    },
  },
  {
    code: 'token_budget_exceeded',
    what: 'a dear answer',
    act: () => {
      models.answerWith(() => ({ text: 'x', usage: { input: 50, output: 50 } }));
      const extra = { base_url: models.baseUrl('openai') };
      const model = { provider: 'openai-compatible', name: 'm', token_budget: 99, extra };
      return run({ version: 'v1', agent: { name: 'a', model } });
    },
  },
  {
    code: 'run_limit_exceeded',
    what: 'rounds without an end',
    act: () => {
      const participants = [{ id: 'a', kind: 'agent', ref: 'a' }];
      const chat = { type: 'group-chat', rounds: 1_000_000_000, participants };
      const spec = {
        version: 'v1',
        agent: { name: 'lead' },
        workflow: { type: 'sequential', steps: [{ id: 's', kind: 'workflow', ref: 'chat' }] },
        components: { agents: { a: { name: 'a' } }, workflows: { chat } },
      };
      return run(spec, { input: 'x'.repeat(20_000) });
    },
  },
  {
    code: 'invalid_idempotency_key',
    what: 'too long',
    act: () => run(TINY, {}, { headers: { 'idempotency-key': 'k'.repeat(257) } }),
  },
  {
    code: 'unauthorized',
    what: 'no key',
    act: () => p.get('/v1/runs', { key: null }),
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    code: 'forbidden',
    what: 'a missing scope',
    act: () => p.get('/v1/policies/environment', { key: 'viewer-key' }),
    fields: { required_scope: 'policies:read' },
  },
  {
    code: 'rehearsal_refused',
    what: 'in an environment that is marked as production',
    act: () => run(TINY, { environment: 'prod', metadata: { rehearsal: { steps: {} } } }),
    fields: { environment: 'prod' },
  },
  {
    code: 'environment_policy_blocked',
    what: 'a stored policy',
    act: async () => {
      const body = { require_guardrails: true };
      await p.call('PUT', '/v1/policies/environment/closed', { body });
      return run(TINY, { environment: 'closed', async_mode: true });
    },
    fields: {
      diagnostics: [
        {
          code: 'E_ENV_POLICY_GUARDRAILS',
          severity: 'error',
          message: expect.any(String),
          path: 'agent.guardrails',
        },
      ],
    },
  },
  { code: 'not_found', what: 'a run', act: () => p.get('/v1/runs/none/recovery') },
  {
    code: 'method_not_allowed',
    what: 'a method',
    act: () => p.call('DELETE', '/v1/runs/x'),
    headers: { allow: 'GET' },
  },
  {
    code: 'run_state_conflict',
    what: 'continue of a completed run',
    act: async () => p.call('POST', `/v1/runs/${(await run(TINY)).body.run_id}/continue`),
    fields: { run_id: expect.any(String), status: 'completed' },
  },
  {
    code: 'run_state_conflict',
    what: 'continue of a failed handoff (6.4)',
    act: async () => {
      work.fails = true;
      const steps = { type: 'handoff', participants: [{ id: 's', kind: 'function', ref: 'it' }] };
      const spec = { ...workflow('function'), workflow: { name: 'w', ...steps } };
      await run(spec, { session_id: 'handoff' });
      work.fails = false;
      const [failed] = (await p.get('/v1/runs?session_id=handoff')).body.runs;
      return p.call('POST', `/v1/runs/${failed.id}/continue`);
    },
    fields: { run_id: expect.any(String), status: 'failed' },
  },
  {
    code: 'resource_locked',
    what: 'another service continues the run',
    act: async () => {
      const { run_id: id } = await blocked();
      return whileLocked(`run:${id}`, () => p.call('POST', `/v1/runs/${id}/continue`));
    },
    fields: { resource: expect.stringMatching(/^run:[0-9a-f-]{36}$/) },
  },
  {
    code: 'resource_locked',
    what: 'another service answers the task',
    act: async () => {
      const task = await blocked();
      return whileLocked(`continuation:${task.continuation_id}`, () => resume(task));
    },
    fields: { resource: expect.stringMatching(/^continuation:[0-9a-f-]{36}$/) },
  },
  {
    code: 'resource_locked',
    what: 'another service writes policies',
    act: () =>
      whileLocked('environment-policies', () =>
        p.call('PUT', '/v1/policies/environment/x', { body: {} }),
      ),
    fields: { resource: 'environment-policies' },
  },
  {
    code: 'human_task_expired',
    what: 'a late answer, also where the sweep would go on',
    act: async () => {
      const task = await blocked({ on_timeout: 'continue' });
      p.clock.skewMs += 61_000;
      return resume(task);
    },
    fields: { continuation_id: expect.any(String), expires_at: expect.any(Number) },
  },
  {
    code: 'human_task_expired',
    what: 'a late continue',
    act: async () => {
      const task = await blocked();
      p.clock.skewMs += 61_000;
      return p.call('POST', `/v1/runs/${task.run_id}/continue`);
    },
    fields: { continuation_id: expect.any(String), expires_at: expect.any(Number) },
  },
  {
    code: 'idempotency_key_in_progress',
    what: 'the first one still executes',
    act: async () => {
      hold();
      const headers = { 'idempotency-key': 'busy' };
      const first = run(workflow('function'), {}, { headers });
      await expect.poll(async () => (await p.get('/v1/runs?status=running')).body.total).toBe(1);
      const answer = await run(workflow('function'), { input: 'other' }, { headers });
      letGo();
      await first;
      return answer;
    },
    fields: { scope: 'runs:create' },
    headers: { 'retry-after': '1' },
  },
  {
    code: 'idempotency_key_conflict',
    what: 'another body on /specs/run',
    act: async () => {
      const headers = { 'idempotency-key': 'other' };
      await p.post('/v1/specs/run', { input: 'x', spec: TINY }, { headers });
      return p.post('/specs/run', { input: 'y', spec: TINY }, { headers });
    },
    fields: { scope: 'specs:run' },
  },
  {
    code: 'idempotency_key_conflict',
    what: 'another answer to the same task',
    act: async () => {
      const task = await blocked();
      const at = `/v1/human-tasks/${task.continuation_id}`;
      const body = { request_id: (await p.get(at)).body.request.id, decision: 'approved' };
      const headers = { 'idempotency-key': 'answer' };
      await p.post(`${at}/resume`, body, { headers });
      return p.post(`${at}/resume`, { ...body, content: 'more' }, { headers });
    },
    fields: { scope: 'human:resume' },
  },
  {
    code: 'payload_too_large',
    what: 'a body',
    act: () => p.call('POST', '/v1/runs', { raw: 'x'.repeat(1_048_577), key: null }),
    fields: { max_body_bytes: 1_048_576 },
  },
  {
    code: 'request_invalid',
    what: 'an option that is none',
    act: async () =>
      resume(await blocked({ request_type: 'selection', options: ['a'] }), {
        decision: 'selected',
        selected_option: 'b',
      }),
    fields: {
      errors: [{ loc: ['body', 'selected_option'], msg: expect.any(String), type: 'value_error' }],
    },
  },
  {
    code: 'unknown_query_parameters',
    what: 'on a read',
    act: () => p.get('/v1/runs/x?b=1&a=2&a=3'),
    fields: { unknown: ['a', 'b'] },
  },
  {
    code: 'invalid_timestamp',
    what: 'words',
    act: () => p.get('/v1/runs?created_before=2026-13-01'),
    fields: { param: 'created_before' },
  },
  {
    code: 'spec_path_confined',
    what: 'a path outside',
    act: () => p.post('/v1/specs/explain', { spec_path: '/etc/hosts' }),
  },
  {
    code: 'guardrail_violation',
    what: 'a stopped input',
    act: () => {
      const config = { keywords: ['x'] };
      const guardrails = { input: [{ id: 'g', type: 'keyword', config }] };
      return run({ version: 'v1', agent: { name: 'a', guardrails } });
    },
    fields: { violation_type: 'GuardrailViolation' },
  },
  {
    code: 'rate_limited',
    what: 'the second request of a minute',
    act: async () => {
      await tight.get('/v1/runs');
      return tight.get('/v1/runs');
    },
    headers: { 'retry-after': '60' },
  },
  {
    code: 'internal_error',
    what: 'a step that throws',
    act: async () => {
      work.fails = true;
      const answer = await run(workflow('function'));
      work.fails = false;
      return answer;
    },
  },
  {
    code: 'internal_error',
    what: 'a store without its table',
    act: async () => {
      const file = path.join(folder, 'broken.db');
      const q = await startTestPlatform({ file, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
      const db = await openStored(file);
      db.exec('DROP TABLE audit_events');
      await db.close();
      const answer = await q.get('/v1/audit-events');
      await q.stop();
      return answer;
    },
  },
  {
    code: 'queue_full',
    what: 'one too many',
    act: async () => {
      hold();
      const q = await startTestPlatform({
        env: { SERV_MAX_QUEUE_DEPTH: '1', SERV_SHUTDOWN_TIMEOUT_SECONDS: '0' },
        handlers: { 'work.it': () => released },
      });
      const body = { input: 'x', spec: workflow('function'), async_mode: true };
      const first = await q.post('/v1/runs', body);
      await q.waitFor(first.body.run_id, 'running');
      await q.post('/v1/runs', body);
      const answer = await q.post('/v1/runs', body);
      letGo();
      await q.stop();
      return answer;
    },
    fields: { queue_depth: 1, limit: 1 },
    headers: { 'retry-after': '5' },
  },
  {
    code: 'sync_runs_full',
    what: 'a synchronous run for which there is no place',
    act: () => oneTooMany({ SERV_SYNC_MAX_RUNS: '1', SERV_SYNC_WAIT_SECONDS: '0' }),
    fields: { executing: 1 },
    headers: { 'retry-after': '5' },
  },
  {
    code: 'too_many_sync_runs',
    what: 'a second synchronous run of one key',
    act: () => oneTooMany({ SERV_SYNC_MAX_RUNS_PER_CALLER: '1' }),
    fields: { limit: 1 },
    headers: { 'retry-after': '5' },
  },
  {
    code: 'budget_exceeded',
    what: 'a run of a workflow whose month is used up',
    act: async () => {
      models.answerWith(() => ({ text: 'x', usage: { input: 5, output: 5 } }));
      const limit = { name: 'dear', workflow: 'dear', unit: 'tokens', amount: 10, action: 'stop' };
      await p.call('PUT', '/v1/budgets/dear', { body: limit });
      await run(dearWorkflow());
      return run(dearWorkflow());
    },
    fields: { budget_id: 'dear', unit: 'tokens', amount: 10, used: 10 },
  },
  {
    code: 'store_unavailable',
    what: 'another process writes',
    act: async () => {
      const db = await openStored(p.file);
      for (const step of HOLDING) db.exec(step);
      try {
        return await p.call('PUT', '/v1/policies/environment/x', { body: {} });
      } finally {
        db.exec('ROLLBACK');
        await db.close();
      }
    },
    headers: { 'retry-after': '5' },
  },
  {
    code: 'not_ready',
    what: 'a provider without its key',
    act: () => tight.get('/readyz', { key: null }),
    fields: {
      metadata: expect.objectContaining({
        ready: false,
        checks: expect.objectContaining({ api: expect.any(Object) }),
      }),
    },
    headers: { 'retry-after': '5' },
  },
];
