import type { ProjectEnvironmentRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { insertGeneration, wasEverBound } from './environments-repository.ts';

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
  project: Pick<ProjectRow, 'id' | 'root'>,
): Promise<void> {
  const profile = deps.config.defaultProfile;
  if (profile === undefined) return;
  const policy = deps.defaultPolicy(profile, project.root);
  await insertGeneration(handle, newGeneration(deps, project.id, TEMPLATE_ALIAS, profile, policy));
}

/** Binds project `default` at start when it never was. */
export async function bindDefaultProject(
  deps: StudioDeps,
  handle: Handle,
  project: Pick<ProjectRow, 'id' | 'root'>,
): Promise<void> {
  if (!(await wasEverBound(handle, project.id))) await applyTemplate(deps, handle, project);
}
