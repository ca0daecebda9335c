import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { type TraceEvent, traceEvent } from '../../contract/platform/run-reads.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { listFactsOf, pageItems } from '../lists/page-items.ts';

function isTraceEvent(value: unknown): value is TraceEvent {
  return typeof value === 'object' && value !== null && 'event_id' in value;
}

function parseEvents(deps: PlatformDeps, payloads: readonly string[]): TraceEvent[] {
  return payloads.flatMap((payload) => {
    const value: unknown = JSON.parse(payload);
    if (isTraceEvent(value)) return [value];
    const parsed = traceEvent.safeParse(value);
    if (parsed.success) return [parsed.data];
    deps.log.warn({}, 'a trace event cannot be read');
    return [];
  });
}

/** GET /runs/{id}/trace: in the order of writing, so that a follower can page by offset. */
export function tracePage(
  deps: PlatformDeps,
  row: RunsTable,
  query: ListRequest & { readonly event_type?: string | undefined },
) {
  const total = deps.trace.count(row.id, query.event_type);
  const facts = { dropped: row.trace_dropped, complete: row.trace_dropped === 0 };
  if (query.sort_by === 'timestamp' && query.sort_order === 'asc') {
    const reach = Math.max(0, Math.min(query.limit, LIST_WINDOW - query.offset));
    const events = parseEvents(
      deps,
      deps.trace.page(row.id, query.event_type, reach, query.offset),
    );
    return { run_id: row.id, events, ...listFactsOf(query, events.length, total), ...facts };
  }
  const window = parseEvents(deps, deps.trace.page(row.id, query.event_type, LIST_WINDOW, 0));
  const { page, facts: listed } = pageItems(window, query, total);
  return { run_id: row.id, events: page, ...listed, ...facts };
}
