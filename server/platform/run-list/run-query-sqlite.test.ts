import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import { listFactsOf } from '../lists/page-items.ts';
import { createdTexts, outcomeTexts } from '../run-record/run-texts.ts';
import { createRunsRepository, type RunsRepository } from '../run-record/runs-repository.ts';
import type { RunFilter } from './run-filter.ts';
import { createRunList, type RunList } from './run-list.ts';
import { runListBytes } from './run-list-bytes.ts';
import { createRunSearch } from './run-search-sqlite.ts';

const alone = { soon: (work: () => void) => work() };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NEWEST: ListRequest = { limit: 1000, offset: 0, sort_by: 'updated_at', sort_order: 'desc' };

let store: Database<PlatformTables>;
let runs: RunsRepository;
let list: RunList;
let made: RunsTable[] = [];

function open(): void {
  list = createRunList(store, quiet, alone);
  runs = createRunsRepository(store, list.listener);
}

beforeEach(() => {
  store = openDatabase<PlatformTables>({
    name: 'platform',
    file: ':memory:',
    migrations: fileURLToPath(new URL('../../../migrations/platform', import.meta.url)),
    now: () => 0,
  });
  open();
  made = [];
});
afterEach(() => store.close());

function rowOf(change: Partial<RunsTable>): RunsTable {
  const at = toTimestamp(Date.UTC(2026, 0, 1) + made.length * 1000);
  return {
    id: `run-${made.length}`,
    status: 'completed',
    target: 'workflow',
    environment: null,
    workflow_kind: 'workflow',
    workflow_name: null,
    agent_name: null,
    session_id: null,
    input_text: null,
    output_text: null,
    current_step_index: null,
    current_step_id: null,
    current_node_id: null,
    visited_steps: '[]',
    visited_nodes: '[]',
    messages: '[]',
    pending_human_request: null,
    continuation_id: null,
    trace_event_count: 0,
    trace_dropped: 0,
    error: null,
    usage: null,
    created_metadata: '{}',
    run_metadata: '{}',
    parent_run_id: null,
    tags: '[]',
    strict: 1,
    execution_token: null,
    deadline_at: null,
    created_at: at,
    updated_at: at,
    started_at: null,
    completed_at: null,
    ...change,
  };
}

function add(change: Partial<RunsTable>): RunsTable {
  const row = rowOf(change);
  runs.insert(row);
  made.push(row);
  return row;
}

function listed(seqs: readonly number[]) {
  const items = list.items(seqs);
  const bytes = runListBytes(items, listFactsOf(NEWEST, items.length, items.length));
  const text = Buffer.from(bytes).toString();
  return JSON.parse(text).runs;
}

async function idsOf(filter: RunFilter, request: Partial<ListRequest> = {}): Promise<string[]> {
  const { seqs } = await list.page(filter, { ...NEWEST, ...request });
  return listed(seqs).map(({ run_id }: { run_id: string }) => run_id);
}

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
  ['status', 'desc'],
  ['input_text', 'asc'],
] as const;

/** Stably sorted by a text that is there. */
function inOrder(
  rows: readonly RunsTable[],
  keyOf: (row: RunsTable) => string | null,
  sign: 1 | -1,
): RunsTable[] {
  const bytes = (row: RunsTable) => Buffer.from(keyOf(row) ?? '');
  return [...rows].sort((a, b) => sign * Buffer.compare(bytes(a), bytes(b)));
}

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
const TIMES = [0, 1, 40_000, 599_999, 600_000, 86_399_999, 86_400_000, 200_000_000].map((ms) =>
  toTimestamp(Date.UTC(2026, 0, 1) + ms),
);

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
          made = [];
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

describe('sorts of a window (contract/platform.md 1.5)', () => {
  test.each(['asc', 'desc'] as const)('a page of many is that of the whole, %s', async (way) => {
    for (let i = 0; i < 300; i += 1) {
      const times = { created_at: TIMES[i % TIMES.length] ?? '', completed_at: null };
      add(i % 7 === 0 ? times : { ...times, completed_at: toTimestamp(((i * 37) % 100) * 1000) });
    }
    for (const sort_by of ['created_at', 'completed_at', 'session_id']) {
      const request = { ...NEWEST, sort_by, sort_order: way };
      const whole = await idsOf({}, request);
      expect(whole).toHaveLength(300);
      for (const [limit, offset] of [
        [5, 0],
        [7, 20],
        [1, 30],
      ] as const) {
        const page = await idsOf({}, { ...request, limit, offset });
        expect(page).toEqual(whole.slice(offset, offset + limit));
      }
    }
  });

  test.each(['asc', 'desc'] as const)(
    'long texts that begin alike are told apart, %s',
    async (way) => {
      const texts = Array.from({ length: 40 }, (_, i) =>
        i % 5 === 0 ? `${i}` : `${'ä'.repeat(600)}${i % 3 === 0 ? '😀' : '\uFFFD'}${(i * 7) % 40}`,
      );
      for (const input_text of ['', ...texts.slice(1), null]) add({ input_text });
      const newest = inOrder(made, (row) => row.updated_at, -1);
      const texted = newest.filter((row) => row.input_text !== null);
      const sorted = inOrder(texted, (row) => row.input_text, way === 'asc' ? 1 : -1);
      const ids = sorted.map(({ id }) => id);
      const whole = way === 'asc' ? [...ids, 'run-40'] : ['run-40', ...ids];
      const request = { sort_by: 'input_text', sort_order: way };
      expect(await idsOf({}, request)).toEqual(whole);
      for (const [limit, offset] of [
        [3, 0],
        [4, 17],
        [10, 29],
        [5, 39],
        [5, 60],
      ] as const) {
        const page = await idsOf({}, { ...request, limit, offset });
        expect(page).toEqual(whole.slice(offset, offset + limit));
      }
    },
  );

  test.each(['input_text', 'metadata.note.deep'])(
    'a sort by %s lets others go on',
    async (sort_by) => {
      const note = JSON.stringify({ note: { deep: 'x' } });
      store.sqlite.transaction(() => {
        for (let i = 0; i < 2000; i += 1) add({ input_text: `text ${i}`, run_metadata: note });
      })();
      let turns = 0;
      let over = false;
      const others = (): void => {
        turns += 1;
        if (!over) setImmediate(others);
      };
      setImmediate(others);
      await idsOf({}, { sort_by });
      over = true;
      expect(turns).toBeGreaterThanOrEqual(7);
    },
  );
});

test('a page is the JSON of its records, byte for byte (contract/platform.md 3.3)', async () => {
  const error = '{"message":"m, token=abc","type":"t"}';
  const long = { spec: { text: 'y'.repeat(40_000) } };
  add({ status: 'queued' });
  add({ status: 'running', input_text: 'x\0y \ud800 "{}" 😀', session_id: 's' });
  add({ status: 'failed', error, usage: '{"input_tokens":3}' });
  add({ created_metadata: '{"a":{},"b":[1]}', run_metadata: '{"duration_ms":1.5}', tags: '["t"]' });
  add({ created_metadata: JSON.stringify(long), output_text: 'z'.repeat(40_000) });
  const { seqs, total } = await list.page({}, NEWEST);
  const facts = listFactsOf(NEWEST, seqs.length, total);
  const shown = made.toReversed().map((row) => {
    const [created, outcome] = [createdTexts(row), outcomeTexts(row)];
    return {
      ...JSON.parse(created.fields),
      ...JSON.parse(outcome.short_fields ?? outcome.fields),
      metadata: {
        ...JSON.parse(created.short ?? created.metadata),
        ...JSON.parse(outcome.short_metadata ?? outcome.metadata),
      },
    };
  });
  const bytes = Buffer.from(runListBytes(list.items(seqs), facts)).toString();
  expect(bytes).toBe(JSON.stringify({ runs: shown, ...facts }));
  expect(Buffer.from(runListBytes([], facts)).toString()).toBe(
    JSON.stringify({ runs: [], ...facts }),
  );
});
