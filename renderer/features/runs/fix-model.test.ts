import { expect, test } from 'vitest';
import { fitLines, fitSum, fixedRuns, isOver, missingSteps, turnText } from './fix-model.ts';

const fit = {
  fits: true,
  kind: 'sequential',
  repeats: 'send',
  again: ['send'],
  once_more: [],
  renamed: {},
  missing: [],
  free: [],
  turn: null,
  kept: ['read'],
  gone: [],
  ahead: ['check', 'file'],
  added: ['check'],
  skipped: ['early'],
  misfits: [],
};

test('what becomes of each step is told in the order in which a person asks', () => {
  expect(fitLines(fit).map(({ label, steps }) => [label, steps.join(' ')])).toEqual([
    ['Runs again', 'send'],
    ['Stay done', 'read'],
    ['Still to run', 'check file'],
    ['New', 'check'],
    ['Left out', 'early'],
  ]);
  expect(
    fitLines({ ...fit, repeats: null, again: [], kept: [], ahead: [], added: [], skipped: [] }),
  ).toEqual([]);
});

test('runs that answered are counted, and those that fit', () => {
  expect(fitSum([fit, undefined, { ...fit, fits: false }])).toEqual({ checked: 2, fitting: 1 });
});

test('an address names its runs once each, and no more than are fixed together', () => {
  expect(fixedRuns({ runs: 'a,b,,a' })).toEqual(['a', 'b']);
  expect(fixedRuns({})).toEqual([]);
  const many = Array.from({ length: 80 }, (_, at) => `r${at}`).join(',');
  expect(fixedRuns({ runs: many })).toHaveLength(50);
});

test('a conversation is told in turns, and branches side by side', () => {
  const turn = { number: 5, of: 9, round: 2, rounds: 3 };
  const talk = { ...fit, kind: 'group_chat', turn };
  expect(turnText(talk)).toBe('It goes on with turn 5 of 9, in round 2 of 3.');
  expect(fitLines(talk).map(({ label }) => label)).toContain('Have spoken');
  expect(turnText({ ...talk, again: [] })).toBeUndefined();
  const branches = { ...fit, kind: 'concurrent', gone: ['old'] };
  expect(fitLines(branches).find(({ steps }) => steps.includes('old'))?.about).toContain(
    'left out',
  );
});

test('a step that the spec lacks is offered what the runs do not know', () => {
  const one = { ...fit, missing: ['a'], free: ['x'], renamed: { a: 'x' } };
  const two = { ...fit, missing: ['a', 'b'], free: ['x', 'y'] };
  expect(missingSteps([one, two], { b: null })).toEqual({
    missing: [
      { step: 'a', is: 'x', found: true },
      { step: 'b', is: null, found: false },
    ],
    free: ['x', 'y'],
  });
  expect(fitLines(one).at(-1)).toMatchObject({ label: 'Renamed', steps: ['a → x'] });
});

test('a run with nothing left to run says that it completes', () => {
  expect(isOver({ ...fit, again: [], ahead: [] })).toBe(true);
  expect(isOver(fit)).toBe(false);
});
