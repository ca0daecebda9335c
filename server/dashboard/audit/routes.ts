import { listAudit, listAuditLog } from '../../contract/dashboard/audit.ts';
import { listAuditEvents } from '../../contract/platform/audit.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { required } from '../../platform-client/answers.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { pageFacts } from '../read.ts';
import { listAuditRows } from './audit-repository.ts';

function filterOf(value: string): string | undefined {
  return value === '' ? undefined : value;
}

/** Binds the platform's audit events and the local log. */
export function registerAuditRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listAudit, async ({ query }, { principal, signal }) => {
    const { limit, offset } = query;
    const body = await principal.platform().call(
      listAuditEvents,
      {
        query: {
          event_type: filterOf(query.event_type),
          run_id: filterOf(query.run_id),
          sort_by: 'created_at',
          sort_order: 'desc',
          limit,
          offset,
        },
      },
      { signal },
    );
    const rows = required(body.events, 'events').map((event) => ({
      id: event.id ?? '',
      event_type: event.event_type ?? '',
      run_id: event.run_id ?? null,
      continuation_id: event.continuation_id ?? null,
      actor: event.actor ?? null,
      created_at: event.created_at ?? '',
      metadata: event.metadata ?? {},
    }));
    return { rows, ...pageFacts(body, rows.length, { limit, offset }) };
  });

  app.implement(listAuditLog, async ({ query }) => ({
    entries: await listAuditRows(deps.db, query.limit),
  }));
}
