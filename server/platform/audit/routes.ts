import { type AuditEvent, listAuditEvents } from '../../contract/platform/audit.ts';
import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { AuditEventsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { listFactsOf, pageItems } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { isNewestFirst } from './audit-repository.ts';

function toAuditView(row: AuditEventsTable): AuditEvent {
  return { ...row, metadata: JSON.parse(row.metadata) };
}

/** GET /audit-events. */
export function registerAudit(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listAuditEvents, ({ query }) => {
    const filter = { event_type: query.event_type, run_id: query.run_id };
    const total = deps.audit.count(filter);
    if (isNewestFirst(query)) {
      const reach = Math.max(0, Math.min(query.limit, LIST_WINDOW - query.offset));
      const events = deps.audit.newest(filter, reach, query.offset).map(toAuditView);
      return { events, ...listFactsOf(query, events.length, total) };
    }
    const window = deps.audit.newest(filter, LIST_WINDOW, 0).map(toAuditView);
    const { page, facts } = pageItems(window, query, total);
    return { events: page, ...facts };
  });
}
