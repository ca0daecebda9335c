import type { AuditRow, PrincipalRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Which rows of the audit log are wanted; what is left out decides nothing. */
export interface AuditFilter {
  readonly project?: string | undefined;
  /** Principals, by id. */
  readonly actors?: readonly string[] | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditRow['outcome'] | undefined;
  /** From this time on. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
  /** Only rows older than the one with this number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Adds a row to the audit log, which gives it its number. */
export async function insertAuditRow(handle: Handle, row: Omit<AuditRow, 'id'>): Promise<void> {
  await handle.insertInto('audit').values(row).execute();
}

/** Rows of the audit log, newest first. */
export async function listAuditRows(handle: Handle, filter: AuditFilter): Promise<AuditRow[]> {
  const { project, actors, action, outcome, since, until, before, limit } = filter;
  let query = handle.selectFrom('audit').selectAll();
  if (project !== undefined) query = query.where('project_id', '=', project);
  if (actors !== undefined) query = query.where('principal_id', 'in', actors);
  if (action !== undefined) query = query.where('action', '=', action);
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** What was done in a project, and by whom, each once. */
export async function listActs(
  handle: Handle,
  projectId: string,
): Promise<Pick<AuditRow, 'action' | 'principal_id'>[]> {
  return handle
    .selectFrom('audit')
    .select(['action', 'principal_id'])
    .distinct()
    .where('project_id', '=', projectId)
    .execute();
}

/** Details of the rows of some actions, each once. */
export async function listDetails(
  handle: Handle,
  projectId: string,
  actions: readonly string[],
): Promise<string[]> {
  const rows = await handle
    .selectFrom('audit')
    .select('detail')
    .distinct()
    .where('project_id', '=', projectId)
    .where('action', 'in', actions)
    .execute();
  return rows.map((row) => row.detail);
}

/** Who these ids are; one that is no principal is left out. */
export async function listNames(
  handle: Handle,
  ids: readonly string[],
): Promise<Pick<PrincipalRow, 'id' | 'display_name' | 'subject'>[]> {
  return handle
    .selectFrom('principal')
    .select(['id', 'display_name', 'subject'])
    .where('id', 'in', ids)
    .execute();
}
