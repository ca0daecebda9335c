import { listAudit, listAuditLog } from '../../contract/dashboard/audit.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { objectOf, pageFacts, requireObjects, text, textOrNull } from '../read.ts';

function filterOf(value: string): string | undefined {
  return value === '' ? undefined : value;
}

/** Binds the platform's audit events and the local log. */
export function registerAuditRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listAudit, async ({ query }, { principal, signal }) => {
    const { limit, offset } = query;
    const body = await principal.platform().listAuditEvents(
      {
        event_type: filterOf(query.event_type),
        run_id: filterOf(query.run_id),
        sort_by: 'created_at',
        sort_order: 'desc',
        limit,
        offset,
      },
      { signal },
    );
    const rows = requireObjects(body, 'events').map((event) => ({
      id: text(event['id']),
      event_type: text(event['event_type']),
      run_id: textOrNull(event['run_id']),
      continuation_id: textOrNull(event['continuation_id']),
      actor: textOrNull(event['actor']),
      created_at: text(event['created_at']),
      metadata: objectOf(event['metadata']),
    }));
    return { rows, ...pageFacts(body, rows.length, { limit, offset }) };
  });

  app.implement(listAuditLog, async ({ query }) => {
    const entries = await deps.db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit)
      .execute();
    return { entries };
  });
}
