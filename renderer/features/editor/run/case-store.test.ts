import { expect, test } from 'vitest';
import { dropCase, keepCase, noteRun, readCases, runBefore } from './case-store.ts';

const DRAFT = 'p\na.yaml';

test('a case keeps its name and its runs; the same name means the same case', () => {
  keepCase(DRAFT, { name: 'refund', input: 'money back', trigger: '' });
  keepCase(DRAFT, { name: 'praise', input: 'well done', trigger: '' });
  keepCase(DRAFT, { name: 'refund', input: 'all of it', trigger: 'hook' });
  const { cases } = readCases(DRAFT);
  expect(cases.map(({ name, input, trigger }) => [name, input, trigger])).toEqual([
    ['refund', 'all of it', 'hook'],
    ['praise', 'well done', ''],
  ]);
  const refund = cases[0]?.id ?? '';
  for (const [runId, caseId] of [
    ['r1', refund],
    ['r2', null],
    ['r3', refund],
  ] as const) {
    noteRun(DRAFT, { runId, at: '2026-01-01T00:00:00Z', caseId });
  }
  const { runs } = readCases(DRAFT);
  expect(runs.map(({ runId }) => runId)).toEqual(['r3', 'r2', 'r1']);
  const [newest, other] = runs;
  expect(newest && runBefore(runs, newest)?.runId).toBe('r1');
  expect(other && runBefore(runs, other)).toBeUndefined();
  dropCase(DRAFT, refund);
  expect(readCases(DRAFT).cases.map(({ name }) => name)).toEqual(['praise']);
  expect(readCases(DRAFT).runs).toHaveLength(3);
  expect(readCases('p\nother.yaml')).toEqual({ cases: [], runs: [] });
});

test('no more than the last fifty runs are kept', () => {
  for (let index = 0; index < 60; index += 1) {
    noteRun('p\nmany.yaml', { runId: `r${index}`, at: '', caseId: null });
  }
  expect(
    readCases('p\nmany.yaml')
      .runs.map(({ runId }) => runId)
      .at(-1),
  ).toBe('r10');
});
