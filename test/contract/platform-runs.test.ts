import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';
import { flaky, functionSpec, gate, p, sharePlatform } from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';

sharePlatform();

describe('runs', () => {
  test('23 sync is 200 completed, async is 202 queued and then completed (RP-021, RP-051, RP-052, RP-003)', async () => {
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

  test('27 a guardrail block: sync 422, async failed (RP-048, RP-049, RP-118)', async () => {
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

  test('28 over the token budget: sync 400, the run failed; async failed (RP-108, RP-140)', async () => {
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
      const answers = value('run_model_seconds_count\\{workflow_kind="workflow",outcome="ok"\\}');
      expect(Number(answers)).toBeGreaterThan(0);
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
    // The run waits until the gate opens below; an answer before that is one beside it.
    expect((await p.get('/healthz')).status).toBe(200);
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
    flaky.fails = true;
    expect((await p.post('/v1/runs', body, { headers })).status).toBe(500);
    flaky.fails = false;
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

  test('64 the run keeps the spec that it was created with (RP-155)', async () => {
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

  test('strict false: semantic errors are kept in the metadata, what cannot be built fails (3.1) (RP-024)', async () => {
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
