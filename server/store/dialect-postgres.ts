// SQL of PostgreSQL that repositories put into their statements by its name.
import type { SqlOf } from './dialect-sql.ts';

/**
 * The text of a JSON list in which no text holds U+0000: what stands for it (postgres-text.ts) is put
 * in its place.
 */
const listText = (text: string): string => `replace(${text}, '\\u0000', U&'\\FFFE0')`;

/** Rows of the JSON list in the column `tags`: `value`. */
export function rowsOfTags(): string {
  return `json_array_elements_text(${listText('tags')}::json) AS tag (value)`;
}

const rowsOf = (value: string, place: string): string =>
  `(SELECT ${value} AS value, at - 1 AS key
    FROM json_array_elements_text(${listText(place)}::json) WITH ORDINALITY AS item (text, at))`;

export const SQL: SqlOf = {
  // Of the statement's beginning: an index answers what is compared with it.
  DATABASE_NOW: 'extract(epoch FROM statement_timestamp())::double precision',
  THEN_JOIN: 'JOIN',
  ROW: 'rowid',
  rowsOfList: (place = '?') => rowsOf('item.text', place),
  rowsOfNumbers: (place = '?') => rowsOf('item.text::bigint', place),
  listOf: (...columns) => `json_build_array(${columns.join(', ')})::text`,
  memberOf: (list, at) => `(${list}::json ->> ${at})`,
};
