import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { insertGeneration, listLiveBindings } from './environments-repository.ts';

const TEMPLATE_ALIAS = 'default';
const MAX_INLINE_SPEC_BYTES = 262_144;

/** A generation with the defaults of studio.md 13. */
export function newGeneration(
  deps: Pick<StudioDeps, 'timestamp' | 'config'>,
  projectId: string,
  alias: string,
  profile: string,
  policy: ProjectEnvironmentRow['capability_policy'],
): Omit<ProjectEnvironmentRow, 'generation'> {
  return {
    project_id: projectId,
    alias,
    profile_name: profile,
    platform_environment: deps.config.defaultPlatformEnvironment,
    transport: 'remote',
    serv_root: null,
    registry_snapshot: '{}',
    capability_policy: policy,
    secret_ref_namespace: null,
    host_allowlist: '[]',
    platform_egress: 'unenforced',
    max_inline_spec_bytes: MAX_INLINE_SPEC_BYTES,
    endpoint_fingerprint: null,
    retired_at: null,
    created_at: deps.timestamp(),
    made_by: 'template',
  };
}

/** Binds a new project to the default profile, when there is one. */
export async function applyTemplate(
  deps: Pick<StudioDeps, 'config' | 'defaultPolicy' | 'timestamp'>,
  handle: Handle,
  projectId: string,
): Promise<void> {
  const profile = deps.config.defaultProfile;
  if (profile === undefined) return;
  const policy = deps.defaultPolicy(profile, projectId);
  await insertGeneration(handle, newGeneration(deps, projectId, TEMPLATE_ALIAS, profile, policy));
}

/** Binds project `default` at start when it never was. */
export async function bindDefaultProject(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
): Promise<void> {
  const known = await handle
    .selectFrom('project_environment')
    .select('generation')
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  if (known === undefined) await applyTemplate(deps, handle, projectId);
}

/**
 * Gives the bindings that the template made the capability policy that the trust in their project
 * allows (decisions 19): a new generation, so that artifacts keep theirs. A person's choice stays.
 */
export async function followTrust(deps: StudioDeps, handle: Handle): Promise<void> {
  const projects = await handle.selectFrom('project').select('id').execute();
  for (const { id } of projects) {
    for (const binding of await listLiveBindings(handle, id)) {
      const policy = deps.defaultPolicy(binding.profile_name, id);
      if (binding.made_by === 'person' || binding.capability_policy === policy) continue;
      const { generation: _generation, ...rest } = binding;
      const created_at = deps.timestamp();
      await insertGeneration(handle, { ...rest, capability_policy: policy, created_at });
    }
  }
}
