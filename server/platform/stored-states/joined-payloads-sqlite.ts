/** How many payloads a page has, and they themselves as UTF-8, joined by commas. */
export function joinedPayloads(page: string): string {
  return `SELECT count(*) AS count, CAST(group_concat(payload, ',') AS BLOB) AS bytes FROM (${page})`;
}
