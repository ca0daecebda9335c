import { describe, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import {
  flaky,
  functionSpec,
  gate,
  p,
  resume,
  sharePlatform,
  startBlocked,
} from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';

sharePlatform();

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
  test('46 what cannot go on is 409; a failed sequential run restarts at the failed step (RP-034, RP-036, RP-066)', async () => {
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
    flaky.fails = true;
    flaky.seen.length = 0;
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
    flaky.fails = false;
    const continued = await p.call('POST', `/v1/runs/${failed.id}/continue`);
    expect(continued.status).toBe(200);
    expect(continued.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: done: Final answer: go',
    });
    expect(flaky.seen).toEqual(['Final answer: go', 'Final answer: go']);
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

  test('46 every other state that cannot go on: cancelled, expired, timed out, queued, running (RP-035)', async () => {
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

  test('46 a failed graph restarts at the failed node, visited nodes kept (RP-069)', async () => {
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
    flaky.fails = true;
    flaky.seen.length = 0;
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
    flaky.fails = false;
    const continued = await p.call('POST', `/v1/runs/${failed.id}/continue`);
    expect(continued.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: done: Final answer: go',
    });
    expect(flaky.seen).toEqual(['Final answer: go', 'Final answer: go']);
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

  test('46, 30 one key on two runs is two operations; with one key the second continue replays (RP-062)', async () => {
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
