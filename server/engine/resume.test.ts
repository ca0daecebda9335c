import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import { replayContext } from './recovery.ts';
import { toRunFields } from './run-fields.ts';
import {
  apply,
  type DrivenRun,
  decide,
  drive,
  nextTime,
  settle,
  testSetup,
} from './testing/drive.ts';
import { sampleFunctions } from './testing/sample-functions.ts';
import { programOf } from './testing/sample-programs.ts';

const folder = new URL('../../test/fixtures/specs/', import.meta.url);

function sample(file: string, input: string) {
  const handlers = sampleFunctions();
  const program = programOf(readFileSync(new URL(file, folder), 'utf8'));
  return { handlers, run: drive(program, testSetup(input), handlers) };
}

function rows(run: DrivenRun): string[] {
  return run.checkpoints.map((row) => {
    const place =
      row.node_id === null ? (row.step_id === null ? '' : `:${row.step_id}`) : `@${row.node_id}`;
    return `${row.type}${place}${row.iteration === 1 ? '' : `#${row.iteration}`}`;
  });
}

test('a sequential workflow that ends in a human step completes with the human output', () => {
  const { run, handlers } = sample('last-word-human.yaml', 'case 12');
  decide(run, { decision: 'approved' }, handlers);
  expect(run.state.status).toBe('completed');
  expect(run.state.output_text).toBe('Final answer: case 12');
  expect(run.trace.map((event) => event.type).slice(-2)).toEqual([
    'workflow_resumed',
    'workflow_completed',
  ]);
  expect(rows(run).slice(-3)).toEqual(['human_resume', 'step_completed:close', 'run_completed']);
});

test('continue of a failed sequential run restarts at the failed step and clears the error', () => {
  const { run } = sample('failing-import.yaml', ' a  b ');
  expect(replayContext(run.state, true)).toMatchObject({
    completed_steps: ['read'],
    failed_step: 'load',
    next_step_index: 1,
    resume_input: 'a b',
    can_continue: true,
    checkpoint_count: 4,
  });
  apply(run, { type: 'continued', at: nextTime(run) });
  expect(run.state.current_step_index).toBe(1);
  const fixed = {
    ...sampleFunctions(),
    'sample_steps.always_fails': (x: unknown) => `loaded ${x}`,
  };
  settle(run, fixed);
  expect(run.state).toMatchObject({
    status: 'completed',
    output_text: '[stamped] loaded a b',
    error: null,
  });
  expect(itemsOf(run.state.visited)).toEqual(['read', 'load', 'report']);
  expect(run.trace.map((event) => event.type)).toEqual([
    'workflow_started',
    'workflow_failed',
    'workflow_resumed',
    'workflow_completed',
  ]);
  expect(rows(run)).toEqual([
    'run_started',
    'step_completed:read',
    'step_failed:load',
    'run_failed',
    'replay_context',
    'step_completed:load#2',
    'step_completed:report',
    'run_completed',
  ]);
});

test('continue of a failed graph run restarts at the failed node with its input', () => {
  const program = programOf(`
version: v1
agent: {name: root}
workflow:
  type: graph
  start: one
  nodes:
    one: {id: one, kind: function, ref: ok}
    two: {id: two, kind: function, ref: broken}
  edges: [{from: one, to: two}]
components:
  functions: {ok: {implementation: ok}, broken: {implementation: broken}}
`);
  const handlers = {
    ok: (text: unknown) => `${text}!`,
    broken: () => {
      throw new Error('down');
    },
  };
  const run = drive(program, testSetup('go'), handlers);
  expect(run.state.error).toEqual({ type: 'RuntimeError', message: 'down' });
  apply(run, { type: 'continued', at: nextTime(run) });
  settle(run, { ...handlers, broken: (text) => `two got ${text}` });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'two got go!', error: null });
  expect(itemsOf(run.state.visited)).toEqual(['one', 'two']);
  expect(rows(run)).toContain('node_completed@two#2');
});

test('a run at its step cap, a failed orchestration and an agent target have nothing to continue from', () => {
  const capped = sample('retry-loop-limit.yaml', 'red').run;
  const state = capped.state;
  expect(state.status).toBe('failed');
  apply(capped, { type: 'continued', at: nextTime(capped) });
  expect(capped.state).toBe(state);
});

test('on_timeout fail ends the run expired without a checkpoint', () => {
  const { run } = sample('invoice-approval.yaml', 'Invoice 1');
  const before = run.checkpoints.length;
  expect(run.state.pause?.continuation.expires_at).toBeCloseTo(
    (run.events.at(-1)?.at ?? 0) / 1000 + 7200,
  );
  apply(run, { type: 'task_expired', at: nextTime(run) });
  expect(run.state.status).toBe('expired');
  expect(run.state.error).toEqual({
    type: 'human_task_expired',
    message: 'Human task did not complete within 7200s timeout.',
  });
  expect(run.checkpoints.length).toBe(before);
});

test('on_timeout continue goes on as approved', () => {
  const { run, handlers } = sample('postmortem-circle.yaml', 'outage');
  apply(run, { type: 'task_expired', at: nextTime(run) });
  settle(run, handlers);
  expect(run.state.status).toBe('blocked');
  expect(rows(run).slice(-3)).toEqual([
    'human_resume:engineer',
    'step_completed:engineer',
    'human_pause:engineer',
  ]);
});

test('on_timeout escalate marks the task once and leaves the run blocked and resumable', () => {
  const { run, handlers } = sample('shift-change.yaml', 'line 2');
  const original = run.state.pause?.continuation.expires_at;
  apply(run, { type: 'task_expired', at: nextTime(run) });
  expect(run.state.status).toBe('blocked');
  expect(run.state.pause?.continuation.pending_human_request).toMatchObject({
    original_expires_at: original,
  });
  expect(toRunFields(run.state).pending_human_request).not.toHaveProperty('escalated_at');
  const escalated = run.state;
  apply(run, { type: 'task_expired', at: nextTime(run) });
  expect(run.state).toBe(escalated);
  decide(run, { decision: 'approved' }, handlers);
  expect(run.state.status).toBe('completed');
});

test('a selection that times out with continue takes its default option', () => {
  const program = programOf(`
version: v1
agent: {name: root}
workflow:
  type: sequential
  steps: [{id: pick, kind: human, ref: h}]
components:
  humans:
    h: {request_type: selection, options: [a, b], default_option: b, timeout_seconds: 5, on_timeout: continue}
`);
  const run = drive(program, testSetup('go'), {});
  apply(run, { type: 'task_expired', at: nextTime(run) });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'b' });
});

test('a resumed run names the continuation it came from, a blocked one its request', () => {
  const { run, handlers } = sample('invoice-approval.yaml', 'Invoice 1');
  const blocked = toRunFields(run.state);
  expect(blocked.metadata).toMatchObject({
    human_intervention_required: true,
    continuation_id: blocked.continuation_id,
    pending_step_id: 'sign_off',
    workflow: { pending_step_id: 'sign_off', visited_steps: ['check_totals'] },
  });
  decide(run, { decision: 'approved' }, handlers);
  expect(toRunFields(run.state).metadata['resumed_from_continuation_id']).toBe(
    blocked.continuation_id,
  );
});

test('a resumed run that fails records the step and can be continued', () => {
  const program = programOf(`
version: v1
agent: {name: root}
workflow:
  type: sequential
  steps: [{id: ask, kind: human, ref: h}, {id: work, kind: function, ref: f}]
components:
  humans: {h: {}}
  functions: {f: {implementation: f}}
`);
  const run = drive(program, testSetup('go'), {});
  decide(run, { decision: 'edited', content: 'went' }, {});
  expect(run.state.status).toBe('failed');
  expect(rows(run).slice(-4)).toEqual([
    'human_resume',
    'step_completed:ask',
    'step_failed:work',
    'run_failed',
  ]);
  apply(run, { type: 'continued', at: nextTime(run) });
  settle(run, { f: (text) => `${text} well` });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'went well' });
});

test('ids that a run gives itself are UUIDs of version 4, each its own', () => {
  const { run } = sample('last-word-human.yaml', 'case 12');
  const ids = [
    ...run.checkpoints.map((row) => row.id),
    ...run.trace.map((event) => event.event_id),
    ...run.trace.flatMap((event) => event.span_id ?? []),
  ];
  expect(ids.length).toBeGreaterThan(run.trace.length);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  const named = run.trace.map((event) => event.event_id);
  expect(new Set(named).size).toBe(named.length);
});
