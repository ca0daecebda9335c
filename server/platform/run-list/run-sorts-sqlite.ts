import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { ColumnQuery } from '../../store/statement-cache.ts';
import type { Branch } from './run-branches-sqlite.ts';
import { allOf, type Condition } from './run-filter.ts';

/** The matches of a filter: how many there are, and how they are met. */
export interface Found {
  readonly total: number;
  readonly branches: readonly Branch[];
  /** True where meeting a match costs more than a step in an index. */
  readonly costly: boolean;
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

const isNumber = (value: string | number | null): value is number => typeof value === 'number';

/** Numbers of the newest matches, newest first. */
export function newestPart(
  query: ColumnQuery,
  { branches }: Found,
  limit: number,
  offset: number,
): number[] {
  const reach = Math.max(0, Math.min(limit, LIST_WINDOW - offset));
  const { sql, values } = newestOf(branches, 'seq');
  return query(sql, [...values, reach, offset]).filter(isNumber);
}

/** So many times the wanted matches are looked at to find what none of them exceeds. */
const SAMPLE = 4;

/**
 * The window sorted by a column of the list. Going up by a time the sort would keep each match that
 * it meets, newest first, only to drop it again; among the oldest of the window stand enough that are
 * as small, so that what exceeds them is left out at once.
 */
export function sortedPart(
  query: ColumnQuery,
  found: Found,
  request: ListRequest,
  column: string,
): number[] {
  const { limit, offset, sort_order: order } = request;
  const newest = newestOf(found.branches, column);
  const window = Math.min(found.total, LIST_WINDOW);
  const sample = SAMPLE * (limit + offset);
  const isShort = order === 'desc' || found.costly || sample > window / 2;
  const [most = null] = isShort
    ? []
    : query(
        `SELECT sorted FROM (${newest.sql}) ORDER BY (sorted IS NULL), sorted LIMIT 1 OFFSET ?`,
        [...newest.values, sample, window - sample, limit + offset - 1],
      );
  return query(
    `SELECT found FROM (${newest.sql}) WHERE ${most === null ? 'TRUE' : 'sorted <= ?'}
     ORDER BY (sorted IS NULL) ${order}, sorted ${order}, changed DESC, found LIMIT ? OFFSET ?`,
    [...newest.values, LIST_WINDOW, 0, ...(most === null ? [] : [most]), limit, offset],
  ).filter(isNumber);
}

/** True where no more runs were changed since that moment than the window holds. */
function areInWindow(query: ColumnQuery, moment: string | number): boolean {
  const since = `SELECT 1 FROM run_list INDEXED BY run_list_newest
    WHERE run_list.updated_at >= ? LIMIT ?`;
  const [runs] = query(`SELECT count(*) FROM (${since})`, [moment, LIST_WINDOW + 1]);
  return Number(runs) <= LIST_WINDOW;
}

/**
 * The page of a list from the newest creation on, of a filter that asks for nothing but times of
 * creation; undefined where the window has to be sorted for it. An index has these runs in their
 * order; where all of them until the page's end changed lately, they are the window's first as well.
 */
export function newestCreatedPart(
  query: ColumnQuery,
  { total }: Found,
  bounds: readonly Condition[],
  { limit, offset }: ListRequest,
): number[] | undefined {
  const { sql, values } = allOf(bounds);
  const latest = (column: string, most: number, from: number) =>
    query(
      `SELECT run_list.${column} FROM run_list INDEXED BY run_list_by_created WHERE ${sql}
       ORDER BY run_list.created_at DESC, run_list.updated_at DESC, run_list.seq LIMIT ? OFFSET ?`,
      [...values, most, from],
    );
  if (total > LIST_WINDOW) {
    const changes = latest('updated_at', offset + limit, 0).filter((time) => time !== null);
    const oldest = changes.reduce((first, time) => (time < first ? time : first), '~');
    if (!areInWindow(query, oldest)) return undefined;
  }
  return latest('seq', limit, offset).filter(isNumber);
}
