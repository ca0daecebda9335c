import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { sortByKey, sortKeyOf } from '../lists/page-items.ts';
import { allConditions, type Branch, createRunBranches } from './run-branches.ts';
import { createRunCounts } from './run-counts.ts';
import {
  allOf,
  type CheckedFilter,
  type Condition,
  checkFilter,
  type RunFilter,
} from './run-filter.ts';
import type { RunSearch } from './run-search.ts';

/** Sort fields that stand in `run_list`, by the column they are. */
const LIST_COLUMNS: Readonly<Record<string, string>> = {
  id: 'run_id',
  run_id: 'run_id',
  status: 'status',
  agent_name: 'agent_name',
  workflow_name: 'workflow_name',
  workflow_kind: 'workflow_kind',
  session_id: 'session_id',
  current_step_index: 'current_step_index',
  current_step_id: 'current_step_id',
  current_node_id: 'current_node_id',
  continuation_id: 'continuation_id',
  trace_event_count: 'trace_event_count',
  trace_dropped: 'trace_dropped',
  created_at: 'created_at',
  updated_at: 'updated_at',
  started_at: 'started_at',
  completed_at: 'completed_at',
  deadline_at: 'deadline_at',
  'metadata.duration_ms': 'duration_ms',
  'usage.input_tokens': 'input_tokens',
  'usage.output_tokens': 'output_tokens',
  'usage.total_tokens': 'total_tokens',
  'metadata.usage.input_tokens': 'input_tokens',
  'metadata.usage.output_tokens': 'output_tokens',
  'metadata.usage.total_tokens': 'total_tokens',
};

/** Sort fields that only the run itself holds. */
const RUN_COLUMNS: ReadonlySet<string> = new Set(['input_text', 'output_text']);

/** SQL that reads a JSON path (bound, once per `?`) of a column of the run. */
const JSON_SOURCES: Readonly<Record<string, string>> = {
  metadata: 'coalesce(runs.run_metadata -> ?, runs.created_metadata -> ?)',
  error: 'runs.error -> ?',
  usage: 'runs.usage -> ?',
  pending_human_request: 'runs.pending_human_request -> ?',
  visited_steps: 'runs.visited_steps -> ?',
  visited_nodes: 'runs.visited_nodes -> ?',
  messages: 'runs.messages -> ?',
  tags: 'runs.tags -> ?',
};

/** A JSON path of plain names; undefined when a name cannot be spelled in one. */
function jsonPath(names: readonly string[]): string | undefined {
  return names.some((name) => name.includes('"'))
    ? undefined
    : `$${names.map((name) => `."${name}"`).join('')}`;
}

/** So many matches of a text are taken together and sorted; more of them are met soon by a walk. */
const FEW_MATCHES = 2000;
/** So many runs are looked through for a text; among more it is looked up in the index. */
const FEW_RUNS = 10_000;

/** Which runs a page shows, in its order, and how many there are in all. */
export interface RunPage {
  readonly seqs: readonly number[];
  readonly total: number;
}

interface Found {
  readonly total: number;
  readonly branches: readonly Branch[];
}

interface Query {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The newest of what the branches hold, with one column more; a branch in that order is not sorted. */
function newestOf(branches: readonly Branch[], column: string): Query {
  const parts = branches.map(({ from, conditions }) => ({ from, where: allOf(conditions) }));
  const selects = parts.map(
    ({ from, where }) => `SELECT run_list.seq AS found, run_list.updated_at AS changed,
      run_list.${column} AS sorted FROM ${from} WHERE ${where.sql}`,
  );
  return {
    sql: `${selects.join(' UNION ALL ')} ORDER BY changed DESC, found LIMIT ? OFFSET ?`,
    values: parts.flatMap(({ where }) => where.values),
  };
}

export interface RunQuery {
  /** @throws Refusal invalid_timestamp. */
  page(filter: RunFilter, request: ListRequest): RunPage;
}

/** Lists of runs: filters, totals, the window and its order (contract/platform.md 1.5, 3.3). */
export function createRunQuery(store: Database<PlatformTables>, search: RunSearch): RunQuery {
  const { sqlite } = store;
  const counts = createRunCounts(store);

  const plan = createRunBranches(store, counts);

  const count = (branches: readonly Branch[]): number =>
    branches.reduce((sum, { from, conditions }) => {
      const { sql, values } = allOf(conditions);
      const counted = sqlite
        .prepare<(string | number)[], { n: number }>(
          `SELECT count(*) AS n FROM ${from} WHERE ${sql}`,
        )
        .get(...values);
      return sum + (counted?.n ?? 0);
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
      return { total: plain ? few.length : count(branches), branches };
    }
    // The text is common: a walk over the runs soon meets enough of it.
    const runs = plain ? 0 : runsOf(filter);
    const whole = plain ? [] : plan.of(filter, Number.POSITIVE_INFINITY, runs);
    const among = (): number =>
      count(through(whole, runs <= FEW_RUNS ? search.holds(q) : search.among(q)));
    const total = plain ? search.count(q) : among();
    return { total, branches: through(plan.of(filter, reach, total), search.holds(q)) };
  };

  /** How many runs match but for the text. */
  const runsOf = (filter: CheckedFilter): number =>
    filter.session_id === undefined
      ? counts.of(filter)
      : count(plan.of(filter, Number.POSITIVE_INFINITY, 0));

  const find = (filter: CheckedFilter, reach: number): Found => {
    if (filter.q !== undefined) return findText(filter, filter.q, reach);
    const total = runsOf(filter);
    return { total, branches: plan.of(filter, reach, total) };
  };

  const newestPage = ({ branches }: Found, request: ListRequest): number[] => {
    const reach = Math.max(0, Math.min(request.limit, LIST_WINDOW - request.offset));
    const { sql, values } = newestOf(branches, 'seq');
    return sqlite
      .prepare<(string | number)[], { found: number }>(sql)
      .all(...values, reach, request.offset)
      .map(({ found }) => found);
  };

  const byColumn = (found: Found, request: ListRequest, column: string): number[] => {
    const { sort_order: order } = request;
    const ofRun = RUN_COLUMNS.has(column);
    const { sql, values } = newestOf(found.branches, ofRun ? 'run_id' : column);
    const window = ofRun
      ? `SELECT found, changed, runs.${column} AS sorted FROM (${sql}) AS newest
         CROSS JOIN runs ON runs.id = newest.sorted`
      : sql;
    return sqlite
      .prepare<(string | number)[], { found: number }>(
        `SELECT found FROM (${window})
         ORDER BY (sorted IS NULL) ${order}, sorted ${order}, changed DESC, found
         LIMIT ? OFFSET ?`,
      )
      .all(...values, LIST_WINDOW, 0, request.limit, request.offset)
      .map(({ found: seq }) => seq);
  };

  /** Sorts the window by a value inside a JSON column; an unknown path leaves the newest-first order. */
  const byPath = (found: Found, request: ListRequest): number[] => {
    const [head = '', ...rest] = request.sort_by.split('.');
    const isUsage = head === 'metadata' && rest[0] === 'usage';
    const path = jsonPath(isUsage ? rest.slice(1) : rest);
    const known = isUsage ? 'usage' : head;
    if (path === undefined || !Object.hasOwn(JSON_SOURCES, known))
      return newestPage(found, request);
    const source = JSON_SOURCES[known] ?? 'NULL';
    const paths = (source.match(/\?/g) ?? []).map(() => path);
    const newest = newestOf(found.branches, 'run_id');
    const window = sqlite
      .prepare<(string | number)[], { seq: number; source: string | null }>(
        `SELECT found AS seq, ${source} AS source FROM (${newest.sql}) AS newest
         CROSS JOIN runs ON runs.id = newest.sorted ORDER BY changed DESC, found`,
      )
      .all(...paths, ...newest.values, LIST_WINDOW, 0);
    const keyOf = (item: { source: string | null }) => {
      const value: unknown = item.source === null ? undefined : JSON.parse(item.source);
      return sortKeyOf(value);
    };
    return sortByKey(window, keyOf, request.sort_order)
      .slice(request.offset, request.offset + request.limit)
      .map(({ seq }) => seq);
  };

  return {
    page(filter, request) {
      const { sort_by: sort, sort_order: order } = request;
      const isNewest = sort === 'updated_at' && order === 'desc';
      const reach = isNewest ? request.offset + request.limit : LIST_WINDOW;
      const found = find(checkFilter(filter), reach);
      const { total } = found;
      if (total === 0) return { seqs: [], total };
      if (isNewest) return { seqs: newestPage(found, request), total };
      const listed = Object.hasOwn(LIST_COLUMNS, sort) ? LIST_COLUMNS[sort] : undefined;
      const column = RUN_COLUMNS.has(sort) ? sort : listed;
      const seqs = column === undefined ? byPath(found, request) : byColumn(found, request, column);
      return { seqs, total };
    },
  };
}
