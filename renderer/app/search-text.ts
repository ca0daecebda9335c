/** A value of the address's query, as text: one that looks like a number arrives as a number. */
export function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}
