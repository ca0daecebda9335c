import { expect, test } from 'vitest';
import { editableState, type RerunEdits, rerunFrom } from './rerun.ts';
import { briefRunFields, toRunFields } from './run-fields.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  decide,
  drive,
  nextTime,
  rerunOf,
  settle,
  testSetup,
} from './testing/drive.ts';
import { again, at, CHAIN, call, GRAPH, HANDLERS, program } from './testing/driven-reruns.ts';

const REFUSED: readonly (readonly [string, object, number, RerunEdits, string])[] = [
  ['messages at the start', CHAIN, 0, { messages: [] }, 'messages'],
  ['outputs at the start', CHAIN, 0, { outputs: {} }, 'outputs'],
  ['a next step at the start', CHAIN, 0, { next_step: 'two' }, 'next_step'],
  ['an unknown step', CHAIN, 1, { next_step: 'nine' }, 'next_step'],
  ['outputs of a chain', CHAIN, 1, { outputs: { one: 'x' } }, 'outputs'],
  ['an unknown agent', CHAIN, 1, { histories: { nobody: [] } }, 'histories'],
  [
    'a role that there is not',
    CHAIN,
    1,
    JSON.parse('{"messages": [{"role": "robot", "content": ""}]}'),
    'messages',
  ],
  ['an unknown node', GRAPH, 1, { next_step: 'nine' }, 'next_step'],
];

test.each(REFUSED)('%s: the edit is refused by name', (_what, workflow, index, edits, field) => {
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(() => rerunOf(run, index, edits)).toThrow(`refused: ${field}`);
});

test('a concurrent workflow has no next step, and only what had settled can be edited', () => {
  const workflow = { type: 'concurrent', participants: [call('p', 'up'), call('q', 'mark')] };
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(() => rerunOf(run, 1, { next_step: 'q' })).toThrow('refused: next_step');
  expect(() => rerunOf(run, 1, { outputs: { q: 'x' } })).toThrow('refused: outputs');
  expect(() => rerunOf(run, 1, { outputs: { zz: 'x' } })).toThrow('refused: outputs');
});

test('a participant of a handoff that never has a turn cannot be next', () => {
  const workflow = {
    type: 'handoff',
    selector: { type: 'sequence', sequence: ['p'] },
    participants: [call('p', 'up'), call('q', 'mark')],
  };
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(() => rerunOf(run, 1, { next_step: 'q' })).toThrow('refused: next_step');
});

test('a point that does not fit the workflow of the run is refused', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const point = run.points[1];
  const other = (workflow: object, target: 'agent' | 'workflow' = 'workflow') =>
    rerunFrom(program(workflow), {
      setup: { ...testSetup('go', target), run_id: 'other' },
      status: 'queued',
      at: 1,
      origin: { run_id: 'r', checkpoint_id: 'c', checkpoint_sequence: 1, checkpoint_type: 't' },
      point: point!,
    });
  expect(other(CHAIN)).toMatchObject({ ok: true, outcome: { state: { status: 'queued' } } });
  expect(other(GRAPH)).toMatchObject({ ok: false, refusal: { field: 'point' } });
  expect(other({ ...CHAIN, steps: CHAIN.steps.slice(0, 1) })).toMatchObject({ ok: true });
  expect(other(CHAIN, 'agent')).toMatchObject({ ok: false, refusal: { field: 'point' } });
  expect(other({ type: 'handoff', participants: CHAIN.steps })).toMatchObject({ ok: false });
});

test('the editable state shows what an edit would change', () => {
  const show = (run: DrivenRun, index: number) =>
    editableState(run.program, run.points[run.checkpoints[index]!.point - 1]!, run.state.setup);
  const chain = drive(program(CHAIN), testSetup('go'), HANDLERS);
  expect(show(chain, 0)).toEqual({ input: 'go', histories: {} });
  expect(show(chain, 2)).toMatchObject({ input: 'GO!' });
  const graph = drive(program(GRAPH), testSetup('go'), HANDLERS);
  expect(show(graph, 1)).toMatchObject({ input: 'GO' });
  const workflow = { type: 'concurrent', participants: [call('p', 'up'), call('q', 'mark')] };
  const both = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(show(both, 1)).toMatchObject({ input: 'go', outputs: { p: 'GO' } });
  const chat = drive(
    program({ type: 'sequential', steps: [{ id: 'one', kind: 'agent', ref: 'a' }] }),
    testSetup('go'),
    HANDLERS,
  );
  expect(show(chat, 2).histories?.['a']).toHaveLength(2);
  const asked = {
    type: 'sequential',
    steps: [call('one', 'up'), { id: 'h', kind: 'human', ref: 'h' }],
  };
  const last = drive(program(asked), testSetup('go'), HANDLERS);
  decide(last, { decision: 'provided', content: 'fine' }, HANDLERS);
  const end = show(last, at(last, 'human_resume'));
  expect(end.messages?.map(({ content }) => content)).toEqual(['go', 'GO', 'fine']);
});

test('a step after edited messages in which nobody speaks gets an empty text', () => {
  const run = drive(program(CHAIN), testSetup('go'), HANDLERS);
  const messages = [{ role: 'system' as const, content: 'Be brief.' }];
  const made = again(run, at(run, 'step_completed', 'two'), { messages });
  expect(made.state.output_text).toBe('!');
});

test('each checkpoint grows by what its step added, and names a point that exists', () => {
  const run = createdRun(program(CHAIN), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  settle(run, HANDLERS);
  let visited: string[] = [];
  let counts: Record<string, number> = {};
  for (const row of run.checkpoints) {
    visited = [...visited.slice(0, row.growth.visited.keep), ...row.growth.visited.tail];
    counts = { ...counts, ...Object.fromEntries(row.growth.step_iteration_counts) };
    expect(toRunFields(row.state).visited_steps).toEqual(visited);
    expect(toRunFields(row.state).metadata['step_iteration_counts']).toEqual(counts);
    expect(briefRunFields(row.state)).toMatchObject({
      visited_steps: [],
      status: toRunFields(row.state).status,
    });
    expect(run.points.some((point) => point.number === row.point)).toBe(true);
  }
  expect(visited).toEqual(['one', 'two', 'three']);
});
