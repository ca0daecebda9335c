import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { isObject } from '../../kernel/json.ts';
import { joinObjectTexts, listText, memberText } from '../../kernel/json-text.ts';
import type { PlatformDeps } from '../deps.ts';
import { inSlices } from '../lists/in-slices.ts';
import { listBytes } from '../lists/list-bytes.ts';
import { type ListFacts, listFactsOf, sortByKey, sortKeyOf, valueAt } from '../lists/page-items.ts';
import { refuse } from '../refuse.ts';
import { cursorOf } from './trace-news.ts';

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

export type TraceRequest = ListRequest & {
  readonly event_type?: string | undefined;
  readonly wait_seconds?: number | undefined;
  readonly after?: number | undefined;
};

/**
 * GET /runs/{id}/trace as JSON text, or as its bytes where the page is one of the store: in the order
 * of writing, so that a follower can page by offset, or by `after` as far as events are kept. Events are stored redacted, in the form in
 * which they are shown.
 * @throws Refusal not_found.
 */
export async function traceText(
  deps: Pick<PlatformDeps, 'runList' | 'trace' | 'log'>,
  runId: string,
  query: TraceRequest,
): Promise<string | Uint8Array> {
  const run = deps.runList.traceFacts(runId);
  if (run === undefined) throw refuse('not_found');
  const type = query.event_type;
  const total = type === undefined ? run.trace_event_count : deps.trace.count(runId, type);
  const head = (facts: ListFacts): string => {
    const { trace_dropped: dropped } = run;
    const asked =
      query.wait_seconds === undefined
        ? {}
        : { cursor: cursorOf(run), run_status: run.status, knows_after: true };
    return JSON.stringify({ run_id: runId, ...facts, dropped, complete: dropped === 0, ...asked });
  };
  const { after } = query;
  if (after !== undefined || (query.sort_by === 'timestamp' && query.sort_order === 'asc')) {
    const reach = after === undefined ? LIST_WINDOW - query.offset : query.limit;
    const { count, bytes } = deps.trace.pageBytes(
      runId,
      type,
      Math.max(0, Math.min(query.limit, reach)),
      after ?? query.offset,
    );
    return listBytes(head(listFactsOf(query, count, total)), 'events', [bytes]);
  }
  const window = await inSlices(deps.trace.page(runId, type, LIST_WINDOW, 0), (payloads) =>
    readable(deps, payloads).map(({ text, value }) => ({
      text,
      key: sortKeyOf(valueAt(value, query.sort_by)),
    })),
  );
  const page = sortByKey(window, ({ key }) => key, query.sort_order)
    .slice(query.offset, query.offset + query.limit)
    .map(({ text }) => text);
  const facts = head(listFactsOf(query, page.length, total));
  return joinObjectTexts(facts, memberText('events', listText(page)));
}
