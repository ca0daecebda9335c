import type { AuditRow } from '../../store/studio-tables.ts';
import { listAuditRows, listNames } from '../audit/audit-repository.ts';
import { detailOf } from '../audit/read-activity.ts';
import { listBySubject } from '../session/principals-repository.ts';
import { type HostDeps, requireProject } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

/** What of the audit log the operator wants to see. */
export interface AuditWish {
  readonly project: string | undefined;
  /** Subject of a principal, whoever vouches for it. */
  readonly actor: string | undefined;
  readonly outcome: AuditRow['outcome'] | undefined;
  readonly since: string | undefined;
  readonly limit: number;
}

/** A row of the audit log for the operator, who knows people by subject. */
export interface AuditLine {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly outcome: AuditRow['outcome'];
  readonly project: string | null;
  readonly run: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

async function actorsOf(
  deps: Pick<HostDeps, 'db'>,
  subject: string | undefined,
): Promise<string[] | undefined> {
  if (subject === undefined) return undefined;
  const found = await listBySubject(deps.db, subject, undefined);
  if (found.length === 0) throw refuseHost('unknown_principal');
  return found.map(({ id }) => id);
}

/** The audit log of the whole studio, newest first; `more` when older rows were left out. */
export async function readAudit(
  deps: Pick<HostDeps, 'db'>,
  wish: AuditWish,
): Promise<{ entries: AuditLine[]; more: boolean }> {
  const { project, actor, outcome, since, limit } = wish;
  if (project !== undefined) await requireProject(deps, project);
  const actors = await actorsOf(deps, actor);
  const filter = { project, actors, outcome, since, limit: limit + 1 };
  const rows = await listAuditRows(deps.db, filter);
  const ids = [...new Set(rows.map((row) => row.principal_id))];
  const names = new Map(
    (await listNames(deps.db, ids)).map(({ id, subject }) => [id, subject] as const),
  );
  const entries = rows.slice(0, limit).map((row) => ({
    at: row.at,
    actor: names.get(row.principal_id) ?? row.principal_id,
    action: row.action,
    outcome: row.outcome,
    project: row.project_id,
    run: row.run_id,
    detail: detailOf(row),
  }));
  return { entries, more: rows.length > limit };
}
