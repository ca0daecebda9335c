import type { ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import { findProject } from '../projects/projects-repository.ts';
import { OPERATOR } from '../session/known-principals.ts';
import { refuseHost } from './host-refusals.ts';

/** What the commands of the operator receive; a service may have the same store open. */
export interface HostDeps
  extends Pick<
    StudioDeps,
    'db' | 'config' | 'ids' | 'locks' | 'timestamp' | 'defaultPolicy' | 'connections'
  > {
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
 * Carries out one change and its audit row in one transaction, which holds the write lock from its
 * start: what the change looks at through the deps that it is given cannot change under it.
 */
export async function changeAsOperator<T>(
  deps: HostDeps,
  action: `host.${string}`,
  change: (deps: HostDeps) => Promise<HostChange<T>>,
): Promise<T> {
  return inTransaction(deps.db, async (trx) => {
    const { answer, project_id, detail } = await change({ ...deps, db: trx });
    await recordAudit(deps, trx, {
      action,
      principal_id: OPERATOR,
      project_id,
      outcome: 'allowed',
      detail: labelled(deps, detail),
    });
    return answer;
  });
}

/** A project by id. @throws Refusal `unknown_project` */
export async function requireProject(deps: Pick<HostDeps, 'db'>, id: string): Promise<ProjectRow> {
  const project = await findProject(deps.db, id);
  if (project === undefined) throw refuseHost('unknown_project');
  return project;
}
