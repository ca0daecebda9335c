/** How many payloads a page has, and they themselves, joined by commas. */
export function joinedPayloads(page: string): string {
  return `SELECT count(*) AS count, string_agg(payload, ',') AS bytes FROM (${page}) AS page`;
}
