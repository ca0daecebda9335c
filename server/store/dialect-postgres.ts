// SQL of PostgreSQL that repositories put into their statements by its name.

/**
 * Rows of the JSON list in the column `tags`: `value`. No text holds U+0000 here: what stands for it
 * (postgres-text.ts) is put in its place.
 */
export function rowsOfTags(): string {
  return `json_array_elements_text(replace(tags, '\\u0000', U&'\\FFFE0')::json) AS tag (value)`;
}
