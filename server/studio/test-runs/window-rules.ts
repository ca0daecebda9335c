import { refuse } from '../../contract/studio/errors.ts';

const MAX_OFFSET = 10_000;
const MAX_LIMIT = 500;

/** A window of a paged read. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Refuses a window outside 0..10000 and 1..500 with the code of its list. */
export function requireWindow(
  window: Window,
  code: 'invalid_trace_window' | 'invalid_checkpoint_window',
): void {
  const { offset, limit } = window;
  if (offset < 0 || offset > MAX_OFFSET || limit < 1 || limit > MAX_LIMIT) throw refuse(code);
}

/** Where the next page starts, if there is one and paging reaches it (studio.md 12). */
export function pageEnd(
  window: Window,
  returned: number,
  total: number | null,
): { next_offset: number | null; paging_limit_reached: boolean } {
  const end = window.offset + returned;
  const limitReached = end > MAX_OFFSET;
  const more = returned === window.limit && (total === null || end < total) && !limitReached;
  return { next_offset: more ? end : null, paging_limit_reached: limitReached };
}
