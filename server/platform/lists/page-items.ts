import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { isObject } from '../../kernel/json.ts';

/** Facts that every list answers beside its items. */
export interface ListFacts {
  count: number;
  total: number;
  window: number;
  limit: number;
  offset: number;
  sort_by: string;
  sort_order: 'asc' | 'desc';
}

export function listFactsOf(request: ListRequest, count: number, total: number): ListFacts {
  return {
    count,
    total,
    window: LIST_WINDOW,
    limit: request.limit,
    offset: request.offset,
    sort_by: request.sort_by,
    sort_order: request.sort_order,
  };
}

/** The value at a dotted path; undefined when there is none. */
export function valueAt(item: unknown, path: string): unknown {
  let current = item;
  for (const part of path.split('.')) {
    if (!isObject(current) || !Object.hasOwn(current, part)) return undefined;
    current = current[part];
  }
  return current;
}

type SortKey = readonly [rank: number, value: number | string];

/** Numbers and booleans, then text, then anything else as text, then missing (contract/platform.md 1.5). */
export function sortKeyOf(value: unknown): SortKey {
  if (typeof value === 'number') return [0, value];
  if (typeof value === 'boolean') return [0, value ? 1 : 0];
  if (typeof value === 'string') return [1, value];
  if (value === undefined || value === null) return [3, 0];
  return [2, JSON.stringify(value)];
}

function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] === b[1]) return 0;
  return a[1] < b[1] ? -1 : 1;
}

/** Sorts stably by one key; descending reverses the order of unequal keys only. */
export function sortByKey<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey,
  order: 'asc' | 'desc',
): T[] {
  const sign = order === 'asc' ? 1 : -1;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => sign * compareSortKeys(a.key, b.key))
    .map(({ item }) => item);
}

/** Sorts and pages the items of a window; `total` is the true count of all matches. */
export function pageItems<T>(
  items: readonly T[],
  request: ListRequest,
  total: number,
): { page: T[]; facts: ListFacts } {
  const sorted = sortByKey(
    items,
    (item) => sortKeyOf(valueAt(item, request.sort_by)),
    request.sort_order,
  );
  const page = sorted.slice(request.offset, request.offset + request.limit);
  return { page, facts: listFactsOf(request, page.length, total) };
}
