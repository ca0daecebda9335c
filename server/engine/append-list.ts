/** Items of a whole chunk. */
export const CHUNK = 32;

/**
 * A list that only grows, as plain JSON: whole chunks and a rest. Appending copies the rest and, once
 * per chunk, the list of chunks, so that a run of n steps does not copy n times n items.
 */
export interface AppendList<T> {
  readonly full: readonly (readonly T[])[];
  readonly tail: readonly T[];
}

const EMPTY: AppendList<never> = { full: [], tail: [] };

/** A list of these items. */
export function listOf<T>(items: readonly T[]): AppendList<T> {
  if (items.length === 0) return EMPTY;
  const rest = items.length % CHUNK;
  const full: (readonly T[])[] = [];
  for (let at = 0; at + CHUNK <= items.length; at += CHUNK) full.push(items.slice(at, at + CHUNK));
  return { full, tail: rest === 0 ? [] : items.slice(-rest) };
}

/** The list with more items at its end; the list that came in stays as it is. */
export function append<T>(list: AppendList<T>, ...items: readonly T[]): AppendList<T> {
  const { full } = list;
  const tail = [...list.tail, ...items];
  if (tail.length < CHUNK) return { full, tail };
  const more = listOf(tail);
  return { full: [...full, ...more.full], tail: more.tail };
}

/** How many items the list holds. */
export function listLength(list: AppendList<unknown>): number {
  return list.full.length * CHUNK + list.tail.length;
}

/** The items from an index on, in one array. */
export function itemsFrom<T>(list: AppendList<T>, start: number): T[] {
  const first = Math.min(Math.floor(start / CHUNK), list.full.length);
  const none: T[] = [];
  // Of `flat`, spreading and a loop none copies whole chunks; histories are copied often.
  const items = none.concat(...list.full.slice(first), list.tail);
  const skipped = start - first * CHUNK;
  return skipped === 0 ? items : items.slice(skipped);
}

/** The items from the beginning of a chunk up to an index. */
export function itemsBetween<T>(list: AppendList<T>, start: number, end: number): T[] {
  const first = Math.floor(start / CHUNK);
  const none: T[] = [];
  const whole = list.full.slice(first, Math.ceil(end / CHUNK));
  return none.concat(...whole, list.tail).slice(0, end - start);
}

/** All items in one array. */
export function itemsOf<T>(list: AppendList<T>): T[] {
  return itemsFrom(list, 0);
}

/** The last item that a test accepts. */
export function findLastItem<T>(list: AppendList<T>, accepts: (item: T) => boolean): T | undefined {
  for (let at = list.full.length; at >= 0; at -= 1) {
    const chunk = at === list.full.length ? list.tail : list.full[at];
    const found = chunk?.findLast(accepts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The list with the last item that a test accepts replaced; the same list when there is none. */
export function replaceLast<T>(
  list: AppendList<T>,
  accepts: (item: T) => boolean,
  change: (item: T) => T,
): AppendList<T> {
  const found = findLastItem(list, accepts);
  if (found === undefined) return list;
  const items = itemsOf(list);
  const at = items.lastIndexOf(found);
  return listOf(items.with(at, change(found)));
}
