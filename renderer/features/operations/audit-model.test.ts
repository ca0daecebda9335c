import { expect, test } from 'vitest';
import {
  type AuditLogEntry,
  actLine,
  auditText,
  dayText,
  isFiltered,
  matching,
  momentsOf,
  otherTab,
  prunedLine,
  readAuditView,
  receiptOf,
  runOf,
  seenChoices,
  sourceLine,
  whoOf,
  withFilter,
} from './audit-model.ts';

const event = {
  id: 'e1',
  event_type: 'run.created',
  run_id: 'r1',
  continuation_id: null,
  actor: 'key',
  operator: null,
  created_at: '2026-01-01T00:00:00Z',
  metadata: { a: 1, b: null, c: '', i: {}, d: 'x', e: { f: 2 }, g: true, h: 'no room' },
};
const entry: AuditLogEntry = {
  id: 'l1',
  operator: 'ada',
  action: 'run.cancel',
  environment: 'prod',
  target: 'r1',
  outcome: 'ok',
  created_at: '2026-01-01T00:00:00Z',
};

test('what was seen can be chosen, and what is chosen stays', () => {
  expect(seenChoices(['run.created', null, 'b'], 'task.expired')).toEqual([
    'b',
    'run.created',
    'task.expired',
  ]);
  expect(seenChoices([], undefined)).toEqual([]);
});

test('the address says what is shown; what it says wrongly is not asked for', () => {
  const search = {
    tab: 'operators',
    run: 17,
    since: '2026-11-23',
    until: 'soon',
    outcome: 'great',
    who: 'ada',
    words: '',
    other: 'x',
  };
  const view = { tab: 'operators', run: '17', who: 'ada', since: '2026-11-23' } as const;
  expect(readAuditView(search)).toEqual(view);
  expect(isFiltered(view)).toBe(true);
  expect(isFiltered({ tab: 'operators' })).toBe(false);
  expect(withFilter(view, { who: '', outcome: 'denied' })).toEqual({
    tab: 'operators',
    run: '17',
    since: '2026-11-23',
    outcome: 'denied',
  });
  expect(otherTab(view, 'platform')).toEqual({ run: '17', since: '2026-11-23' });
});

test('a day is asked for from its midnight to the next, by the clock of the person', () => {
  expect(momentsOf({ since: '2026-11-23', until: '2026-11-23' }, true)).toEqual({
    created_after: '2026-11-23T00:00:00.000Z',
    created_before: '2026-11-24T00:00:00.000Z',
  });
  const local = momentsOf({ since: '2026-11-23' }, false);
  expect(local.created_after).toBe(new Date(2026, 10, 23).toISOString());
  expect(momentsOf({ since: '2026-99-99' }, true)).toEqual({
    created_after: '',
    created_before: '',
  });
});

test('a day is told in words', () => {
  const now = Date.UTC(2026, 10, 23, 12);
  const of = (at: string) => dayText(at, now, true);
  expect(of('2026-11-23T00:00:01Z')).toMatch(/^Today, Monday,? 23 November 2026$/);
  expect(of('2026-11-22T23:59:59Z')).toMatch(/^Yesterday, Sunday/);
  expect(of('2026-11-20T10:00:00Z')).toMatch(/^Friday/);
});

test('entries are found by any of their words', () => {
  const denied = { ...entry, id: 'l2', operator: 'bob', details: { name: 'Robert' } };
  const of = (words: string) => matching([entry, denied], words).map(({ id }) => id);
  expect(of(' PROD ')).toEqual(['l1', 'l2']);
  expect(of('robert')).toEqual(['l2']);
  const nobody = { ...entry, operator: 'static-operator' };
  expect(matching([nobody], 'the operator')).toEqual([nobody]);
  // Words and code of the act.
  expect(of('stop a run')).toEqual(['l1', 'l2']);
  expect(of('run.cancel')).toEqual(['l1', 'l2']);
  expect(of('nobody')).toEqual([]);
  expect(matching([entry], undefined)).toEqual([entry]);
});

test('an act is told with who did it, and how it went unless it was done', () => {
  expect(actLine(entry)).toBe('ada: Stop a run');
  expect(actLine({ ...entry, outcome: 'denied' })).toBe('ada: Stop a run, denied');
});

test('only targets of runs lead to a run', () => {
  expect(runOf(entry)).toBe('r1');
  expect(runOf({ ...entry, action: 'launch.run' })).toBe('r1');
  expect(runOf({ ...entry, action: 'policy.put' })).toBeNull();
  expect(runOf({ ...entry, target: null })).toBeNull();
});

test('a launch says what it was made of, and by whom', () => {
  const source = { kind: 'draft', project_id: 'p', ref: 'a.yaml', revision: 'r' } as const;
  const of = (details: AuditLogEntry['details']) => ({ ...entry, details });
  expect(sourceLine(of({ source }))).toBe('draft a.yaml');
  const artifact = {
    kind: 'artifact',
    project_id: 'p',
    artifact_id: 'abcdef123',
    draft_ref: 'a.yaml',
    revision: 'r',
  } as const;
  expect(sourceLine(of({ source: artifact, via: 'studio' }))).toBe(
    'artifact abcdef of a.yaml, in the studio',
  );
  expect(sourceLine(entry)).toBe('');
  expect([whoOf(entry), whoOf(of({ name: 'Ada L.' }))]).toEqual(['ada', 'Ada L.']);
});

test('a prune says how many rows of what were taken out (OD-008)', () => {
  const receipt = {
    by: 'ada',
    cutoff: '2026-10-01T00:00:00.000000+00:00',
    tables: { audit_log: { rows: 1201 }, launches: { rows: 1 } },
  };
  const pruned = { action: 'store.prune', target: JSON.stringify(receipt) };
  expect(receiptOf(pruned)).toEqual(receipt);
  expect(prunedLine(receipt)).toBe('1,201 acts, 1 launch from before 2026-10-01, exported first');
  expect(receiptOf({ ...pruned, target: '{' })).toBeUndefined();
  expect(receiptOf({ ...pruned, action: 'run.cancel' })).toBeUndefined();
});

test('a file holds every field; what a spreadsheet would compute is made harmless', async () => {
  expect(JSON.parse(await auditText([event], 'json'))).toEqual([event]);
  const csv = await auditText([{ ...entry, operator: '=1+1' }], 'csv');
  expect(csv.split('\n')[0]).toBe('id,operator,action,environment,target,outcome,created_at');
  expect(csv).toContain("'=1+1");
});
