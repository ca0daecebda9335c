import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { sortByKey, sortKeyOf } from '../lists/page-items.ts';
import { createRunCounts, listConditions } from './run-counts.ts';
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
};

/** A JSON path of plain names; undefined when a name cannot be spelled in one. */
function jsonPath(names: readonly string[]): string | undefined {
  return names.some((name) => name.includes('"'))
    ? undefined
    : `$${names.map((name) => `."${name}"`).join('')}`;
}

const NEWEST = 'ORDER BY run_list.updated_at DESC, run_list.seq';
/** The same, sorted after the runs were found: `+` keeps the index of that order out of the choice. */
const NEWEST_SORTED = 'ORDER BY +run_list.updated_at DESC, run_list.seq';
/** So many matches of a text are taken together and sorted; more of them are met soon by a walk. */
const FEW_MATCHES = 5000;

/** Which runs a page shows, in its order, and how many there are in all. */
export interface RunPage {
  readonly seqs: readonly number[];
  readonly total: number;
}

interface Found {
  readonly total: number;
  readonly where: Condition;
  /** Newest change first, in the form that suits the conditions. */
  readonly newest: string;
}

export interface RunQuery {
  /** @throws Refusal invalid_timestamp. */
  page(filter: RunFilter, request: ListRequest): RunPage;
}

/** Lists of runs: filters, totals, the window and its order (contract/platform.md 1.5, 3.3). */
export function createRunQuery(store: Database<PlatformTables>, search: RunSearch): RunQuery {
  const { sqlite } = store;
  const counts = createRunCounts(store);

  const count = (where: Condition): number =>
    sqlite
      .prepare<(string | number)[], { n: number }>(
        `SELECT count(*) AS n FROM run_list WHERE ${where.sql}`,
      )
      .get(...where.values)?.n ?? 0;

  const bounds = (filter: CheckedFilter, few: boolean): Condition[] => {
    const { created_after: after, created_before: before } = filter;
    const found: Condition[] = [];
    const free = few ? '' : '+';
    if (after !== undefined) {
      found.push({ sql: `${free}run_list.created_at >= ?`, values: [after] });
    }
    if (before !== undefined) {
      found.push({ sql: `${free}run_list.created_at <= ?`, values: [before] });
    }
    return found;
  };

  const facets = (filter: CheckedFilter, few: boolean): Condition[] => {
    const session = filter.session_id;
    const lead = session !== undefined || few ? undefined : counts.lead(filter);
    return [
      ...(session === undefined ? [] : [{ sql: 'run_list.session_id = ?', values: [session] }]),
      ...listConditions(filter, lead),
      ...bounds(filter, few),
    ];
  };

  const findText = (filter: CheckedFilter, q: string): Found => {
    const others = facets(filter, false);
    const through = (condition: Condition): Condition => allOf([...others, condition]);
    const few = search.find(q, FEW_MATCHES);
    if (few !== undefined) {
      const sql = 'run_list.seq IN (SELECT value FROM json_each(?))';
      const where = through({ sql, values: [JSON.stringify(few)] });
      const total = others.length === 0 ? few.length : count(where);
      return { total, where, newest: NEWEST_SORTED };
    }
    // The text is common: a walk over the runs soon meets enough of it.
    const where = through(search.holds(q));
    const found = { where, newest: NEWEST };
    if (others.length === 0) return { ...found, total: search.count(q) };
    const narrow = filter.session_id !== undefined || counts.total(filter) <= FEW_MATCHES;
    return { ...found, total: count(narrow ? where : through(search.among(q))) };
  };

  const find = (filter: CheckedFilter): Found => {
    const { q, session_id: session, created_after: after, created_before: before } = filter;
    if (q !== undefined) return findText(filter, q);
    if (session !== undefined) {
      const where = allOf(facets(filter, false));
      return { total: count(where), where, newest: NEWEST };
    }
    const total = counts.total(filter);
    const few = (after !== undefined || before !== undefined) && counts.isFew(total);
    return { total, where: allOf(facets(filter, few)), newest: few ? NEWEST_SORTED : NEWEST };
  };

  const newestPage = ({ where, newest }: Found, request: ListRequest): number[] => {
    const reach = Math.max(0, Math.min(request.limit, LIST_WINDOW - request.offset));
    return sqlite
      .prepare<(string | number)[], { seq: number }>(
        `SELECT run_list.seq FROM run_list WHERE ${where.sql} ${newest} LIMIT ? OFFSET ?`,
      )
      .all(...where.values, reach, request.offset)
      .map(({ seq }) => seq);
  };

  const byColumn = (found: Found, request: ListRequest, column: string): number[] => {
    const { where, newest } = found;
    const { sort_order: order } = request;
    const ofRun = RUN_COLUMNS.has(column);
    const from = ofRun ? 'run_list JOIN runs ON runs.id = run_list.run_id' : 'run_list';
    const window = `SELECT run_list.seq AS found, ${ofRun ? 'runs' : 'run_list'}.${column} AS sorted,
        run_list.updated_at AS changed
      FROM ${from} WHERE ${where.sql} ${newest} LIMIT ${LIST_WINDOW}`;
    return sqlite
      .prepare<(string | number)[], { seq: number }>(
        `SELECT found AS seq FROM (${window})
         ORDER BY (sorted IS NULL) ${order}, sorted ${order}, changed DESC, found
         LIMIT ? OFFSET ?`,
      )
      .all(...where.values, request.limit, request.offset)
      .map(({ seq }) => seq);
  };

  /** Sorts the window by a value inside a JSON column; an unknown path leaves the newest-first order. */
  const byPath = (found: Found, request: ListRequest): number[] => {
    const [head = '', ...rest] = request.sort_by.split('.');
    const isUsage = head === 'metadata' && rest[0] === 'usage';
    const path = jsonPath(isUsage ? rest.slice(1) : rest);
    const known = isUsage ? 'usage' : head;
    if (path === undefined || !Object.hasOwn(JSON_SOURCES, known))
      return newestPage(found, request);
    const { where, newest } = found;
    const source = JSON_SOURCES[known] ?? 'NULL';
    const paths = (source.match(/\?/g) ?? []).map(() => path);
    const window = sqlite
      .prepare<(string | number)[], { seq: number; source: string | null }>(
        `SELECT run_list.seq, ${source} AS source
         FROM run_list JOIN runs ON runs.id = run_list.run_id
         WHERE ${where.sql} ${newest} LIMIT ${LIST_WINDOW}`,
      )
      .all(...paths, ...where.values);
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
      const found = find(checkFilter(filter));
      const { total } = found;
      if (total === 0) return { seqs: [], total };
      const { sort_by: sort, sort_order: order } = request;
      if (sort === 'updated_at' && order === 'desc') {
        return { seqs: newestPage(found, request), total };
      }
      const listed = Object.hasOwn(LIST_COLUMNS, sort) ? LIST_COLUMNS[sort] : undefined;
      const column = RUN_COLUMNS.has(sort) ? sort : listed;
      const seqs = column === undefined ? byPath(found, request) : byColumn(found, request, column);
      return { seqs, total };
    },
  };
}
