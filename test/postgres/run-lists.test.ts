// Lists of runs over rows of every shape: how matches are met and counted is chosen, what they are is not.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { RunFilter } from '../../server/platform/run-list/run-filter.ts';
import { createRunQuery } from '../../server/platform/run-list/run-query-postgres.ts';
import { indexedGrams } from '../../server/platform/run-list/run-search-postgres.ts';
import { type ExternalStore, openPostgres } from '../../server/store/open-postgres.ts';
import type { PlatformTables } from '../../server/store/platform-tables.ts';
import { askStore, externalAt } from '../support/chosen-store.ts';
import { databasesOf } from '../support/postgres-server.ts';

const ROWS = 4000;
const FILTERS = 400;
const COUNTED_TO = 30;
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const server = databasesOf(inject('postgres'));

interface Row {
  readonly seq: number;
  readonly status: string;
  readonly workflow_kind: string;
  readonly workflow_name: string | null;
  readonly session_id: string | null;
  readonly has_error: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly text: string;
  readonly indexed: number;
}

/** Numbers that are the same in every run of the test. */
function numbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
const random = numbers();
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const at = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00');
/** Changed soon, days later, at once, or before it was created, as by a clock that is behind. */
const later = (): number =>
  oneOf([0, random() * 60_000, random() * 600_000, random() * 4 * DAY_MS, -random() * DAY_MS]);

function rowOf(seq: number): Row {
  const created = FIRST + Math.floor((random() * 6 * DAY_MS) / 60_000) * 60_000;
  return {
    seq,
    status: oneOf(['completed', 'completed', 'completed', 'failed', 'blocked']),
    workflow_kind: oneOf(['workflow', 'agent']),
    workflow_name: oneOf(['one', 'two', '', null]),
    session_id: oneOf(['s', 't', null, null, null]),
    has_error: oneOf([0, 0, 1]),
    created_at: at(created),
    updated_at: at(created + Math.floor(later())),
    text: oneOf(['an invoice', 'an order', 'nothing', `no ${seq}`]),
    indexed: oneOf([0, 1, 1]),
  };
}

const rows = Array.from({ length: ROWS }, (_item, seq) => rowOf(seq + 1));
let url = '';
let store: ExternalStore<PlatformTables>;

beforeAll(async () => {
  url = await server.createDatabase();
  store = await openPostgres<PlatformTables>({
    ...{ name: 'platform', external: externalAt(url), now: () => 0 },
    migrations: fileURLToPath(new URL('../../migrations/platform', import.meta.url)),
  });
  const given = rows.map((row) => ({ ...row, grams: indexedGrams(row.text, '') }));
  const from = `FROM json_to_recordset(?::json) AS r (seq bigint, status text, workflow_kind text,
    workflow_name text, session_id text, has_error bigint, created_at text, updated_at text, text text,
    indexed bigint, grams text)`;
  const fill = (statement: string) =>
    askStore(externalAt(url), `${statement} ${from}`, JSON.stringify(given));
  const shared = 'status, workflow_kind, workflow_name, session_id, created_at, updated_at';
  await fill(
    `INSERT INTO runs (id, target, created_metadata, ${shared}) SELECT seq, 'agent', '{}', ${shared}`,
  );
  await fill(`INSERT INTO run_list (seq, run_id, has_error, trace_event_count, trace_dropped, ${shared})
    SELECT seq, seq, has_error, 0, 0, ${shared}`);
  await fill(`INSERT INTO run_search (seq, indexed, input, outcome, grams)
    SELECT seq, indexed, text, '', grams::integer[]`);
  // As the server itself does it after a while: without it the plans of a large store are not tried.
  await askStore(externalAt(url), 'ANALYZE');
});
afterAll(async () => {
  await store.close();
  await server.dropDatabase(url);
});

const sometimes = <T>(value: T): T | undefined => (random() < 0.35 ? value : undefined);
const moment = (): string => at(FIRST + Math.floor(random() * 6.5 * DAY_MS));

function filterOf(): RunFilter {
  const given = {
    status: sometimes(oneOf(['completed', 'failed', 'blocked', 'queued'])),
    workflow_kind: sometimes(oneOf(['workflow', 'agent'])),
    workflow_name: sometimes(oneOf(['one', '', 'three'])),
    session_id: random() < 0.2 ? 's' : undefined,
    has_error: sometimes(random() < 0.5),
    created_after: random() < 0.5 ? moment() : undefined,
    created_before: random() < 0.5 ? moment() : undefined,
    q: random() < 0.3 ? oneOf(['invoice', 'an', 'no 77', 'none of them', 'o']) : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function matches(row: Row, filter: RunFilter): boolean {
  const { created_after: after, created_before: before, has_error: failed, q } = filter;
  const same = (['status', 'workflow_kind', 'workflow_name', 'session_id'] as const).every(
    (name) => filter[name] === undefined || row[name] === filter[name],
  );
  return (
    same &&
    (failed === undefined || row.has_error === Number(failed)) &&
    (after === undefined || row.created_at >= after) &&
    (before === undefined || row.created_at <= before) &&
    (q === undefined || row.text.includes(q))
  );
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

test.each([
  ['looked up run by run', undefined],
  ['found as in a large store', 40],
] as const)(
  'page and total of many filters are those of their matches, texts %s (RP-055–RP-060)',
  async (_how, few) => {
    const query = createRunQuery(store, few);
    const newest = rows.toSorted((a, b) => order(b.updated_at, a.updated_at) || a.seq - b.seq);
    let [nonEmpty, endedEarly] = [0, 0];
    for (let index = 0; index < FILTERS; index += 1) {
      const filter = filterOf();
      const part = { limit: oneOf([1, 20, 100]), offset: oneOf([0, 0, 7, 300]) };
      const wanted = newest.filter((row) => matches(row, filter));
      if (wanted.length > 0) nonEmpty += 1;
      const seqs = (list: readonly Row[]) =>
        list.slice(part.offset, part.offset + part.limit).map(({ seq }) => seq);
      const page = (sort_by: string) =>
        query.page(filter, { ...part, sort_by, sort_order: 'desc' } as const);
      const expected = { total: wanted.length, seqs: seqs(wanted) };
      expect(await page('updated_at'), JSON.stringify(filter)).toEqual(expected);
      // Counted to less than there may be: all of fewer, so many or more of more.
      const counted = await query.page(filter, {
        ...{ ...part, sort_by: 'updated_at', sort_order: 'desc', count_to: COUNTED_TO },
      });
      expect(counted.seqs, JSON.stringify(filter)).toEqual(expected.seqs);
      const least = Math.min(wanted.length, filter.q === undefined ? ROWS : COUNTED_TO);
      expect(counted.total, JSON.stringify(filter)).toBeGreaterThanOrEqual(least);
      expect(counted.total, JSON.stringify(filter)).toBeLessThanOrEqual(wanted.length);
      if (counted.total === COUNTED_TO && wanted.length > COUNTED_TO) endedEarly += 1;
      const byCreation = wanted.toSorted((a, b) => order(b.created_at, a.created_at));
      expect((await page('created_at')).seqs, JSON.stringify(filter)).toEqual(seqs(byCreation));
    }
    expect(nonEmpty).toBeGreaterThan(FILTERS / 3);
    if (few !== undefined) expect(endedEarly).toBeGreaterThan(0);
  },
);
