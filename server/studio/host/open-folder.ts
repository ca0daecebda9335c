import { realpath } from 'node:fs/promises';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { StudioDeps } from '../deps.ts';
import { liesInside, rootsOverlap } from '../projects/create-project.ts';
import { listProjectRows } from '../projects/projects-repository.ts';
import { LOCAL_OWNER } from '../session/known-principals.ts';
import { followTrust } from '../trust/follow-trust.ts';
import { refuseHost } from './host-refusals.ts';
import { attachRoot, realFolder } from './projects.ts';

/** The project that a folder became. */
export interface OpenedProject {
  readonly project_id: string;
  /** It was one before. */
  readonly known: boolean;
}

async function projectAt(deps: StudioDeps, root: string): Promise<ProjectRow | undefined> {
  for (const project of await listProjectRows(deps.db)) {
    if ((await realpath(project.root).catch(() => project.root)) === root) return project;
  }
  return undefined;
}

async function refuseOwnFolders({ stateDir, workspaceBase }: StudioDeps, root: string) {
  const state = await realpath(stateDir);
  const base = workspaceBase && (await realpath(workspaceBase).catch(() => workspaceBase));
  if (liesInside(state, root) || liesInside(root, state) || (base && rootsOverlap(root, base))) {
    throw refuseHost('program_folder');
  }
}

/**
 * Makes a folder that the person in front of the machine chose a project of theirs, or finds the
 * project that it is already; for the shell of this computer, never for a request (AS-018).
 * @throws Refusal that says why not
 */
export async function openFolder(deps: StudioDeps, folder: string): Promise<OpenedProject> {
  if (deps.config.authMode !== 'none') throw refuseHost('people_sign_in');
  const root = await realFolder(folder);
  if (root === undefined) throw refuseHost('no_folder');
  const known = await projectAt(deps, root);
  if (known !== undefined) return { project_id: known.id, known: true };
  await refuseOwnFolders(deps, root);
  const { id } = await attachRoot({ ...deps, label: 'window' }, root, {
    owner: { subject: LOCAL_OWNER },
  });
  await inTransaction(deps.db, (trx) => followTrust(deps, trx));
  return { project_id: id, known: false };
}
