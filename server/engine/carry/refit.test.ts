import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOf } from '../append-list.ts';
import { seqValues } from '../seq-map.ts';
import { carryOn, refitOf } from '../testing/carried.ts';
import { type DrivenRun, drive, settle, type TestHandlers, testSetup } from '../testing/drive.ts';
import { call, HANDLERS, program } from '../testing/driven-reruns.ts';
import type { AskedRenames } from './match-steps.ts';
import { refit } from './refit.ts';

const chain = (...steps: object[]) => program({ type: 'sequential', name: 'w', steps });
const BROKEN = chain(call('one', 'up'), call('two', 'broken'), call('three', 'mark'));

function fitOf(after: DrivenRun['program'], run: DrivenRun, asked: AskedRenames = {}) {
  return refitOf(after, run, asked).fit;
}

/** The run that stopped goes on under another spec, as the platform lets it. */
function goOn(
  run: DrivenRun,
  under: DrivenRun['program'],
  asked: AskedRenames = {},
  handlers: TestHandlers = HANDLERS,
): DrivenRun {
  return settle(carryOn(run, under, asked), handlers);
}

test('a failed step is mended in the spec: what ended stays, the step and the rest run', () => {
  const run = drive(BROKEN, testSetup('go'), HANDLERS);
  expect(run.state.status).toBe('failed');
  const mended = chain(
    call('one', 'up'),
    call('two', 'mark'),
    call('extra', 'mark'),
    call('three', 'mark'),
  );
  expect(fitOf(mended, run)).toEqual({
    fits: true,
    kind: 'sequential',
    repeats: 'two',
    kept: ['one'],
    gone: [],
    ahead: ['extra', 'three'],
    added: ['extra'],
    skipped: [],
    once_more: [],
    again: ['two'],
    renamed: {},
    missing: [],
    free: ['extra'],
    turn: null,
    misfits: [],
  });
  const done = goOn(run, mended);
  expect(done.state).toMatchObject({ status: 'completed', output_text: 'GO!!!', error: null });
  expect(itemsOf(done.state.visited)).toEqual(['one', 'two', 'extra', 'three']);
  const counts = [...seqValues(done.state.step_counts)].map(({ key, n }) => [key, n]);
  expect(counts.toSorted()).toEqual([
    ['extra|', 1],
    ['one|', 1],
    ['three|', 1],
    ['two|', 2],
  ]);
});

test('the place is found by the id of its step, wherever the spec has it now', () => {
  const run = drive(BROKEN, testSetup('go'), HANDLERS);
  const moved = chain(call('early', 'mark'), call('two', 'mark'), call('three', 'mark'));
  const fit = fitOf(moved, run);
  expect(fit).toMatchObject({
    fits: true,
    kept: [],
    gone: ['one'],
    ahead: ['three'],
    skipped: ['early'],
  });
  const done = goOn(run, moved);
  expect(done.state.output_text).toBe('GO!!');
  expect(itemsOf(done.state.visited)).toEqual(['one', 'two', 'three']);
});

test('a graph goes on at its node under the edges of the new spec', () => {
  const node = (ref: string) => call(ref, ref);
  const graph = (nodes: object, edges: object[]) =>
    program({ type: 'graph', name: 'g', start: 'a', nodes, edges });
  const before = graph({ a: node('up'), b: node('broken') }, [{ from: 'a', to: 'b' }]);
  const run = drive(before, testSetup('go'), HANDLERS);
  const after = graph({ a: node('up'), b: node('mark'), c: node('mark') }, [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ]);
  expect(fitOf(after, run)).toMatchObject({
    fits: true,
    repeats: 'b',
    kept: ['a'],
    ahead: ['c'],
    added: ['c'],
  });
  expect(goOn(run, after).state).toMatchObject({ status: 'completed', output_text: 'GO!!' });
});

test.each([
  ['step_gone', chain(call('one', 'up'), call('three', 'mark'))],
  ['step_gone', chain(call('one', 'up'), { ...call('two', 'mark'), enabled: false })],
  ['other_kind', program({ type: 'group_chat', participants: [call('two', 'mark')], rounds: 1 })],
])('what does not fit is refused with its reason: %s', (code, after) => {
  const run = drive(BROKEN, testSetup('go'), HANDLERS);
  const { fits, misfits } = fitOf(after, run);
  expect(fits).toBe(false);
  expect(misfits).toMatchObject([{ code, message: expect.stringContaining('tart a new run') }]);
});

test('a run that did not fail, or left nothing, does not go on', () => {
  const done = drive(chain(call('one', 'up')), testSetup('go'), HANDLERS);
  expect(fitOf(BROKEN, done).misfits[0]?.code).toBe('not_failed');
  const lost = {
    status: 'failed',
    target: 'workflow',
    state: undefined,
    point: undefined,
  } as const;
  expect(refit(BROKEN, BROKEN, lost).fit.misfits[0]?.code).toBe('nothing_saved');
  const alone = { ...lost, target: 'agent' } as const;
  expect(refit(BROKEN, BROKEN, alone).fit.misfits[0]?.code).toBe('agent_alone');
});

const ids = fc.uniqueArray(fc.constantFrom('p', 'q', 'two', 'r', 's', 't'), { minLength: 1 });

test('every step of the new spec is kept, repeated, ahead or skipped, and only what fits goes on', () => {
  fc.assert(
    fc.property(ids, ids, fc.nat(), (before, after, at) => {
      const broken: string = before[at % before.length] ?? '';
      const old = chain(...before.map((id) => call(id, id === broken ? 'broken' : 'mark')));
      const fresh = chain(...after.map((id) => call(id, 'mark')));
      const run = drive(old, testSetup('go'), HANDLERS);
      // Nobody says that a step has another name.
      const asked = Object.fromEntries(before.map((id): [string, null] => [id, null]));
      const fit = fitOf(fresh, run, asked);
      expect(fit.fits).toBe(after.map(String).includes(broken));
      if (!fit.fits) return;
      const told = [
        ...[...fit.kept, fit.repeats ?? '', ...fit.ahead],
        ...[...fit.skipped, ...fit.once_more],
      ];
      expect(told.toSorted()).toEqual(after.toSorted());
      const done = goOn(run, fresh, asked);
      expect(done.state.status).toBe('completed');
      const ran = itemsOf(done.state.visited).slice(before.map(String).indexOf(broken));
      const behind = after.slice(after.map(String).indexOf(broken));
      expect(ran).toEqual(behind);
    }),
  );
});
