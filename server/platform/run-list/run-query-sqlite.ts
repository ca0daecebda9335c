import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';

import type { PlatformTables } from '../../store/platform-tables.ts';
import { createColumnQuery, numberOf } from '../../store/statement-cache.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { allConditions, type Branch, createRunBranches } from './run-branches-sqlite.ts';
import { createRunCounts } from './run-counts-sqlite.ts';
import { allOf, type CheckedFilter, type Condition, checkFilter } from './run-filter.ts';
import { listColumn, type RunQuery } from './run-query.ts';
import type { TextSearch } from './run-search.ts';
import { type Found, newestCreatedPart, newestPart, sortedPart } from './run-sorts-sqlite.ts';
import { createRunValueSorts, isTextColumn } from './run-value-sorts-sqlite.ts';

/** So many matches of a text are taken together and sorted; more of them are met soon by a walk. */
const FEW_MATCHES = 2000;
/** So many runs are looked through for a text; among more it is looked up in the index. */
const FEW_RUNS = 10_000;

/** True when nothing but the time of creation decides which runs match. */
function asksForTimesOnly({ created_after, created_before, ...others }: CheckedFilter): boolean {
  return Object.values(others).every((value) => value === undefined);
}

/** Answers lists by what SQLite's indexes give, in their order or merged. */
export function createRunQuery(store: SyncStore<PlatformTables>, search: TextSearch): RunQuery {
  const { sync } = store;
  const query = createColumnQuery(sync);
  const counts = createRunCounts(query);
  const valueSorts = createRunValueSorts(store);
  const plan = createRunBranches(store, counts);

  const count = (branches: readonly Branch[]): number =>
    branches.reduce((sum, { from, conditions }) => {
      const { sql, values } = allOf(conditions);
      return sum + numberOf(query(`SELECT count(*) FROM ${from} WHERE ${sql}`, values));
    }, 0);

  const findText = (filter: CheckedFilter, q: string, reach: number): Found => {
    const plain = Object.entries(filter).every(
      ([name, value]) => name === 'q' || value === undefined,
    );
    const through = (branches: readonly Branch[], condition: Condition): Branch[] =>
      branches.map((branch) => ({ ...branch, conditions: [...branch.conditions, condition] }));
    const few = search.find(q, FEW_MATCHES);
    if (few !== undefined) {
      const own = {
        sql: 'run_list.seq IN (SELECT value FROM json_each(?))',
        values: [JSON.stringify(few)],
      };
      const branches = [
        { from: 'run_list NOT INDEXED', conditions: [own, ...allConditions(filter)] },
      ];
      return { total: plain ? few.length : count(branches), branches, costly: true };
    }
    // The text is common: a walk over the runs soon meets enough of it.
    const runs = plain ? 0 : runsOf(filter);
    const whole = plain ? [] : plan.of(filter, Number.POSITIVE_INFINITY, runs);
    const among = (): number =>
      count(through(whole, runs <= FEW_RUNS ? search.holds(q) : search.among(q)));
    const total = plain ? search.count(q) : among();
    const branches = through(plan.of(filter, reach, total), search.holds(q));
    return { total, branches, costly: true };
  };

  /** How many runs match but for the text. */
  const runsOf = (filter: CheckedFilter): number =>
    filter.session_id === undefined
      ? counts.of(filter)
      : count(plan.of(filter, Number.POSITIVE_INFINITY, 0));

  const find = (filter: CheckedFilter, reach: number): Found => {
    if (filter.q !== undefined) return findText(filter, filter.q, reach);
    const total = runsOf(filter);
    return { total, branches: plan.of(filter, reach, total), costly: false };
  };

  /** The page where an index of creations has it. */
  const latestOf = (filter: CheckedFilter, found: Found, request: ListRequest) => {
    const { sort_by: sort, sort_order: order } = request;
    return sort === 'created_at' && order === 'desc' && asksForTimesOnly(filter)
      ? newestCreatedPart(query, found, allConditions(filter), request)
      : undefined;
  };

  /** What counts and selects in one look at the store. */
  const look = sync.transaction((filter: CheckedFilter, request: ListRequest) => {
    const { sort_by: sort, sort_order: order, limit, offset } = request;
    const isNewest = sort === 'updated_at' && order === 'desc';
    const found = find(filter, isNewest ? offset + limit : LIST_WINDOW);
    const { total } = found;
    if (total === 0) return { seqs: [], total, isPage: true };
    if (isNewest) return { seqs: newestPart(query, found, limit, offset), total, isPage: true };
    const latest = latestOf(filter, found, request);
    if (latest !== undefined) return { seqs: latest, total, isPage: true };
    const column = listColumn(sort);
    return column === undefined
      ? { seqs: newestPart(query, found, LIST_WINDOW, 0), total, isPage: false }
      : { seqs: sortedPart(query, found, request, column), total, isPage: true };
  });

  return {
    async page(filter, request) {
      const { seqs, total, isPage } = look(checkFilter(filter), request);
      if (isPage) return { seqs, total };
      const { sort_by: sort } = request;
      return {
        seqs: isTextColumn(sort)
          ? await valueSorts.byText(seqs, request, sort)
          : await valueSorts.byPath(seqs, request),
        total,
      };
    },
  };
}
