import { listAudit, listAuditLog } from '../../contract/dashboard/audit.ts';
import { listAuditEvents } from '../../contract/platform/audit.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { parseQueryTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readDetails } from '../launch/launch-details.ts';
import { pageFacts } from '../read.ts';
import { refuse } from '../refusals.ts';
import { isUnknownParameter } from '../runs/facet-fallback.ts';
import { listAuditRows } from './audit-repository.ts';
import { whoActed } from './who-acted.ts';

function filterOf(value: string): string | undefined {
  return value === '' ? undefined : value;
}

/** A moment in the stored form; empty stays empty. @throws Refusal `bad_request` */
function momentOf(value: string): string {
  if (value.trim() === '') return '';
  const at = parseQueryTimestamp(value);
  if (at === undefined)
    throw refuse('bad_request', { message: 'The time is not one that is known.' });
  return toTimestamp(at);
}

/** Says what is missing where a platform does not know the filter by time. */
async function withTimes<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isUnknownParameter(error)) throw error;
    throw refuse('bad_request', {
      message: 'This platform does not filter its audit by date. Ask without dates.',
      cause: error,
    });
  }
}

/** Binds the platform's audit events and the local log. */
export function registerAuditRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listAudit, async ({ query }, { principal, signal }) => {
    const { limit, offset } = query;
    const filters = {
      event_type: filterOf(query.event_type),
      run_id: filterOf(query.run_id),
      created_after: filterOf(momentOf(query.created_after)),
      created_before: filterOf(momentOf(query.created_before)),
    };
    const page = { sort_by: 'created_at', sort_order: 'desc', limit, offset } as const;
    const body = await withTimes(() =>
      principal.platform().call(listAuditEvents, { query: { ...filters, ...page } }, { signal }),
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
    // Where nobody signs in, all are the one operator of the settings.
    const operators = deps.signIn === undefined ? [] : await whoActed(deps.db, rows);
    const named = rows.map((row, at) => ({ ...row, operator: operators[at] ?? null }));
    return { rows: named, ...pageFacts(body, rows.length, { limit, offset }) };
  });

  app.implement(listAuditLog, async ({ query }) => ({
    entries: (
      await listAuditRows(deps.db, {
        ...query,
        created_after: momentOf(query.created_after),
        created_before: momentOf(query.created_before),
      })
    ).map(({ details, ...row }) => {
      const told = readDetails(details);
      return Object.keys(told).length === 0 ? row : { ...row, details: told };
    }),
  }));
}
