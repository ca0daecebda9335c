import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import { toRunFields } from './run-fields.ts';
import { pendingEffects, step } from './step.ts';
import { decide, drive, rerunOf, type TestHandlers, testSetup } from './testing/drive.ts';
import {
  again,
  at,
  CHAIN,
  call,
  GRAPH,
  HANDLERS,
  lines,
  program,
} from './testing/driven-reruns.ts';
import { programOf } from './testing/sample-programs.ts';

test('a rerun from a step goes on after it and names its origin', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const made = again(run, at(run, 'step_completed', 'one'));
  expect(made.state).toMatchObject({ status: 'completed', output_text: 'GO!!' });
  expect(itemsOf(made.state.visited)).toEqual(['one', 'two', 'three']);
  expect(lines(made)).toEqual([
    'run_started:',
    'step_completed:two',
    'step_completed:three',
    'run_completed:',
  ]);
  expect(made.trace.map((event) => event.type)).toEqual(['workflow_resumed', 'workflow_completed']);
  expect(made.trace[0]?.metadata).toEqual({ start_index: 1, step_count: 3 });
  const origin = {
    run_id: run.state.setup.run_id,
    checkpoint_id: run.checkpoints[1]?.id,
    checkpoint_sequence: 2,
    checkpoint_type: 'step_completed',
    edited: [],
  };
  expect(made.checkpoints[0]?.metadata['rerun_of']).toEqual(origin);
  expect(toRunFields(made.state).metadata['rerun_of']).toEqual(origin);
  expect(made.state.setup.run_id).not.toBe(run.state.setup.run_id);
  expect(toRunFields(run.state).metadata).not.toHaveProperty('rerun_of');
});

test('the edited input is what the next step gets, at the start it is the input of the run', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const made = again(run, at(run, 'step_completed', 'two'), { input: 'edited' });
  expect(made.state.output_text).toBe('edited!');
  expect(made.state.setup.input_text).toBe('go');
  const fresh = again(run, at(run, 'run_started'), { input: 'new' });
  expect(fresh.state).toMatchObject({ output_text: 'NEW!!', setup: { input_text: 'new' } });
  expect(fresh.trace[0]?.type).toBe('workflow_started');
  expect(toRunFields(fresh.state).metadata['rerun_of']).toMatchObject({ edited: ['input'] });
});

test('next_step skips or repeats turns; messages replace the thread', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const index = at(run, 'step_completed', 'one');
  expect(again(run, index, { next_step: 'three' }).state.output_text).toBe('GO!');
  expect(again(run, index, { next_step: 'one' }).state.output_text).toBe('GO!!');
  const made = again(run, index, {
    messages: [
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'said', name: 'one' },
    ],
    next_step: 'three',
  });
  expect(made.state.messages.map((item) => item.content)).toEqual(['u', 'said', 'said!']);
});

test('a failed step runs again; what a nested workflow had done begins again as a whole', () => {
  const failing = drive(
    program({ ...CHAIN, steps: [call('one', 'up'), call('two', 'broken'), call('three', 'mark')] }),
    testSetup('go'),
    HANDLERS,
  );
  expect(failing.state.status).toBe('failed');
  const fixed = { ...HANDLERS, broken: () => 'mended' };
  for (const type of ['step_failed', 'run_failed']) {
    expect(again(failing, at(failing, type), undefined, fixed).state.output_text).toBe('mended!');
  }
  const nested = drive(
    program({
      type: 'sequential',
      steps: [call('one', 'mark'), { id: 'n', kind: 'agent', ref: 'team' }],
    }),
    testSetup('go'),
    HANDLERS,
  );
  const made = again(nested, at(nested, 'step_completed', 'in1'), { input: 'x' });
  expect(made.state.output_text).toBe('X!');
  expect(lines(made)).toEqual([
    'run_started:',
    'step_completed:in1',
    'step_completed:in2',
    'step_completed:n',
    'run_completed:',
  ]);
});

test('a graph evaluates its edges on the edited output, or goes on with a chosen node', () => {
  const run = drive(program(GRAPH), testSetup('go'), HANDLERS);
  const index = at(run, 'node_completed', 'x');
  expect(itemsOf(again(run, index).state.visited)).toEqual(['x', 'z']);
  const left = again(run, index, { input: 'left' });
  expect(itemsOf(left.state.visited)).toEqual(['x', 'y']);
  expect(left.state.messages.map((item) => item.content)).toEqual(['go', 'left', 'left!']);
  const chosen = again(run, index, { next_step: 'y' });
  expect(itemsOf(chosen.state.visited)).toEqual(['x', 'y']);
  expect(chosen.state.output_text).toBe('GO!');
  const both = again(run, index, { input: 'e', next_step: 'y' });
  expect(both.state.output_text).toBe('e!');
});

test('the step cap of a graph counts the nodes of the origin too', () => {
  const loop = {
    ...GRAPH,
    edges: [
      { from: 'x', to: 'y' },
      { from: 'y', to: 'x' },
    ],
  };
  const run = drive(program(loop), testSetup('go'), HANDLERS);
  expect(run.state).toMatchObject({ status: 'failed', error: { type: 'max_iterations' } });
  const made = again(run, at(run, 'node_completed', 'y'));
  expect(itemsOf(made.state.visited)).toEqual(['x', 'y', 'x', 'y']);
  expect(made.state.error?.type).toBe('max_iterations');
});

test('a concurrent workflow keeps what had settled, edited if asked, and runs the others', () => {
  const workflow = {
    type: 'concurrent',
    participants: [call('p', 'up'), call('q', 'mark'), { id: 'who', kind: 'human', ref: 'h' }],
  };
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(run.state.status).toBe('blocked');
  const index = at(run, 'step_completed', 'p');
  let calls = 0;
  const counted: TestHandlers = {
    ...HANDLERS,
    up: () => {
      calls += 1;
      return 'again';
    },
  };
  const made = again(run, index, { outputs: { p: 'edited' } }, counted);
  expect(calls).toBe(0);
  expect(made.state.status).toBe('blocked');
  decide(made, { decision: 'provided', content: 'fine' }, counted);
  expect(made.state.messages.map((item) => item.content)).toEqual(['go', 'edited', 'go!', 'fine']);
  expect(itemsOf(made.state.visited)).toEqual(['p', 'q', 'who']);
});

test('a rerun of a pause asks again under a task of its own', () => {
  const run = drive(
    program({
      type: 'sequential',
      steps: [call('one', 'up'), { id: 'ask', kind: 'human', ref: 'h' }, call('three', 'mark')],
    }),
    testSetup('go'),
    HANDLERS,
  );
  const made = again(run, at(run, 'human_pause'), { input: 'other' });
  expect(made.state.status).toBe('blocked');
  expect(made.state.pause?.request.context['input_text']).toBe('other');
  expect(made.state.pause?.continuation.id).not.toBe(run.state.pause?.continuation.id);
  decide(made, { decision: 'provided', content: 'yes' }, HANDLERS);
  expect(made.state.output_text).toBe('yes!');
  decide(run, { decision: 'provided', content: 'first' }, HANDLERS);
  const resumed = again(run, at(run, 'human_resume'));
  expect(resumed.state.output_text).toBe('first!');
  const afterAnswer = again(run, at(run, 'step_completed', 'ask'), { input: 'changed' });
  expect(afterAnswer.state.output_text).toBe('changed!');
});

test.each([
  ['handoff', { type: 'handoff', participants: [call('p', 'up'), call('q', 'mark')] }, 'GO!'],
  [
    'group-chat',
    { type: 'group-chat', rounds: 2, participants: [call('p', 'up'), call('q', 'mark')] },
    'GO!!',
  ],
])('a %s goes on with the turns that are left', (_kind, workflow, output) => {
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(run.state.output_text).toBe(output);
  const made = again(run, at(run, 'step_completed', 'p'));
  expect(made.state.output_text).toBe(output);
  const last = again(run, at(run, 'run_completed'));
  expect(last.state).toMatchObject({ status: 'completed', output_text: output });
  expect(lines(last)).toEqual(['run_started:', 'run_completed:']);
});

test('an answer that ended a workflow may be edited too', () => {
  const run = drive(
    program({
      type: 'handoff',
      participants: [call('p', 'up'), { id: 'w', kind: 'human', ref: 'h' }],
    }),
    testSetup('go'),
    HANDLERS,
  );
  decide(run, { decision: 'provided', content: 'last' }, HANDLERS);
  const index = at(run, 'run_completed');
  expect(again(run, index).state).toMatchObject({ output_text: 'last', messages: [] });
  expect(again(run, index, { input: 'other' }).state.output_text).toBe('other');
  const told = again(run, index, { messages: [{ role: 'user', content: 'm' }] });
  expect(told.state.messages.map((item) => item.content)).toEqual(['m']);
  expect(again(run, index, { next_step: 'p' }).state.status).toBe('blocked');
});

test('an agent alone begins again, with the edited memory', () => {
  const alone = programOf('{"version": "v1", "agent": {"name": "root"}}');
  const run = drive(alone, testSetup('go'), {});
  const made = again(run, at(run, 'run_completed'), {
    input: 'new',
    histories: { '': [{ role: 'user', content: 'before' }] },
  });
  expect(made.state.output_text).toBe('Final answer: new');
  expect(made.state.messages.map((item) => item.content)).toEqual([
    'before',
    'new',
    'Final answer: new',
  ]);
});

test('agents remember in a rerun what they had heard in its origin', () => {
  const workflow = {
    type: 'sequential',
    steps: [
      { id: 'one', kind: 'agent', ref: 'a' },
      { id: 'two', kind: 'agent', ref: 'a' },
    ],
  };
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  const made = again(run, at(run, 'step_completed', 'one'));
  expect(made.state.messages).toEqual(run.state.messages);
  expect(made.state.messages).toHaveLength(4);
});

test('a rerun can be run again from its own checkpoints', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const made = again(run, at(run, 'step_completed', 'one'), { input: 'x' });
  const third = again(made, at(made, 'run_started'), {});
  expect(third.state.output_text).toBe('x!!');
  const fourth = again(made, at(made, 'step_completed', 'two'));
  expect(fourth.state.output_text).toBe('x!!');
  expect(toRunFields(fourth.state).metadata['rerun_of']).toMatchObject({
    run_id: made.state.setup.run_id,
  });
});

test('a cancelled rerun that has not started ends cancelled, without a program', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const made = rerunOf(run, 1);
  const outcome = step(null, made.state, { type: 'cancelled', at: 5 });
  expect(outcome.state.status).toBe('cancelled');
  expect(pendingEffects(outcome.state)).toEqual([]);
});
