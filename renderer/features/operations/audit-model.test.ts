import { expect, test } from 'vitest';
import { auditText, factsLine, isRunTarget, matching, typeChoices } from './audit-model.ts';

const event = {
  id: 'e1',
  event_type: 'run.created',
  run_id: 'r1',
  continuation_id: null,
  actor: 'key',
  operator: null,
  created_at: '2026-01-01T00:00:00Z',
  metadata: { a: 1, b: null, c: '', d: 'x', e: { f: 2 }, g: true, h: 'no room' },
};
const entry = {
  id: 'l1',
  operator: 'ada',
  action: 'run.cancel',
  environment: 'prod',
  target: 'r1',
  outcome: 'ok' as const,
  created_at: '2026-01-01T00:00:00Z',
};

test('a line has four facts and none that is empty', () => {
  expect(factsLine(event.metadata)).toBe('a 1 · d x · e {"f":2} · g true');
});

test('the chosen type stays among the choices', () => {
  expect(typeChoices([event], 'task.expired')).toEqual(['run.created', 'task.expired']);
  expect(typeChoices([event], '')).toEqual(['run.created']);
});

test('entries are found by any of their words and by outcome', () => {
  const denied = { ...entry, id: 'l2', operator: 'bob', outcome: 'denied' as const };
  const of = (words: string, outcome = '') =>
    matching([entry, denied], { words, outcome }).map(({ id }) => id);
  expect(of(' PROD ')).toEqual(['l1', 'l2']);
  expect(of('bob')).toEqual(['l2']);
  expect(of('', 'ok')).toEqual(['l1']);
  expect(of('nobody')).toEqual([]);
});

test('only targets of runs lead to a run', () => {
  expect(isRunTarget(entry)).toBe(true);
  expect(isRunTarget({ ...entry, action: 'launch.run' })).toBe(true);
  expect(isRunTarget({ ...entry, action: 'policy.put' })).toBe(false);
  expect(isRunTarget({ ...entry, target: null })).toBe(false);
});

test('a file holds every field; what a spreadsheet would compute is made harmless', async () => {
  expect(JSON.parse(await auditText([event], 'json'))).toEqual([event]);
  const csv = await auditText([{ ...entry, operator: '=1+1' }], 'csv');
  expect(csv.split('\n')[0]).toBe('id,operator,action,environment,target,outcome,created_at');
  expect(csv).toContain("'=1+1");
});
