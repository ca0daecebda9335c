import type BetterSqlite3 from 'better-sqlite3';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import { findProject } from '../projects/projects-repository.ts';
import { OPERATOR } from '../session/authorize.ts';
import { refuseHost } from './host-refusals.ts';

/** What the commands of the operator receive; a service may have the same store open. */
export interface HostDeps
  extends Pick<
    StudioDeps,
    'db' | 'config' | 'ids' | 'locks' | 'timestamp' | 'defaultPolicy' | 'connections'
  > {
  readonly sqlite: BetterSqlite3.Database;
  /** Who sits at the machine (`--as`), beside the operator in the audit log. */
  readonly label: string | undefined;
}

/** What a change leaves in the audit log. */
export interface HostChange<T> {
  readonly answer: T;
  readonly project_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The detail of an audit row, with the label. */
export function labelled(
  deps: Pick<HostDeps, 'label'>,
  detail: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return deps.label === undefined ? detail : { ...detail, as: deps.label };
}

/**
 * Carries out one change and its audit row in one transaction that holds the write lock from its
 * start, so that what it looked at cannot change under it.
 */
export async function changeAsOperator<T>(
  deps: HostDeps,
  action: `host.${string}`,
  change: () => Promise<HostChange<T>>,
): Promise<T> {
  deps.sqlite.exec('BEGIN IMMEDIATE');
  try {
    const { answer, project_id, detail } = await change();
    await recordAudit(deps, deps.db, {
      action,
      principal_id: OPERATOR,
      project_id,
      outcome: 'allowed',
      detail: labelled(deps, detail),
    });
    deps.sqlite.exec('COMMIT');
    return answer;
  } catch (error) {
    if (deps.sqlite.inTransaction) deps.sqlite.exec('ROLLBACK');
    throw error;
  }
}

/** A project by id. @throws Refusal `unknown_project` */
export async function requireProject(deps: Pick<HostDeps, 'db'>, id: string): Promise<ProjectRow> {
  const project = await findProject(deps.db, id);
  if (project === undefined) throw refuseHost('unknown_project');
  return project;
}
