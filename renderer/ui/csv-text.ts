/** A table as CSV (RFC 4180); cells that a spreadsheet would take for formulas are made harmless. */
export async function csvText(
  head: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
): Promise<string> {
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  return stringify([[...head], ...rows.map((row) => [...row])], { escape_formulas: true });
}
