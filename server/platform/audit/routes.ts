import { type AuditEvent, listAuditEvents } from '../../contract/platform/audit.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { AuditEventsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { inSlices } from '../lists/in-slices.ts';
import { listFactsOf, sortByKey, sortKeyOf, valueAt } from '../lists/page-items.ts';
import { timeBound } from '../lists/time-bound.ts';
import type { Principal } from '../principal.ts';
import type { AuditFilter, PlacedEvent } from './audit-pages.ts';

function toAuditView(row: AuditEventsTable): AuditEvent {
  return { ...row, metadata: JSON.parse(row.metadata) };
}

/** A page in the order of something inside of the events. */
async function pageByValue(
  { audit }: PlatformDeps,
  filter: AuditFilter,
  query: ListRequest,
): Promise<PlacedEvent[]> {
  const keyed = await inSlices(audit.window(filter), (places) =>
    audit.read(places).map(({ place, row }) => ({
      place,
      key: sortKeyOf(valueAt(toAuditView(row), query.sort_by)),
    })),
  );
  const sorted = sortByKey(keyed, ({ key }) => key, query.sort_order);
  const page = sorted.slice(query.offset, query.offset + query.limit);
  return audit.read(page.map(({ place }) => place));
}

/** GET /audit-events. */
export function registerAuditRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listAuditEvents, async ({ query }) => {
    const filter = {
      event_type: query.event_type,
      run_id: query.run_id,
      created_after: timeBound('created_after', query.created_after),
      created_before: timeBound('created_before', query.created_before),
    };
    const total = deps.audit.count(filter);
    const rows = deps.audit.page(filter, query) ?? (await pageByValue(deps, filter, query));
    const events = rows.map(({ row }) => toAuditView(row));
    return { events, ...listFactsOf(query, events.length, total) };
  });
}
