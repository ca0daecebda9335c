import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { openStored } from '../support/stored.ts';

/** A pipe whose second step calls a function that fails, until the spec names another one. */
function pipe(second: string, more: string[] = []) {
  const ids = ['first', 'second', ...more, 'third'];
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: ids.map((id) => ({ id, kind: 'function', ref: id })),
    },
    components: {
      functions: Object.fromEntries(
        ids.map((id) => [id, { implementation: id === 'second' ? second : 'work.mark' }]),
      ),
    },
  };
}

const calls: string[] = [];
const handlers = {
  'work.mark': ([input]: readonly unknown[]) => {
    calls.push(String(input));
    return `<${String(input)}>`;
  },
  'work.fails': () => {
    throw new Error('the address is wrong');
  },
};

describe.each([false, true])('a run goes on under another spec, thread %s', (thread) => {
  let p: TestPlatform;
  beforeAll(async () => {
    p = await startTestPlatform({ handlers, thread });
  });
  afterAll(() => p.stop());

  async function failed(): Promise<string> {
    const answer = await p.post('/v1/runs', {
      input: 'a',
      spec: pipe('work.fails'),
      metadata: { ticket: 7 },
    });
    expect(answer.status).not.toBe(200);
    const { body } = await p.get('/v1/runs?status=failed&sort_by=created_at&sort_order=desc');
    return body.runs[0].run_id;
  }

  test('the check says what stays done, what is new and that nothing was changed', async () => {
    const id = await failed();
    const before = (await p.get(`/v1/runs/${id}`)).body;
    const { status, body } = await p.post(`/v1/runs/${id}/recover/check`, {
      spec: pipe('work.mark', ['check']),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      run_id: id,
      status: 'failed',
      masked: false,
      timeout_seconds: null,
      fit: {
        fits: true,
        kind: 'sequential',
        repeats: 'second',
        again: ['second'],
        once_more: [],
        renamed: {},
        missing: [],
        free: ['check'],
        turn: null,
        kept: ['first'],
        gone: [],
        ahead: ['check', 'third'],
        added: ['check'],
        skipped: [],
        misfits: [],
      },
    });
    expect((await p.get(`/v1/runs/${id}`)).body).toEqual(before);
  });

  test('the same run goes on; its metadata and the audit name both specs', async () => {
    const id = await failed();
    calls.length = 0;
    const spec = pipe('work.mark', ['check']);
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(answer).toMatchObject({
      status: 200,
      body: { run_id: id, status: 'completed', output_text: '<<<<a>>>>' },
    });
    expect(calls).toEqual(['<a>', '<<a>>', '<<<a>>>']);
    const run = (await p.get(`/v1/runs/${id}`)).body;
    expect(run.metadata.frozen_spec.base.workflow.steps).toHaveLength(4);
    expect(run.metadata.caller_metadata).toEqual({ ticket: 7 });
    const [entry] = run.metadata.recovered;
    expect(entry).toMatchObject({ repeats: 'second', actor: expect.any(String) });
    expect(entry.from_sha256).not.toBe(entry.to_sha256);
    const listed = (await p.get('/v1/runs?status=completed')).body.runs;
    const row = listed.find((item: Loose) => item.run_id === id);
    expect(row.metadata.recovered).toEqual(run.metadata.recovered);
    const audit = await p.get(`/v1/audit-events?event_type=run.recovered&run_id=${id}`);
    expect(audit.body.events[0].metadata).toMatchObject({
      repeats: 'second',
      kept: 1,
      added: ['check'],
      to_sha256: entry.to_sha256,
    });
    const graph = (await p.get(`/v1/runs/${id}/graph`)).body;
    expect(graph.nodes).toHaveLength(4);
    const again = await p.post(`/v1/runs/${id}/recover`, { spec });
    expect(JSON.stringify(again.body)).toContain('this one is completed');
    expect(again).toMatchObject({ status: 409, body: { detail: { error: 'run_state_conflict' } } });
  });

  test('what does not fit is refused with the reason, and the run stays as it was', async () => {
    const id = await failed();
    const gone = pipe('work.mark');
    gone.workflow.steps.splice(1, 1);
    const check = await p.post(`/v1/runs/${id}/recover/check`, { spec: gone });
    expect(check.body.fit).toMatchObject({ fits: false, misfits: [{ code: 'step_gone' }] });
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec: gone });
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: { error: 'run_state_conflict' } },
    });
    expect(JSON.stringify(answer.body)).toContain("stopped in 'second'");
    const invalid = await p.post(`/v1/runs/${id}/recover`, { spec: { version: 'v1' } });
    expect(invalid).toMatchObject({ status: 400, body: { detail: { error: 'spec_invalid' } } });
    expect((await p.get(`/v1/runs/${id}`)).body).toMatchObject({ status: 'failed' });
    const again = await p.post(`/v1/runs/${id}/recover`, { spec: pipe('work.fails') });
    expect(again.status).not.toBe(200);
    const done = await p.post(`/v1/runs/${id}/recover`, { spec: pipe('work.mark') });
    expect(done.body).toMatchObject({ run_id: id, status: 'completed' });
    expect((await p.get(`/v1/runs/${id}`)).body.metadata.recovered).toHaveLength(2);
  });

  test('a repeated call with the same key answers the first outcome', async () => {
    const id = await failed();
    const send = () =>
      p.post(
        `/v1/runs/${id}/recover`,
        { spec: pipe('work.mark') },
        { headers: { 'idempotency-key': `k-${id}` } },
      );
    const first = await send();
    const second = await send();
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  test('a store that cannot be written leaves the run as it was, held by nobody', async () => {
    const id = await failed();
    const before = (await p.get(`/v1/runs/${id}`)).body;
    const store = await openStored(p.file);
    store.exec(
      onPostgres
        ? 'ALTER TABLE runs ADD CONSTRAINT no_room CHECK (id IS NULL) NOT VALID'
        : "CREATE TRIGGER no_room BEFORE UPDATE OF created_metadata ON runs BEGIN SELECT RAISE(FAIL, 'no room'); END",
    );
    const answer = await p.post(`/v1/runs/${id}/recover`, { spec: pipe('work.mark') });
    expect(answer.status).toBe(500);
    expect((await p.get(`/v1/runs/${id}`)).body).toEqual(before);
    store.exec(onPostgres ? 'ALTER TABLE runs DROP CONSTRAINT no_room' : 'DROP TRIGGER no_room');
    await store.close();
    const done = await p.post(`/v1/runs/${id}/recover`, { spec: pipe('work.mark') });
    expect(done).toMatchObject({ status: 200, body: { run_id: id, status: 'completed' } });
  });
});
