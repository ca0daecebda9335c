// What a run, its task and its replay hold, and how a run is given its spec (platform.md 3).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';
import { functionSpec, gate, p, sharePlatform, startBlocked } from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';

sharePlatform();

test('a run says how it stands, what it used and what went wrong (RP-010)', async () => {
  const models = await startModelServer();
  models.answerWith(() => ({ text: 'done', usage: { input: 7, output: 6 } }));
  const extra = { base_url: models.baseUrl('openai') };
  const model = { provider: 'openai-compatible', name: 'm', extra };
  const ended = await p.post('/v1/runs', {
    input: 'x',
    spec: { version: 'v1', agent: { name: 'a', model } },
    session_id: 'record',
    metadata: { ticket: 7 },
  });
  await models.stop();
  expect((await p.get(`/v1/runs/${ended.body.run_id}`)).body).toMatchObject({
    status: 'completed',
    session_id: 'record',
    error: null,
    metadata: { caller_metadata: { ticket: 7 } },
    usage: { input_tokens: 7, output_tokens: 6, total_tokens: 13 },
  });
  await p.post('/v1/runs', { input: 'x', spec: functionSpec('work.fails'), session_id: 'broke' });
  const [failed] = (await p.get('/v1/runs?session_id=broke')).body.runs;
  expect(failed).toMatchObject({
    status: 'failed',
    error: { type: 'RuntimeError', message: expect.stringContaining('backend offline') },
  });
});

test('overlays are laid over the spec of a run, in their order (RP-022)', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'overlays-'));
  const write = (name: string, content: object) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  write('base.json', TINY);
  write('one.json', { agent: { name: 'one', description: 'first' } });
  write('two.json', { agent: { name: 'two' } });
  const q = await startTestPlatform({ specRoot: folder });
  try {
    const name = async (overlays: string[]) => {
      const made = await q.post('/v1/runs', { input: 'x', spec_path: 'base.json', overlays });
      return (await q.get(`/v1/runs/${made.body.run_id}`)).body.agent_name;
    };
    expect(await name([])).toBe('tiny');
    expect(await name(['one.json', 'two.json'])).toBe('two');
    expect(await name(['two.json', 'one.json'])).toBe('one');
  } finally {
    await q.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a selection without options is no spec (RP-017)', async () => {
  const spec = humanSpec({ request_type: 'selection' });
  const { body } = await p.post('/v1/specs/validate', { spec });
  expect(body.valid).toBe(false);
  expect(body.diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'E_HUMAN_SELECTION_REQUIRES_OPTIONS',
      path: 'components.humans.lead.options',
    }),
  );
});

test('a task shows its request and the thread of the run, redacted (RP-018, RP-071)', async () => {
  const run = await startBlocked(humanSpec(), 'my password=hunter2 please');
  const { body } = await p.get(`/v1/human-tasks/${run.continuation_id}`);
  expect(body.request).toMatchObject({ type: 'approval', prompt: 'Good?' });
  expect(body.messages.map(({ role }: Loose) => role)).toEqual(['user', 'assistant']);
  expect(body.messages[0].content).toContain('[REDACTED');
  expect(JSON.stringify(body)).not.toContain('hunter2');
});

test('a replay is the checkpoints of the run in their order (RP-067)', async () => {
  const run = await startBlocked();
  const { body } = await p.get(`/v1/runs/${run.run_id}/replay`);
  const { checkpoints } = (await p.get(`/v1/runs/${run.run_id}/checkpoints`)).body;
  expect(checkpoints.length).toBeGreaterThan(1);
  expect(body.timeline.map(({ sequence, type }: Loose) => [sequence, type])).toEqual(
    checkpoints.map(({ sequence, type }: Loose) => [sequence, type]),
  );
});

test('/specs/run answers 200 or 202, and holds its key while it works (RP-073, RP-074)', async () => {
  const now = await p.post('/v1/specs/run', { input: 'hi', spec: TINY });
  expect([now.status, now.body.status]).toEqual([200, 'completed']);
  const later = await p.post('/v1/specs/run', { input: 'hi', spec: TINY, async_mode: true });
  expect([later.status, later.body.status]).toEqual([202, 'queued']);
  const { open } = gate('kept');
  const headers = { 'idempotency-key': 'specs-run-kept' };
  const body = { input: 'kept', spec: functionSpec('work.wait'), session_id: 'kept' };
  const first = p.post('/v1/specs/run', body, { headers });
  await expect
    .poll(async () => (await p.get('/v1/runs?session_id=kept&status=running')).body.total)
    .toBe(1);
  const second = await p.post('/v1/specs/run', body, { headers });
  expect([second.status, second.body.detail.error]).toEqual([409, 'idempotency_key_in_progress']);
  open();
  expect((await first).body.status).toBe('completed');
});

test('an export of audit events that fails leaves the run as it is (RP-102)', async () => {
  const q = await startTestPlatform({ env: { SERV_AUDIT_EXPORT_ENABLED: '1' } });
  const push = q.logs.push.bind(q.logs);
  q.logs.push = (...lines) => {
    if (lines.some(({ fields }) => fields['channel'] === 'serv.audit')) {
      throw new Error('the reader of the export is gone');
    }
    return push(...lines);
  };
  try {
    const run = await q.post('/v1/runs', { input: 'x', spec: TINY });
    expect([run.status, run.body.status]).toEqual([200, 'completed']);
    const audit = await q.get(`/v1/audit-events?run_id=${run.body.run_id}`);
    expect(audit.body.events.map(({ event_type }: Loose) => event_type)).toEqual(['run.created']);
  } finally {
    await q.stop();
  }
});

test('checkpoints are listed without what they hold when nobody wants it (platform.md 3.6)', async () => {
  const { run_id } = await startBlocked();
  const list = async (query: string) =>
    (await p.get(`/v1/runs/${run_id}/checkpoints?${query}`)).body;
  const whole = await list('limit=2&sort_order=desc');
  expect(whole.checkpoints[0].state.status).toBe('blocked');
  const labels = await list('limit=2&sort_order=desc&states=false');
  const empty = { state: {}, trace_events: [], metadata: {} };
  expect(labels).toEqual({
    ...whole,
    checkpoints: whole.checkpoints.map((item: Loose) => ({ ...item, ...empty })),
  });
  const [{ type }] = labels.checkpoints;
  expect((await list(`states=false&type=${type}`)).checkpoints[0].type).toBe(type);
  const byState = await list('limit=2&states=false&sort_by=state.status');
  expect(byState.checkpoints[0].state).not.toEqual({});
  expect((await p.get('/v1/runs/none/checkpoints?states=false')).status).toBe(404);
});
