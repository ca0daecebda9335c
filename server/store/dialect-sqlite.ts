// SQL of SQLite that repositories put into their statements by its name.

/** Epoch seconds by the database's own clock, with a fraction. */
export const DATABASE_NOW = "unixepoch('subsec')";

/**
 * Rows of a JSON list that is given for the place, or stands in the column `tags`: `value`, and
 * `key`, its place in the list.
 */
export function rowsOfList(place: '?' | `@${string}` | 'tags' = '?'): string {
  return `json_each(${place})`;
}

/** Joins in the order in which the tables stand in the statement. */
export const THEN_JOIN = 'CROSS JOIN';
