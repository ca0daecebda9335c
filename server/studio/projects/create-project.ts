import { mkdir, realpath, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { refuse } from '../../contract/studio/errors.ts';
import type { Project } from '../../contract/studio/session.ts';
import type { PrincipalRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import { applyTemplate } from '../environments/template.ts';
import { toProjectView } from './project-view.ts';
import {
  countCharged,
  findMemberProject,
  insertProject,
  listProjectRows,
  type MemberProject,
} from './projects-repository.ts';

/** True when `child` is `parent` or lies below it. */
export function liesInside(child: string, parent: string): boolean {
  const relative = path.relative(parent, child);
  const above = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !above && !path.isAbsolute(relative);
}

/** True when one of the folders is the other or lies below it. */
export function rootsOverlap(a: string, b: string): boolean {
  return liesInside(a, b) || liesInside(b, a);
}

async function store(
  deps: StudioDeps,
  principal: PrincipalRow,
  { id, name, root }: Pick<ProjectRow, 'id' | 'name' | 'root'>,
): Promise<MemberProject> {
  const created = await inTransaction(deps.db, async (trx) => {
    if ((await countCharged(trx, principal.id)) >= deps.config.projectLimit) {
      throw refuse('project_limit_reached', { details: { limit: deps.config.projectLimit } });
    }
    const others = await listProjectRows(trx);
    if (others.some((other) => rootsOverlap(other.root, root)))
      throw refuse('project_root_overlap');
    await insertProject(trx, {
      id,
      name,
      root,
      storage_kind: 'managed',
      quota_principal_id: principal.id,
      created_at: deps.timestamp(),
    });
    await applyTemplate(deps, trx, { id, root });
    await recordAudit(deps, trx, {
      action: 'create_project',
      principal_id: principal.id,
      project_id: id,
      outcome: 'allowed',
    });
    return findMemberProject(trx, id, principal.id);
  });
  if (created === undefined) throw new TypeError('the project was not stored');
  return created;
}

/** Creates a managed project in a folder of its own under the workspace base (studio.md 6.1). */
export async function createProject(
  deps: StudioDeps,
  principal: PrincipalRow,
  name: string,
): Promise<Project> {
  if (deps.workspaceBase === undefined) throw refuse('project_creation_disabled');
  await mkdir(deps.workspaceBase, { recursive: true, mode: 0o700 });
  const id = deps.ids.hex();
  const root = path.join(await realpath(deps.workspaceBase), id);
  // Outside of the transaction, which may have to be done again.
  await mkdir(root, { mode: 0o755 });
  try {
    return toProjectView(await store(deps, principal, { id, name, root }));
  } catch (error) {
    await rmdir(root);
    throw error;
  }
}
