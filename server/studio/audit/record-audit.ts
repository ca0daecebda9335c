import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { insertAuditRow } from './audit-repository.ts';

/** A row of the audit log before its time and number. */
export interface AuditEntry {
  readonly action: string;
  readonly principal_id: string;
  readonly project_id: string | null;
  readonly outcome: 'allowed' | 'denied' | 'held';
  readonly run_id?: string;
  /** Ids, refs and hashes only: never text of a draft, a key or a password. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Writes one row of the audit log (studio.md 17). */
export async function recordAudit(
  deps: Pick<StudioDeps, 'timestamp'>,
  handle: Handle,
  entry: AuditEntry,
): Promise<void> {
  await insertAuditRow(handle, {
    at: deps.timestamp(),
    action: entry.action,
    principal_id: entry.principal_id,
    project_id: entry.project_id,
    outcome: entry.outcome,
    run_id: entry.run_id ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
  });
}

/** Writes that a member did something in the project. */
export function recordAct(
  deps: Pick<StudioDeps, 'timestamp'>,
  handle: Handle,
  { principal, project }: Pick<Member, 'principal' | 'project'>,
  action: string,
  detail: AuditEntry['detail'] = {},
): Promise<void> {
  return recordAudit(deps, handle, {
    action,
    principal_id: principal.id,
    project_id: project.id,
    outcome: 'allowed',
    detail,
  });
}
