import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { StudioDeps } from '../deps.ts';
import { insertGeneration, listLiveBindings } from '../environments/environments-repository.ts';
import type { Handle } from '../handle.ts';
import { listProjectRows } from '../projects/projects-repository.ts';

type Policy = ProjectEnvironmentRow['capability_policy'];

async function followPolicy(
  deps: StudioDeps,
  handle: Handle,
  project: { readonly id: string; readonly root: string },
): Promise<void> {
  for (const binding of await listLiveBindings(handle, project.id)) {
    const policy: Policy = deps.defaultPolicy(binding.profile_name, project.root);
    if (binding.made_by === 'person' || binding.capability_policy === policy) continue;
    const { generation: _generation, ...rest } = binding;
    const created_at = deps.timestamp();
    await insertGeneration(handle, { ...rest, capability_policy: policy, created_at });
  }
}

/**
 * Gives the bindings that the template made the capability policy that the trust in their project
 * allows (decisions 19): a new generation, so that artifacts keep theirs. A person's choice stays.
 * The platform is told where the projects are.
 */
export async function followTrust(deps: StudioDeps, handle: Handle): Promise<void> {
  const projects = await listProjectRows(handle);
  for (const project of projects) await followPolicy(deps, handle, project);
  if (deps.trust?.isHere() !== true) return;
  deps.trust.notePlaces(Object.fromEntries(projects.map(({ id, root }) => [id, root])));
}

/** Follows a change of the list that another program made, such as `specwright trust add`. */
export async function followChangedTrust(deps: StudioDeps): Promise<void> {
  await deps.trust?.onChange(() => inTransaction(deps.db, (trx) => followTrust(deps, trx)));
}
