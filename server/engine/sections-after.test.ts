import { expect, test } from 'vitest';
import { createRun, isNewRun } from './create-run.ts';
import { failureClass } from './failure.ts';
import { decisionText, selectsUnknownOption } from './human.ts';
import { pythonLiteral } from './python-text.ts';
import { replayContext } from './recovery.ts';
import { rerunFrom } from './rerun.ts';
import { step } from './step.ts';
import {
  apply,
  createdRun,
  decide,
  nextTime,
  rerunOf,
  rerunRequest,
  settle,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';
import { agentStep, call, chain, go, HANDLERS, spec } from './testing/short-specs.ts';
import { previewOf } from './trace.ts';
import { parseUsage } from './usage.ts';

test('13: a decision without its content passes the input on', () => {
  expect(decisionText({ decision: 'selected' }, 'in')).toBe('in');
  expect(decisionText({ decision: 'edited' }, 'in')).toBe('in');
  const request = { options: null } as never;
  expect(selectsUnknownOption(request, { decision: 'selected' })).toBe(false);
  expect(selectsUnknownOption(request, { decision: 'selected', selected_option: 'x' })).toBe(false);
});

test('13, 15: a graph that was blocked may be run again from its answer with other messages', () => {
  const text = spec(
    {},
    {
      type: 'graph',
      start: 'a',
      nodes: { a: call('a', 'up'), h: { id: 'h', kind: 'human', ref: 'h' }, z: call('z', 'mark') },
      edges: [
        { from: 'a', to: 'h' },
        { from: 'h', to: 'z', condition: { type: 'output_contains', value: 'yes' } },
      ],
    },
    { humans: { h: { request_type: 'freeform' } } },
  );
  const run = go(text);
  expect(replayContext(run.state, true)).toMatchObject({
    can_continue: false,
    resume_input: 'GO',
    completed_nodes: ['a'],
  });
  decide(run, { decision: 'provided', content: 'no' }, HANDLERS);
  expect(run.state.output_text).toBe('no');
  expect(replayContext(run.state, true)).toMatchObject({ failed_node: null, resume_input: null });
  const index = run.checkpoints.findIndex((row) => row.type === 'human_resume');
  const again = rerunOf(run, index, { input: 'yes', messages: [] });
  apply(again, { type: 'start', at: nextTime(again) });
  settle(again, HANDLERS);
  expect(again.state.output_text).toBe('yes!');
  const before = rerunOf(run, 1, { messages: [{ role: 'user', content: 'm' }] });
  apply(before, { type: 'start', at: nextTime(before) });
  expect(before.state.pause?.input).toBe('GO');
});

test('15: continue leaves a place from which a rerun can begin, with another input', () => {
  const text = spec(
    {},
    {
      type: 'graph',
      start: 'a',
      nodes: { a: call('a', 'up'), b: call('b', 'broken'), c: call('c', 'mark') },
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    },
  );
  const run = go(text);
  apply(run, { type: 'continued', at: nextTime(run) });
  settle(run, HANDLERS);
  const index = run.checkpoints.findLastIndex((row) => row.type === 'step_failed');
  const again = rerunOf(run, index, { input: 'other' });
  apply(again, { type: 'start', at: nextTime(again) });
  settle(again, { ...HANDLERS, broken: (input) => `<${input}>` });
  expect(again.state.output_text).toBe('<other>!');
});

test('6.2: the platform fails a run wherever it stands; only chains and graphs can be continued', () => {
  const error = { type: 'dead_letter', message: 'too often' };
  const concurrent = createdRun(
    programOf(spec({}, { type: 'concurrent', participants: [call('p', 'up')] })),
    testSetup('go'),
  );
  apply(concurrent, { type: 'start', at: nextTime(concurrent) });
  apply(concurrent, { type: 'failed', at: nextTime(concurrent), error });
  expect(concurrent.state).toMatchObject({ status: 'failed', error, restart: null });
  const blocked = go(spec({}, chain({ id: 'h', kind: 'human', ref: 'h' }), { humans: { h: {} } }));
  expect(blocked.state.status).toBe('blocked');
  apply(blocked, { type: 'failed', at: nextTime(blocked), error });
  expect(blocked.state).toMatchObject({ status: 'failed', restart: null, pause: null });
  const late = createdRun(programOf(spec({}, null)), testSetup('go'));
  apply(late, { type: 'deadline_passed', at: nextTime(late) });
  expect(late.state.error?.message).toBe('Run exceeded its 0s timeout.');
});

test('6.2: a run whose spec cannot run keeps the code and the place of each finding', () => {
  const { state } = createRun(testSetup('x'), 'queued', 0);
  const finding = { code: 'E_REF_UNKNOWN', path: 'workflow.steps[0].ref' };
  const error = { type: 'SpecCompilationError', message: 'No such step.', findings: [finding] };
  const { checkpoints } = step(null, state, { type: 'failed', at: 5, error });
  expect(checkpoints[0]?.metadata['error']).toEqual(error);
});

test('a run is new until it starts; a rerun never is, since its place says more than its setup', () => {
  expect(isNewRun(createRun(testSetup('go'), 'queued', 0).state)).toBe(true);
  expect(isNewRun(createRun(testSetup('go'), 'running', 0).state)).toBe(false);
  const run = go(spec({}, chain(call('a', 'up'))));
  const made = rerunFrom(run.program, { ...rerunRequest(run, 0), status: 'queued' });
  expect(made.ok && isNewRun(made.outcome.state)).toBe(false);
});

test('12: a workflow behind an agent that fails emits no event of its own', () => {
  const run = go(
    spec({}, chain(agentStep('t', 'team')), {
      agents: { team: { name: 'team', as_agent: 'inner' } },
      workflows: { inner: { type: 'sequential', steps: [call('x', 'broken')] } },
    }),
  );
  expect(run.trace.map((event) => event.type)).toEqual([
    'workflow_started',
    'run_started',
    'run_failed',
    'workflow_failed',
  ]);
});

test('6.3, 4.2: every fixed type has its answer', () => {
  expect(
    ['GuardrailViolation', 'ToolMiddlewareViolation', 'SpecCompilationError'].map(failureClass),
  ).toEqual(['guardrail_violation', 'guardrail_violation', 'spec_invalid']);
});

test('17: usage without parts counts as nothing but its total', () => {
  expect(parseUsage({ total_tokens: 7 })).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 7,
  });
  const run = createdRun(programOf(spec({}, null)), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'model', answer: { text: 'a', tool_calls: [], usage: { output_tokens: 3 } } },
  });
  expect(run.state.usage).toEqual({ input_tokens: 0, output_tokens: 3, total_tokens: 3 });
});

test('14: a preview counts characters, not UTF-16 units', () => {
  const text = '😀'.repeat(400);
  expect(previewOf(text, (same) => same)).toBe(text);
});

test('11.2: characters that do not print are escaped as in the recorded answers', () => {
  expect(pythonLiteral('\u{e0001}\u200b')).toBe("'\\U000e0001\\u200b'");
  expect(pythonLiteral([false, null])).toBe('[False, None]');
});

test('no event works for ever: a run that waits for nothing and does not end is failed', () => {
  const level = (n: number): object => ({
    type: 'sequential',
    steps: Array.from({ length: 8 }, (_, i) => ({
      id: `s${i}`,
      kind: n === 0 ? 'human' : 'workflow',
      ref: n === 0 ? 'h' : `w${n - 1}`,
      on_error: 'continue',
    })),
  });
  const text = spec(
    {},
    { ...level(5) },
    {
      humans: { h: {} },
      workflows: Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`w${n}`, { ...level(n) }])),
    },
  );
  const run = createdRun(programOf(text), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  expect(run.state).toMatchObject({
    status: 'failed',
    error: { type: 'RunLimitExceeded' },
    frames: {},
  });
});

test('a step without its program refuses events that need it', () => {
  const run = go(spec({}, chain({ id: 'h', kind: 'human', ref: 'h' }), { humans: { h: {} } }));
  const decision = { decision: 'approved' } as const;
  expect(() => step(null, run.state, { type: 'human_decided', at: 1, decision })).toThrow(
    TypeError,
  );
});
