/** What a text has before and after an earlier one that it goes on from; one of them is empty. */
export interface Growth {
  readonly before: string;
  readonly after: string;
}

/**
 * How `text` goes on from a shorter `old`, at one of its ends; undefined when it does not. Slices are
 * compared: `startsWith` and `endsWith` go through long texts character by character.
 */
export function growthOf(text: string, old: string): Growth | undefined {
  const more = text.length - old.length;
  if (more <= 0) return undefined;
  if (text.slice(more) === old) return { before: text.slice(0, more), after: '' };
  if (text.slice(0, -more) === old) return { before: '', after: text.slice(-more) };
  return undefined;
}
