import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { applyTemplate } from '../environments/template.ts';
import { liesInside, rootsOverlap } from '../projects/create-project.ts';
import { countCharged, insertProject, listProjectRows } from '../projects/projects-repository.ts';
import { handCharge, handOwnership } from './hand-over.ts';
import { changeAsOperator, type HostDeps, requireProject } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';
import { type PrincipalName, requireHeir } from './principals.ts';

/** The real place of a folder; undefined for what is none. */
export async function realFolder(given: string): Promise<string | undefined> {
  try {
    const real = await realpath(given);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // A path that leads nowhere is answered like one that is no folder.
    return undefined;
  }
}

async function requireAttachable(deps: HostDeps, given: string): Promise<string> {
  const { attachableRoots } = deps.config;
  if (attachableRoots.length === 0) throw refuseHost('attaching_disabled');
  const root = await realFolder(given);
  const allowed = await Promise.all(
    attachableRoots.filter((folder) => path.isAbsolute(folder)).map(realFolder),
  );
  const inside = allowed.some(
    (folder) => folder !== undefined && root !== undefined && liesInside(root, folder),
  );
  if (root === undefined || !inside) throw refuseHost('path_not_attachable');
  return root;
}

interface NewOwner {
  readonly owner: PrincipalName;
  readonly name?: string | undefined;
}

/** Makes a real folder a project, bound like a new one. */
export async function attachRoot(
  deps: HostDeps,
  root: string,
  input: NewOwner,
): Promise<ProjectRow> {
  return changeAsOperator(deps, 'host.attach_project', async (deps) => {
    const owner = await requireHeir(deps, input.owner);
    const others = await listProjectRows(deps.db);
    if (others.some((other) => rootsOverlap(other.root, root))) {
      throw refuseHost('project_root_overlap');
    }
    if ((await countCharged(deps.db, owner.id)) >= deps.config.projectLimit) {
      throw refuseHost('project_limit_reached');
    }
    const id = deps.ids.hex();
    const answer: ProjectRow = {
      id,
      name: input.name ?? (path.basename(root) || id),
      root,
      storage_kind: 'attached',
      quota_principal_id: owner.id,
      created_at: deps.timestamp(),
    };
    await insertProject(deps.db, answer);
    await applyTemplate(deps, deps.db, answer);
    return { answer, project_id: id, detail: { owner: owner.id } };
  });
}

/** Makes a folder of this machine a project, bound like a new one (studio.md 6.1). */
export async function attachProject(
  deps: HostDeps,
  input: NewOwner & { readonly path: string },
): Promise<ProjectRow> {
  return attachRoot(deps, await requireAttachable(deps, input.path), input);
}

/** Makes a member owner of a project. */
export async function reassignOwner(
  deps: HostDeps,
  projectId: string,
  to: PrincipalName,
): Promise<void> {
  return changeAsOperator(deps, 'host.reassign_owner', async (deps) => {
    const project = await requireProject(deps, projectId);
    const heir = await requireHeir(deps, to);
    await handOwnership(deps, project, heir);
    return { answer: undefined, project_id: project.id, detail: { to: heir.id } };
  });
}

/** Moves the storage charge of a project to a member. */
export async function reassignQuota(
  deps: HostDeps,
  projectId: string,
  to: PrincipalName,
): Promise<void> {
  return changeAsOperator(deps, 'host.reassign_quota', async (deps) => {
    const project = await requireProject(deps, projectId);
    const heir = await requireHeir(deps, to);
    await handCharge(deps, project, heir);
    const detail = { from: project.quota_principal_id, to: heir.id };
    return { answer: undefined, project_id: project.id, detail };
  });
}
