import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import { sortByKey, sortKeyOf } from '../lists/page-items.ts';
import { refuse } from '../refuse.ts';

export interface RunFilter {
  readonly status?: string | undefined;
  readonly workflow_kind?: string | undefined;
  readonly workflow_name?: string | undefined;
  readonly session_id?: string | undefined;
  readonly has_error?: boolean | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly q?: string | undefined;
}

interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** @throws Refusal invalid_timestamp naming the parameter. */
function bound(name: 'created_after' | 'created_before', text: string): string {
  const at = parseTimestamp(text.replace(/ (\d{2}:?\d{2})$/, '+$1'));
  if (at === undefined) {
    throw refuse('invalid_timestamp', {
      message: `${name} is not an ISO-8601 timestamp.`,
      details: { param: name },
    });
  }
  return toTimestamp(at);
}

/** SQL of the filters of GET /runs, AND-combined (contract/platform.md 3.3). */
function conditionOf(filter: RunFilter): Condition {
  const parts: string[] = [];
  const values: string[] = [];
  const add = (sql: string, value: string): void => {
    parts.push(sql);
    values.push(value);
  };
  for (const name of ['status', 'workflow_kind', 'workflow_name', 'session_id'] as const) {
    const value = filter[name];
    if (value !== undefined) add(`${name} = ?`, value);
  }
  if (filter.has_error !== undefined) {
    parts.push(filter.has_error ? 'error IS NOT NULL' : 'error IS NULL');
  }
  if (filter.created_after !== undefined) {
    add('created_at >= ?', bound('created_after', filter.created_after));
  }
  if (filter.created_before !== undefined) {
    add('created_at <= ?', bound('created_before', filter.created_before));
  }
  if (filter.q !== undefined && filter.q !== '') {
    add('instr(search_text, ?) > 0', filter.q.toLowerCase());
  }
  return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

/** Columns that sort as they are stored; nullable ones rank missing last. */
const SORT_COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'status',
  'agent_name',
  'workflow_name',
  'workflow_kind',
  'session_id',
  'current_step_index',
  'current_step_id',
  'current_node_id',
  'continuation_id',
  'trace_event_count',
  'trace_dropped',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'deadline_at',
  'input_text',
  'output_text',
]);

/** SQL that reads a JSON path (bound, once per `?`) of a column of the record. */
const JSON_SOURCES: Readonly<Record<string, string>> = {
  metadata: 'coalesce(run_metadata -> ?, created_metadata -> ?)',
  error: 'error -> ?',
  usage: 'usage -> ?',
  pending_human_request: 'pending_human_request -> ?',
};

/** A JSON path of plain names; undefined when a name cannot be spelled in one. */
function jsonPath(names: readonly string[]): string | undefined {
  return names.some((name) => name.includes('"'))
    ? undefined
    : `$${names.map((name) => `."${name}"`).join('')}`;
}

const NEWEST = 'ORDER BY updated_at DESC, id';

export interface RunPage {
  readonly rows: readonly RunsTable[];
  readonly total: number;
}

function columnPage(
  store: Database<PlatformTables>,
  where: Condition,
  request: ListRequest,
): RunsTable[] {
  const { sort_by: column, sort_order: order } = request;
  const reach = Math.max(0, Math.min(request.limit, LIST_WINDOW - request.offset));
  if (column === 'updated_at' && order === 'desc') {
    return store.sqlite
      .prepare<(string | number)[], RunsTable>(
        `SELECT * FROM runs ${where.sql} ${NEWEST} LIMIT ? OFFSET ?`,
      )
      .all(...where.values, reach, request.offset);
  }
  return store.sqlite
    .prepare<(string | number)[], RunsTable>(
      `SELECT runs.* FROM (
         SELECT id AS found, ${column} AS sorted, updated_at AS changed
         FROM runs ${where.sql} ${NEWEST} LIMIT ${LIST_WINDOW})
       JOIN runs ON runs.id = found
       ORDER BY (sorted IS NULL) ${order}, sorted ${order}, changed DESC, found
       LIMIT ? OFFSET ?`,
    )
    .all(...where.values, request.limit, request.offset);
}

/** Sorts the window by a value inside a JSON column; an unknown path leaves the newest-first order. */
function pathPage(
  store: Database<PlatformTables>,
  where: Condition,
  request: ListRequest,
): RunsTable[] {
  const [head = '', ...rest] = request.sort_by.split('.');
  const isUsage = head === 'metadata' && rest[0] === 'usage';
  const names = isUsage ? rest.slice(1) : rest;
  const path = jsonPath(names);
  const known = isUsage ? 'usage' : head;
  const source =
    path !== undefined && Object.hasOwn(JSON_SOURCES, known) ? JSON_SOURCES[known] : undefined;
  const paths = path === undefined ? [] : (source?.match(/\?/g) ?? []).map(() => path);
  const window = store.sqlite
    .prepare<(string | number)[], { id: string; source: string | null }>(
      `SELECT id, ${source ?? 'NULL'} AS source FROM runs ${where.sql} ${NEWEST}
       LIMIT ${LIST_WINDOW}`,
    )
    .all(...paths, ...where.values);
  const keyOf = (item: { source: string | null }) => {
    const value: unknown = item.source === null ? undefined : JSON.parse(item.source);
    return sortKeyOf(value);
  };
  const page = sortByKey(window, keyOf, request.sort_order).slice(
    request.offset,
    request.offset + request.limit,
  );
  const find = store.sqlite.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  return page.flatMap(({ id }) => find.get(id) ?? []);
}

/**
 * One page of runs and the true count of all matches (contract/platform.md 1.5, 3.3).
 * @throws Refusal invalid_timestamp.
 */
export function queryRuns(
  store: Database<PlatformTables>,
  filter: RunFilter,
  request: ListRequest,
): RunPage {
  const where = conditionOf(filter);
  const total =
    store.sqlite
      .prepare<(string | number)[], { n: number }>(`SELECT count(*) AS n FROM runs ${where.sql}`)
      .get(...where.values)?.n ?? 0;
  const column = request.sort_by === 'run_id' ? 'id' : request.sort_by;
  const rows = SORT_COLUMNS.has(column)
    ? columnPage(store, where, { ...request, sort_by: column })
    : pathPage(store, where, request);
  return { rows, total };
}
