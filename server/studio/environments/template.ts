import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { Handle, StudioDeps } from '../deps.ts';
import { insertGeneration } from './environments-repository.ts';

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
  };
}

/** Binds a new project to the default profile, when there is one. */
export async function applyTemplate(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
): Promise<void> {
  const profile = deps.config.defaultProfile;
  if (profile === undefined) return;
  const policy = deps.defaultPolicy(profile);
  await insertGeneration(handle, newGeneration(deps, projectId, TEMPLATE_ALIAS, profile, policy));
}

/**
 * Binds project `default` at start when it is unbound, and gives its binding to the installation's
 * own platform the capability policy that the tree's trust allows now (decisions 19).
 */
export async function bindDefaultProject(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
): Promise<void> {
  const profile = deps.config.defaultProfile;
  if (profile === undefined) return;
  const rows = await handle
    .selectFrom('project_environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('generation', 'desc')
    .execute();
  if (rows.length === 0) return applyTemplate(deps, handle, projectId);
  const live = rows.find((row) => row.alias === TEMPLATE_ALIAS && row.retired_at === null);
  if (live === undefined || live.profile_name !== profile) return undefined;
  const policy = deps.defaultPolicy(profile);
  if (live.capability_policy === policy) return undefined;
  const { generation: _generation, ...rest } = live;
  await insertGeneration(handle, {
    ...rest,
    capability_policy: policy,
    created_at: deps.timestamp(),
  });
  return undefined;
}
