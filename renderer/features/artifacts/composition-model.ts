/** Reads the overrides field: empty text is no override, anything else must be a JSON object. */
export function parseOverrides(
  text: string,
): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  if (text.trim() === '') {
    return { value: {} };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: { ...value } };
    }
    return { problem: 'Overrides are a JSON object such as {"agent": {"name": "x"}}.' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'This is not JSON.' };
  }
}

/** The list with one entry moved up (-1) or down (1); unchanged at the ends. */
export function moveEntry<T>(list: readonly T[], index: number, step: 1 | -1): readonly T[] {
  const entry = list[index];
  const other = list[index + step];
  if (entry === undefined || other === undefined) {
    return list;
  }
  const moved = [...list];
  moved[index] = other;
  moved[index + step] = entry;
  return moved;
}
