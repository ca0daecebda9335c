import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import { apply, createdRun, drive, nextTime, settle, testSetup } from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

const HANDLERS = {
  ok: (text: unknown) => `ok ${text}`,
  down: () => {
    throw new Error('down');
  },
};
const FUNCTIONS = 'functions: {ok: {implementation: ok}, down: {implementation: down}}';

function spec(workflow: string, more = ''): string {
  return `
version: v1
agent: {name: root}
workflow: ${workflow}
components:
  agents: {a: {name: a}, team: {name: team, as_agent: pair}}
  ${FUNCTIONS}
  workflows:
    pair: {type: sequential, name: pair, steps: [{id: in1, kind: agent, ref: a}, {id: in2, kind: function, ref: ok}]}
    broken: {type: sequential, name: broken, steps: [{id: bad, kind: function, ref: down}]}
${more}`;
}

test('a timed-out attempt is abandoned; its late answer changes nothing', () => {
  const program = programOf(
    spec(
      '{type: sequential, steps: [{id: s, kind: agent, ref: a, timeout_seconds: 4, max_retries: 1}]}',
    ),
    { retry_on_timeout: true },
  );
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  const [timer, call] = run.queue;
  expect(timer).toMatchObject({ kind: 'start_timer', reason: 'step_timeout' });
  const outcome = apply(run, { type: 'timer_fired', at: nextTime(run), effect_id: timer!.id });
  expect(outcome.abandoned).toContain(call!.id);
  expect(run.trace.at(-2)?.type).toBe('run_failed');
  const state = run.state;
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: call!.id,
    result: { kind: 'value', value: 'late' },
  });
  expect(run.state).toBe(state);
  settle(run, HANDLERS);
  expect(run.state).toMatchObject({
    status: 'completed',
    output_text: 'Final answer: go',
    pending: {},
  });
});

test('a timeout is not repeated unless that is switched on', () => {
  const program = programOf(
    spec(
      '{type: sequential, steps: [{id: s, kind: agent, ref: a, timeout_seconds: 4, max_retries: 3}]}',
    ),
  );
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, { type: 'timer_fired', at: nextTime(run), effect_id: run.queue[0]!.id });
  expect(run.state.error).toEqual({
    type: 'RetryTimeoutError',
    message: "Step 's' timed out after 4s.",
  });
});

test('a failed participant fails a concurrent run only after all have settled', () => {
  const run = createdRun(
    programOf(
      spec(
        '{type: concurrent, participants: [{id: x, kind: function, ref: ok}, {id: y, kind: function, ref: down}, {id: z, kind: function, ref: down}]}',
      ),
    ),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  expect(run.queue.length).toBe(3);
  const [x, y, z] = run.queue;
  const fail = (id: string, message: string) =>
    apply(run, { type: 'effect_failed', at: nextTime(run), effect_id: id, error: { message } });
  fail(z!.id, 'third');
  fail(y!.id, 'second');
  expect(run.state.status).toBe('running');
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: x!.id,
    result: { kind: 'value', value: 1 },
  });
  expect(run.state.error).toEqual({ type: 'RuntimeError', message: 'second' });
});

test('an offline agent in a concurrent workflow waits for the functions before it', () => {
  const run = drive(
    programOf(
      spec(
        '{type: concurrent, participants: [{id: f, kind: function, ref: ok}, {id: p, kind: agent, ref: a}, {id: w, kind: workflow, ref: pair}]}',
      ),
    ),
    testSetup('go'),
    HANDLERS,
  );
  expect(run.checkpoints.flatMap((row) => row.step_id ?? [])).toEqual([
    'f',
    'p',
    'in1',
    'in2',
    'w',
  ]);
  expect(run.state.output_text).toBe('ok Final answer: go');
});

test('on_error continue passes the input of the step on; the step counts as visited', () => {
  const run = drive(
    programOf(
      spec(
        '{type: handoff, participants: [{id: x, kind: function, ref: down, on_error: continue}, {id: y, kind: function, ref: ok}]}',
      ),
    ),
    testSetup('go'),
    HANDLERS,
  );
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'ok go', error: null });
  expect(run.checkpoints[1]).toMatchObject({
    type: 'step_completed',
    metadata: { error: 'down', output_text: 'go' },
  });
});

test('a fallback that fails too fails the step', () => {
  const run = drive(
    programOf(
      spec(
        '{type: sequential, steps: [{id: x, kind: function, ref: down, on_error: fallback, fallback_ref: y}, {id: y, kind: workflow, ref: broken}]}',
      ),
    ),
    testSetup('go'),
    HANDLERS,
  );
  expect(run.state.error).toEqual({ type: 'RuntimeError', message: 'down' });
  expect(run.checkpoints.map((row) => `${row.type}:${row.step_id}`)).toEqual([
    'run_started:null',
    'step_failed:bad',
    'step_failed:x',
    'run_failed:null',
  ]);
});

test('a guardrail stop is neither repeated nor swallowed', () => {
  const text = `
version: v1
agent:
  name: root
  guardrails: {workflow: [{id: g, type: keyword, config: {keywords: [SECRET]}}]}
workflow: {type: sequential, steps: [{id: x, kind: function, ref: ok, on_error: continue, max_retries: 3}]}
components: {${FUNCTIONS}}
`;
  const run = drive(programOf(text), testSetup('secret'), HANDLERS);
  expect(run.state.error).toEqual({
    type: 'GuardrailViolation',
    message: "Guardrail 'g' failed: Blocked keywords found: ['SECRET']",
  });
});

test('an agent that is a workflow shows its own span, the checkpoints of its steps and no workflow events', () => {
  const run = drive(
    programOf(spec('{type: sequential, steps: [{id: t, kind: agent, ref: team}]}')),
    testSetup('go'),
    HANDLERS,
  );
  expect(run.state.output_text).toBe('ok Final answer: go');
  expect(run.trace.map((event) => [event.type, event.agent_name])).toEqual([
    ['workflow_started', null],
    ['run_started', 'team'],
    ['run_started', 'a'],
    ['run_completed', 'a'],
    ['run_completed', 'team'],
    ['workflow_completed', null],
  ]);
  const [workflow, team, inner] = run.trace;
  expect(team?.parent_span_id).toBe(workflow?.span_id);
  expect(inner?.parent_span_id).toBe(team?.span_id);
  expect(inner?.step_id).toBe('in1');
});

test('a completed event repeats the span of its start and tells how long it took', () => {
  const run = drive(
    programOf(spec('{type: sequential, steps: [{id: t, kind: agent, ref: a}]}')),
    testSetup('go'),
    HANDLERS,
  );
  const [, started, completed] = run.trace;
  expect(completed).toMatchObject({
    parent_event_id: started?.event_id,
    span_id: started?.span_id,
    step_id: 't',
    metadata: { duration_ms: 1, message_count: 2 },
  });
  expect(new Set(run.trace.map((event) => event.event_id)).size).toBe(run.trace.length);
});

test('a human step inside a nested workflow fails the step that holds it', () => {
  const text = `
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: x, kind: workflow, ref: inner, max_retries: 2}]}
components:
  humans: {h: {}}
  workflows: {inner: {type: sequential, steps: [{id: ask, kind: human, ref: h}]}}
`;
  const run = drive(programOf(text), testSetup('go'), HANDLERS);
  expect(run.state.status).toBe('failed');
  expect(run.state.error?.message).toMatch(/cannot pause/);
});

test('spec-v1 10: agents and workflows that need one another cannot be built', () => {
  const text = `
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: x, kind: agent, ref: loop}]}
components:
  agents: {loop: {name: loop, as_agent: w}}
  workflows: {w: {type: sequential, steps: [{id: y, kind: agent, ref: loop}]}}
`;
  expect(() => programOf(text)).toThrow(/agent 'loop'.*workflow 'w'/);
});

test('graph conditions see the metadata of the node that ended', () => {
  const text = `
version: v1
agent: {name: root}
workflow:
  type: graph
  start: constructor
  nodes:
    constructor: {id: constructor, kind: function, ref: down, on_error: fallback, fallback_ref: spare}
    spare: {id: spare, kind: agent, ref: a}
    good: {id: good, kind: function, ref: ok}
  edges:
    - {from: constructor, to: spare, condition: {type: metadata_equals, key: node_failed, value: true}}
    - from: constructor
      to: good
      condition:
        type: all_of
        conditions:
          - {type: metadata_equals, key: fallback_for, value: constructor}
          - {type: metadata_equals, key: agent_name, value: a}
          - {type: status_is, value: completed}
components:
  agents: {a: {name: a}}
  ${FUNCTIONS}
`;
  const run = drive(programOf(text), testSetup('go'), HANDLERS);
  expect(itemsOf(run.state.visited)).toEqual(['constructor', 'good']);
});
