// SQL of SQLite that repositories put into their statements by its name.
import type { SqlOf } from './dialect-sql.ts';

/** Epoch seconds by the database's own clock, with a fraction. */
export const DATABASE_NOW = "unixepoch('subsec')";

/** Rows of the JSON list in the column `tags`: `value`. */
export function rowsOfTags(): string {
  return 'json_each(tags)';
}

/** Rows of a JSON list that is given for the place. */
export function rowsOfList(place: '?' | `@${string}` = '?'): string {
  return `json_each(${place})`;
}

export const SQL: SqlOf = {
  DATABASE_NOW,
  THEN_JOIN: 'CROSS JOIN',
  ROW: 'rowid',
  rowsOfList,
  rowsOfNumbers: rowsOfList,
  listOf: (...columns) => `json_array(${columns.join(', ')})`,
  memberOf: (list, at) => `${list} ->> ${at}`,
};
