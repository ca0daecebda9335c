import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  add,
  freshLists,
  idsOf,
  inOrder,
  list,
  listed,
  made,
  NEWEST,
  runs,
  store,
  TIMES,
} from '../../../test/support/run-list-world.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { RunFilter } from './run-filter.ts';
import { createRunSearch } from './run-search-sqlite.ts';

freshLists();

const matches = (row: RunsTable, filter: RunFilter): boolean =>
  (filter.status === undefined || row.status === filter.status) &&
  (filter.workflow_kind === undefined || row.workflow_kind === filter.workflow_kind) &&
  (filter.workflow_name === undefined || row.workflow_name === filter.workflow_name) &&
  (filter.session_id === undefined || row.session_id === filter.session_id) &&
  (filter.has_error === undefined || (row.error !== null) === filter.has_error) &&
  (filter.created_after === undefined || row.created_at >= filter.created_after) &&
  (filter.created_before === undefined || row.created_at <= filter.created_before) &&
  (filter.q === undefined ||
    `${row.input_text ?? ''}\u0002${row.output_text ?? ''}\u0002${row.error === null ? '' : JSON.parse(row.error).message}`
      .toLowerCase()
      .includes(filter.q.toLowerCase()));

const SORTS = [
  ['created_at', 'asc'],
  ['created_at', 'desc'],
  ['status', 'desc'],
  ['input_text', 'asc'],
] as const;

/** Stably sorted by a text that is there. */
const optional = <T>(values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const TEXTS = [
  '',
  'Apfel 100%',
  'ÄPFEL ßtraße',
  'a_b\\c',
  '日本語テキスト',
  'say "hi"',
  '😀😁 ok',
  'x\0y',
];
const NAMES = ['', 'one', 'two', null];

const run = fc.record({
  status: fc.constantFrom('completed', 'failed', 'queued', 'running'),
  workflow_kind: fc.constantFrom('workflow', 'agent'),
  workflow_name: fc.constantFrom(...NAMES),
  session_id: fc.constantFrom('s', 't', null),
  error: fc.constantFrom('{"message":"m","type":"t"}', null),
  created_at: fc.constantFrom(...TIMES),
  updated_at: fc.constantFrom(...TIMES),
  input_text: fc.constantFrom(...TEXTS),
  output_text: fc.constantFrom(null, ...TEXTS),
});
const filter = fc.record({
  status: optional(['completed', 'failed', 'zzz']),
  workflow_kind: optional(['workflow', 'agent']),
  workflow_name: optional(['', 'one', 'three']),
  session_id: optional(['s', 'u']),
  has_error: optional([true, false]),
  created_after: optional(TIMES),
  created_before: optional(TIMES),
  q: optional([
    'a',
    '%',
    '_',
    '\\',
    '"',
    'ä',
    'SS',
    '日本',
    '本語テ',
    '😀',
    '😀😁',
    'apfel',
    'ß',
    '" h',
    '100%',
    'b\\c',
  ]),
});

describe('lists of runs (RP-055–RP-060, contract/platform.md 1.5, 3.3)', () => {
  test('page and total are those of the filter, indexed or not, changed or new', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(), run), { maxLength: 4 }),
        filter,
        fc.nat({ max: 3 }),
        fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: fc.nat({ max: 4 }) }),
        async (created, changes, wanted, steps, part) => {
          store.sqlite.exec('DELETE FROM runs');
          made.length = 0;
          for (const change of created) add(change);
          const search = createRunSearch(store);
          if (steps > 0) search.step();
          for (const [at, change] of changes) {
            const row = made[at % Math.max(1, made.length)];
            if (row === undefined) continue;
            const { created_at: _at, input_text: _in, session_id: _s, ...rest } = change;
            const next: RunsTable = { ...row, ...rest };
            expect(runs.saveFrom(row.id, { from: row.status, token: null }, null, next)).toBe(true);
            made[made.indexOf(row)] = next;
          }
          if (steps > 1) search.step();
          const expected = made.filter((row) => matches(row, wanted));
          const page = await list.page(wanted, NEWEST);
          expect(page.total).toBe(expected.length);
          const ids = (rows: readonly RunsTable[]) => rows.map(({ id }) => id);
          const newest = inOrder(expected, (row) => row.updated_at, -1);
          expect(await idsOf(wanted)).toEqual(ids(newest));
          const { limit, offset } = part;
          expect(await idsOf(wanted, part)).toEqual(ids(newest).slice(offset, offset + limit));
          for (const [sort, order] of SORTS) {
            const sorted = inOrder(newest, (row) => row[sort], order === 'asc' ? 1 : -1);
            const request = { ...part, sort_by: sort, sort_order: order };
            expect(await idsOf(wanted, request)).toEqual(ids(sorted).slice(offset, offset + limit));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a short text is found anywhere, also at the end of a text', async () => {
    add({ output_text: 'first z' });
    add({ input_text: 'second' });
    createRunSearch(store).step();
    expect(await idsOf({ q: 'Z' })).toEqual(['run-0']);
    expect(await idsOf({ q: 'nd' })).toEqual(['run-1']);
    expect(await idsOf({ q: 'dn' })).toEqual([]);
  });

  test('long texts wait for the thread that may take long, and are found meanwhile', async () => {
    add({ output_text: `${'ä'.repeat(1000)} far end` });
    add({ output_text: 'short end' });
    const waiting = () =>
      store.sqlite.prepare('SELECT seq FROM run_search WHERE indexed = 0').pluck().all();
    const beside = createRunSearch(store, 1000);
    for (let i = 0; i < 5; i += 1) beside.step();
    expect(waiting()).toEqual([1]);
    expect(beside.step()).toBe(false);
    expect(await idsOf({ q: 'end' })).toEqual(['run-1', 'run-0']);
    createRunSearch(store).step();
    expect(waiting()).toEqual([]);
    expect(await idsOf({ q: 'far end' })).toEqual(['run-0']);
  });

  test('removing runs removes them from totals, search and lists', async () => {
    add({ output_text: 'gone', status: 'failed' });
    add({ output_text: 'stays', status: 'failed' });
    createRunSearch(store).step();
    store.sqlite.exec("DELETE FROM runs WHERE id = 'run-0'");
    expect((await list.page({ status: 'failed' }, NEWEST)).total).toBe(1);
    expect((await list.page({ q: 'gone' }, NEWEST)).total).toBe(0);
    expect(await idsOf({ q: 'ays' })).toEqual(['run-1']);
  });

  test('runs past their deadline that are not over are found, the earliest first', () => {
    const at = [30, 10, 20, 40, 5, null];
    for (const deadline_at of at) add({ status: 'blocked', deadline_at });
    add({ status: 'completed', deadline_at: 1 });
    add({ status: 'queued', workflow_kind: 'agent', deadline_at: 15 });
    expect(list.pastDeadline(30).map((row) => row.deadline_at)).toEqual([5, 10, 15, 20, 30]);
  });

  test('a count of a common text is that of now', () => {
    const search = createRunSearch(store);
    add({ output_text: 'common' });
    expect([search.count('common'), search.count('common')]).toEqual([1, 1]);
    add({ output_text: 'common' });
    expect(search.count('common')).toBe(2);
  });

  test('a list item leaves out the inside of a very long spec, one run shows it', async () => {
    const spec = { version: 'v1', note: 'x'.repeat(40_000), key: 'password=hunter2' };
    add({ created_metadata: JSON.stringify({ spec_path: null, spec }) });
    const [item] = listed((await list.page({}, NEWEST)).seqs);
    expect(item.metadata).toEqual({ spec_path: null, spec: { _limited: true }, usage: null });
    const shown = list.shown('run-0');
    expect(JSON.parse(shown?.metadata ?? '').spec).toMatchObject({ key: 'password=[REDACTED]' });
  });

  test('a run that executes shows what its row says now', async () => {
    const row = add({ status: 'queued' });
    runs.saveFrom(row.id, { from: 'queued', token: null }, 'token', {
      ...row,
      status: 'running',
      output_text: 'so far, token=abc',
    });
    const [item] = listed((await list.page({}, NEWEST)).seqs);
    expect(item).toMatchObject({ status: 'running', output_text: 'so far, token=[REDACTED]' });
  });
});

describe('plans', () => {
  const planOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    const prepare = vi.spyOn(store.sqlite, 'prepare');
    await run();
    const texts = prepare.mock.calls.map(([text]) => text).filter((text) => /run_list/.test(text));
    prepare.mockRestore();
    return texts.flatMap((text) => {
      const places = (text.match(/\?/g) ?? []).map(() => 1);
      return store.sqlite
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...places)
        .map(({ detail }) => detail);
    });
  };

  test.each<[string, RunFilter, string]>([
    ['none', {}, 'updated_at'],
    ['status', { status: 'failed' }, 'updated_at'],
    ['status and kind', { status: 'failed', workflow_kind: 'workflow' }, 'created_at'],
    ['name', { workflow_name: 'one' }, 'metadata.duration_ms'],
    ['session', { session_id: 's' }, 'status'],
    ['errors', { has_error: true }, 'trace_event_count'],
    ['after', { created_after: '2026-01-01' }, 'updated_at'],
    ['before', { created_before: '2026-01-01T00:01:00Z' }, 'completed_at'],
  ])('filter %s looks at no run outside of its index', async (_name, wanted, sort) => {
    for (let i = 0; i < 40; i += 1) {
      add({
        status: i % 20 === 0 ? 'failed' : 'completed',
        error: i % 20 === 0 ? '{"message":"m","type":"t"}' : null,
        workflow_name: i % 10 === 0 ? 'one' : 'two',
        session_id: `s${i}`,
      });
    }
    const plans = await planOf(() => list.page(wanted, { ...NEWEST, sort_by: sort }));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (run_list|runs)(?! USING)/);
  });
});
