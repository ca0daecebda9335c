import { expect, test } from 'vitest';
import { fitLines, fitSum, fixedRuns } from './fix-model.ts';

const fit = {
  fits: true,
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
