import { expect, test } from 'vitest';
import { HANDLERS as FLOW_HANDLERS, programmed, step } from '../../../test/support/flows.ts';
import { itemsOf } from '../append-list.ts';
import type { Program } from '../program.ts';
import { carriedRun, carryOn, refitOf } from '../testing/carried.ts';
import {
  answerTo,
  apply,
  createdRun,
  type DrivenRun,
  drive,
  nextTime,
  settle,
  testSetup,
} from '../testing/drive.ts';
import { call, HANDLERS, program } from '../testing/driven-reruns.ts';
import type { AskedRenames } from './match-steps.ts';

const person = (id: string) => ({ id, kind: 'human', ref: 'h' });

function goOn(run: DrivenRun, under: Program, asked: AskedRenames = {}): DrivenRun {
  return settle(carryOn(run, under, asked), HANDLERS);
}

function failedOf(workflow: object): DrivenRun {
  const run = drive(program(workflow), testSetup('go'), HANDLERS);
  expect(run.state.status).toBe('failed');
  return run;
}

/** A run whose time is up after so many answers. */
function timedOut(workflow: object, answers: number): DrivenRun {
  const run = createdRun(program(workflow), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  for (let given = 0; given < answers; given += 1) {
    const effect = run.queue.shift();
    const event = effect && answerTo(effect, HANDLERS, nextTime(run));
    if (event !== undefined) apply(run, event);
  }
  apply(run, { type: 'deadline_passed', at: nextTime(run) });
  expect(run.state.status).toBe('timed_out');
  return run;
}

const together = (...participants: object[]) => ({ type: 'concurrent', participants });

test('of a concurrent run what has ended stays done, wherever the spec has it now', () => {
  const run = failedOf(together(call('x', 'up'), call('y', 'broken'), call('z', 'mark')));
  const mended = program(
    together(call('z', 'broken'), call('new', 'mark'), call('y', 'mark'), call('x', 'broken')),
  );
  const { fit } = refitOf(mended, run);
  expect(fit).toMatchObject({
    ...{ fits: true, repeats: 'y', again: ['y'], kept: ['x', 'z'], gone: [] },
    ...{ ahead: ['new'], added: ['new'], skipped: [] },
  });
  const done = goOn(run, mended);
  // Those that had ended are not asked again: they are broken now.
  expect(done.state).toMatchObject({ status: 'completed', error: null });
  expect(done.state.messages.map(({ content }) => content)).toEqual([
    'go',
    'go!',
    'go!',
    'go!',
    'GO',
  ]);
  expect(itemsOf(done.state.visited)).toEqual(['z', 'new', 'y', 'x']);
});

test('a branch that the spec does not have any more is left out of what a concurrent run gives', () => {
  const run = failedOf(together(call('x', 'up'), call('y', 'broken')));
  const mended = program(together(call('y', 'mark')));
  expect(refitOf(mended, run).fit).toMatchObject({ fits: true, gone: ['x'], again: ['y'] });
  expect(goOn(run, mended).state.messages.map(({ content }) => content)).toEqual(['go', 'go!']);
});

test('a concurrent run in which a person was asked asks again after its time was up', () => {
  const wf = together(call('x', 'up'), person('ask'));
  const run = timedOut(wf, 1);
  expect(refitOf(run.program, run).fit).toMatchObject({ fits: true, kept: ['x'], ahead: ['ask'] });
  const asking = goOn(run, run.program);
  expect(asking.state).toMatchObject({ status: 'blocked', pause: { step: 'ask' } });
});

const chat = (rounds: number, ...participants: object[]) => ({
  type: 'group_chat',
  rounds,
  participants,
});

test('a group chat goes on at its turn, in its round, with the thread that it had', () => {
  const run = timedOut(chat(2, call('ann', 'mark'), call('bob', 'mark')), 2);
  const longer = program(chat(3, call('cy', 'up'), call('ann', 'mark'), call('bob', 'mark')));
  const { fit } = refitOf(longer, run);
  expect(fit).toMatchObject({
    ...{ fits: true, repeats: 'ann', kept: ['ann', 'bob'], ahead: ['bob', 'cy', 'ann'] },
    turn: { number: 5, of: 9, round: 2, rounds: 3 },
  });
  const done = goOn(run, longer);
  expect(done.state).toMatchObject({ status: 'completed', output_text: 'GO!!!!!!' });
  expect(itemsOf(done.state.visited)).toEqual(['ann', 'bob', 'ann', 'bob', 'cy', 'ann', 'bob']);
});

test('a group chat that was cut shorter says which rounds it needs', () => {
  const run = timedOut(chat(3, call('ann', 'mark'), call('bob', 'mark')), 5);
  const { fit } = refitOf(program(chat(2, call('ann', 'mark'), call('bob', 'mark'))), run);
  expect(fit).toMatchObject({ fits: false, misfits: [{ code: 'turns_over', step: 'bob' }] });
  expect(fit.misfits[0]?.message).toContain('round 3');
});

const relay = (sequence: string[], ...participants: object[]) => ({
  type: 'handoff',
  participants,
  selector: { type: 'sequence', sequence },
});

test('a handoff goes on at the agent that had the turn, also when it has it twice', () => {
  const wf = relay(['ann', 'bob', 'ann'], call('ann', 'mark'), call('bob', 'up'));
  const run = timedOut(wf, 2);
  const { fit } = refitOf(run.program, run);
  expect(fit).toMatchObject({ fits: true, repeats: 'ann', ahead: [], turn: { number: 3, of: 3 } });
  expect(goOn(run, run.program).state).toMatchObject({ status: 'completed', output_text: 'GO!!' });
  const absent = program(relay(['ann', 'bob', 'eve'], call('ann', 'mark'), call('bob', 'up')));
  expect(refitOf(absent, run).fit.misfits).toMatchObject([{ code: 'participant_absent' }]);
});

test('a handoff of whom nobody takes the place is refused in plain words', () => {
  const run = failedOf(relay(['ann', 'bob'], call('ann', 'mark'), call('bob', 'broken')));
  const without = program(relay(['ann'], call('ann', 'mark')));
  const [misfit] = refitOf(without, run).fit.misfits;
  expect(misfit).toMatchObject({ code: 'step_gone', step: 'bob' });
  expect(misfit?.message).toContain('start a new run');
});

const CIRCLE = {
  type: 'graph',
  start: 'a',
  max_steps: 2,
  nodes: { a: call('a', 'mark'), b: call('b', 'mark') },
  edges: [
    { from: 'a', to: 'b' },
    {
      from: 'b',
      to: 'a',
      condition: { type: 'not', condition: { type: 'output_contains', value: '!!!' } },
    },
  ],
};

test('a graph at its step cap goes on once it may take more steps', () => {
  const run = failedOf(CIRCLE);
  expect(refitOf(run.program, run).fit.misfits).toMatchObject([{ code: 'at_step_cap', step: 'a' }]);
  const wider = program({ ...CIRCLE, max_steps: 9 });
  expect(refitOf(wider, run).fit).toMatchObject({ fits: true, repeats: 'a' });
  const done = goOn(run, wider);
  expect(done.state).toMatchObject({ status: 'completed', output_text: 'go!!!!' });
  expect(itemsOf(done.state.visited)).toEqual(['a', 'b', 'a', 'b']);
});

test('a flow of items at its step cap goes on once it may take more steps', () => {
  const around = (max_steps: number) =>
    programmed(
      { a: step('more'), b: step('split') },
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      { max_steps },
    );
  const run = drive(around(3), testSetup('[{"n":0}]'), FLOW_HANDLERS);
  expect(run.state).toMatchObject({ status: 'failed', error: { type: 'max_iterations' } });
  const { fit } = refitOf(run.program, run);
  expect(fit.misfits).toMatchObject([{ code: 'at_step_cap', step: 'b' }]);
  expect(fit.misfits[0]?.message).toContain('max_steps is 3');
  expect(refitOf(around(9), run).fit).toMatchObject({ fits: true, repeats: 'b' });
  const done = settle(carryOn(run, around(9)), FLOW_HANDLERS);
  expect(done.state.status).toBe('completed');
  expect(itemsOf(done.state.visited).slice(0, 4)).toEqual(['a', 'b', 'a', 'b']);
});

const chain = (...steps: object[]) => ({ type: 'sequential', name: 'w', steps });

test('one step without a counterpart on each side is the same step under another name', () => {
  const run = failedOf(chain(call('one', 'up'), call('two', 'broken'), call('three', 'mark')));
  const mended = program(chain(call('one', 'up'), call('zwei', 'mark'), call('three', 'mark')));
  expect(refitOf(mended, run).fit).toMatchObject({
    ...{ fits: true, repeats: 'zwei', kept: ['one'], added: [] },
    ...{ renamed: { two: 'zwei' }, missing: ['two'], free: ['zwei'] },
  });
  const done = goOn(run, mended);
  expect(itemsOf(done.state.visited)).toEqual(['one', 'zwei', 'three']);
  // Somebody says that it is not.
  expect(refitOf(mended, run, { two: null }).fit.misfits).toMatchObject([{ code: 'step_gone' }]);
});

test('a step that ended is taken for another one only if both do the same', () => {
  const run = failedOf(together(call('x', 'up'), call('y', 'broken')));
  const other = program(together(call('new', 'mark'), call('y', 'mark')));
  expect(refitOf(other, run).fit).toMatchObject({ renamed: {}, missing: ['x'], added: ['new'] });
  const same = program(together(call('new', 'up'), call('y', 'mark')));
  expect(refitOf(same, run).fit).toMatchObject({ renamed: { x: 'new' }, kept: ['new'] });
  // Somebody knows better.
  const done = goOn(run, other, { x: 'new' });
  expect(done.state.messages.map(({ content }) => content)).toEqual(['go', 'GO', 'go!']);
  expect(done.state.messages.map(({ name }) => name)).toEqual([null, 'new', 'y']);
});

test('several steps are mapped by hand, each to one that the run does not know', () => {
  const run = failedOf(chain(call('one', 'up'), call('two', 'broken'), call('three', 'mark')));
  const mended = program(chain(call('eins', 'up'), call('zwei', 'mark'), call('drei', 'mark')));
  expect(refitOf(mended, run).fit).toMatchObject({
    ...{ fits: false, missing: ['two', 'one'], free: ['eins', 'zwei', 'drei'] },
    misfits: [{ code: 'step_gone', step: 'two' }],
  });
  const asked = { one: 'eins', two: 'zwei' };
  expect(refitOf(mended, run, asked).fit).toMatchObject({
    fits: true,
    kept: ['eins'],
    repeats: 'zwei',
  });
  expect(itemsOf(goOn(run, mended, asked).state.visited)).toEqual(['eins', 'zwei', 'drei']);
  const twice = refitOf(mended, run, { one: 'zwei', two: 'zwei' }).fit;
  expect(twice.misfits.map(({ code }) => code)).toContain('rename_unknown');
  expect(refitOf(mended, run, { two: 'nowhere' }).fit.fits).toBe(false);
});

test('what ended and stands behind the place now is told, for it runs once more', () => {
  const run = failedOf(chain(call('one', 'up'), call('two', 'broken')));
  const turned = program(chain(call('two', 'mark'), call('one', 'up')));
  expect(refitOf(turned, run).fit).toMatchObject({ kept: [], ahead: [], once_more: ['one'] });
  expect(itemsOf(goOn(run, turned).state.visited)).toEqual(['one', 'two', 'one']);
});

test('a run whose time was up before anything ended begins at its beginning', () => {
  const run = timedOut(chain(call('one', 'up'), call('two', 'mark')), 0);
  expect(refitOf(run.program, run).fit).toMatchObject({ fits: true, repeats: 'one', kept: [] });
  expect(goOn(run, run.program).state).toMatchObject({ status: 'completed', output_text: 'GO!' });
});

test('an agent alone is run again: it saves nothing between its calls', () => {
  const run = createdRun(program(chain(call('one', 'up'))), testSetup('go', 'agent'));
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, { type: 'deadline_passed', at: nextTime(run) });
  const { fit } = refitOf(run.program, run);
  expect(fit.misfits).toMatchObject([{ code: 'agent_alone' }]);
  expect(fit.misfits[0]?.message).toContain('Run it again');
});

test('a run that was carried over and not set going is as before, and can be carried on again', () => {
  const run = failedOf(chain(call('one', 'up'), call('two', 'broken')));
  const before = run.state;
  apply(run, { type: 'recovered', at: nextTime(run) });
  expect(run.state).toBe(before);
  const mended = program(chain(call('one', 'up'), call('zwei', 'mark')));
  const carried = carriedRun(run, mended, {});
  expect(carried.state.status).toBe('failed');
  expect(goOn(carried, mended).state).toMatchObject({ status: 'completed', output_text: 'GO!' });
  // A plain continue takes the same way.
  const continued = carriedRun(run, mended, {});
  apply(continued, { type: 'continued', at: nextTime(continued) });
  settle(continued, HANDLERS);
  expect(continued.state).toMatchObject({ status: 'completed', output_text: 'GO!' });
});
