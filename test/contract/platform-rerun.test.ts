import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const PIPE = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'pipe',
    steps: ['first', 'second', 'third'].map((id) => ({ id, kind: 'function', ref: id })),
  },
  components: {
    functions: {
      first: { implementation: 'work.mark' },
      second: { implementation: 'work.second' },
      third: { implementation: 'work.mark' },
    },
  },
};

const calls: string[] = [];
let broken = false;
const handlers = {
  'work.mark': ([input]: readonly unknown[]) => {
    calls.push(String(input));
    return `<${String(input)}>`;
  },
  'work.second': ([input]: readonly unknown[]) => {
    if (broken) throw new Error('offline');
    return `[${String(input)}]`;
  },
};

describe.each([false, true])('rerun from a checkpoint, thread %s', (thread) => {
  let p: TestPlatform;
  beforeAll(async () => {
    p = await startTestPlatform({ handlers, thread });
  });
  afterAll(() => p.stop());

  async function origin(): Promise<{ id: string; checkpoints: Loose[] }> {
    const run = await p.post('/v1/runs', { input: 'a', spec: PIPE, session_id: 'talk' });
    expect(run.body.output_text).toBe('<[<a>]>');
    const id = run.body.run_id;
    const { body } = await p.get(`/v1/runs/${id}/checkpoints`);
    return { id, checkpoints: body.checkpoints };
  }
  const sequenceOf = (checkpoints: Loose[], step: string): number =>
    checkpoints.find((item) => item.step_id === step).sequence;

  test('a new run goes on after what had ended, with the edited text, and names its origin', async () => {
    const { id, checkpoints } = await origin();
    const sequence = sequenceOf(checkpoints, 'first');
    calls.length = 0;
    const answer = await p.post(`/v1/runs/${id}/rerun`, {
      checkpoint_sequence: sequence,
      edits: { input: 'b' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'completed', output_text: '<[b]>' });
    expect(calls).toEqual(['[b]']);
    const run = (await p.get(`/v1/runs/${answer.body.run_id}`)).body;
    expect(run.run_id).not.toBe(id);
    expect(run.session_id).toBe('talk');
    expect(run.metadata.rerun_of).toMatchObject({
      run_id: id,
      checkpoint_sequence: sequence,
      checkpoint_type: 'step_completed',
      edited: ['input'],
    });
    const list = await p.get('/runs?session_id=talk');
    const item = list.body.runs.find((other: Loose) => other.id === run.run_id);
    expect(item.parent_run_id).toBe(id);
    const audit = await p.get(`/v1/audit-events?event_type=run.rerun&run_id=${run.run_id}`);
    expect(audit.body.events[0].metadata).toMatchObject({ origin_run_id: id, edited: ['input'] });
    expect(JSON.stringify(audit.body.events)).not.toContain('"b"');
  });

  test('what can be edited is read beforehand; an edit that does not fit is 422 by name', async () => {
    const { id, checkpoints } = await origin();
    const sequence = sequenceOf(checkpoints, 'second');
    const state = await p.get(`/v1/runs/${id}/rerun?checkpoint_sequence=${sequence}`);
    expect(state.body).toMatchObject({
      checkpoint_type: 'step_completed',
      edits: { input: '[<a>]' },
    });
    const refused = await p.post(`/v1/runs/${id}/rerun`, {
      checkpoint_sequence: sequence,
      edits: { next_step: 'nowhere' },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.errors[0].loc).toEqual(['body', 'edits', 'next_step']);
    const unknown = await p.post(`/v1/runs/${id}/rerun`, { checkpoint_sequence: 99 });
    expect(unknown.body.detail.error).toBe('invalid_request');
    const missing = await p.post('/v1/runs/none/rerun', { checkpoint_sequence: 1 });
    expect(missing.status).toBe(404);
    const extra = await p.post(`/v1/runs/${id}/rerun`, { checkpoint_sequence: 1, x: 1 });
    expect(extra.status).toBe(422);
    const viewer = await p.post(
      `/v1/runs/${id}/rerun`,
      { checkpoint_sequence: 1 },
      { key: 'viewer-key' },
    );
    expect(viewer.body.detail.required_scope).toBe('runs:write');
  });

  test('asynchronous, keyed, chained: a rerun of a rerun of a failed run', async () => {
    broken = true;
    const failed = await p.post('/v1/runs', { input: 'c', spec: PIPE, async_mode: true });
    await p.waitFor(failed.body.run_id, 'failed');
    broken = false;
    const { body } = await p.get(`/v1/runs/${failed.body.run_id}/checkpoints`);
    const sequence = body.checkpoints.at(-1).sequence;
    const send = () =>
      p.post(
        `/runs/${failed.body.run_id}/rerun`,
        { checkpoint_sequence: sequence, async_mode: true },
        { headers: { 'idempotency-key': `again-${thread}` } },
      );
    const first = await send();
    expect(first.status).toBe(202);
    expect((await send()).body.run_id).toBe(first.body.run_id);
    const done = await p.waitFor(first.body.run_id, 'completed');
    expect(done.body.output_text).toBe('<[<c>]>');
    const again = await p.get(`/v1/runs/${first.body.run_id}/checkpoints`);
    const third = sequenceOf(again.body.checkpoints, 'second');
    const chained = await p.post(`/v1/runs/${first.body.run_id}/rerun`, {
      checkpoint_sequence: third,
      edits: { input: 'z' },
    });
    expect(chained.body.output_text).toBe('<z>');
  });

  test("the environment's policy of today decides", async () => {
    const run = await p.post('/v1/runs', { input: 'a', spec: PIPE, environment: 'live' });
    await p.call('PUT', '/v1/policies/environment/live', { body: { require_human_review: true } });
    const refused = await p.post(`/v1/runs/${run.body.run_id}/rerun`, { checkpoint_sequence: 1 });
    expect(refused.body.detail.error).toBe('environment_policy_blocked');
    await p.call('PUT', '/v1/policies/environment/live', { body: {} });
    const allowed = await p.post(`/v1/runs/${run.body.run_id}/rerun`, { checkpoint_sequence: 1 });
    expect(allowed.body.output_text).toBe('<[<a>]>');
  });
});
