import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { isObject } from '../../kernel/json.ts';
import { joinObjectTexts, listText, memberText } from '../../kernel/json-text.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { type ListFacts, listFactsOf, sortByKey, sortKeyOf, valueAt } from '../lists/page-items.ts';

interface StoredEvent {
  readonly text: string;
  readonly value: Record<string, unknown>;
}

/** Events that cannot be read are left out with a log line. */
function readable(deps: Pick<PlatformDeps, 'log'>, payloads: readonly string[]): StoredEvent[] {
  return payloads.flatMap((text) => {
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) ? [{ text, value }] : [];
    } catch (error) {
      deps.log.warn({ err: error }, 'a trace event cannot be read');
      return [];
    }
  });
}

export type TraceRequest = ListRequest & { readonly event_type?: string | undefined };

/**
 * GET /runs/{id}/trace as JSON text: in the order of writing, so that a follower can page by offset.
 * Events are stored redacted, in the form in which they are shown.
 */
export function traceText(
  deps: Pick<PlatformDeps, 'trace' | 'log'>,
  row: RunsTable,
  query: TraceRequest,
): string {
  const type = query.event_type;
  const total = type === undefined ? row.trace_event_count : deps.trace.count(row.id, type);
  const answer = (texts: readonly string[], facts: ListFacts): string => {
    const { trace_dropped: dropped } = row;
    const head = JSON.stringify({ run_id: row.id, ...facts, dropped, complete: dropped === 0 });
    return joinObjectTexts(head, memberText('events', listText(texts)));
  };
  if (query.sort_by === 'timestamp' && query.sort_order === 'asc') {
    const reach = Math.max(0, Math.min(query.limit, LIST_WINDOW - query.offset));
    const texts = deps.trace.page(row.id, type, reach, query.offset);
    return answer(texts, listFactsOf(query, texts.length, total));
  }
  const window = readable(deps, deps.trace.page(row.id, type, LIST_WINDOW, 0));
  const keyOf = ({ value }: StoredEvent) => sortKeyOf(valueAt(value, query.sort_by));
  const page = sortByKey(window, keyOf, query.sort_order)
    .slice(query.offset, query.offset + query.limit)
    .map(({ text }) => text);
  return answer(page, listFactsOf(query, page.length, total));
}
