import type {
  PreflightCredentialsView,
  PreflightPolicyView,
} from '../../contract/studio/environments.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { isObject } from '../../kernel/json.ts';
import { optionalObject, protocolError, requireObject } from '../../platform-client/protocol.ts';
import type { ProjectEnvironmentRow, ProjectRow } from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import type { StudioDeps } from '../deps.ts';
import { frozenBinding } from '../govern/open-artifact.ts';
import { onPlatform } from '../govern/platform-refusal.ts';

const OVERRIDES = ['generation', 'alias', 'environment', 'profile'];
const SECTIONS = ['providers', 'extra', 'service_tokens'];

/** The binding is frozen: a query that names another one is refused (studio.md 11). */
export function refuseOverrides(query: unknown): void {
  const refused = OVERRIDES.filter((name) => isObject(query) && query[name] !== undefined);
  if (refused.length === 0) return;
  const errors = refused.map((name) => ({
    loc: ['query', name],
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  }));
  throw refuse('request_invalid', { details: { errors, refused_parameters: refused } });
}

interface Frozen {
  readonly binding: ProjectEnvironmentRow;
  readonly head: {
    alias: string;
    alias_generation: number;
    platform_environment: string;
  };
  /** Why the profile cannot be loaded. */
  readonly unavailable: string | undefined;
}

async function openFrozen(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
): Promise<Frozen> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  const binding = await frozenBinding(deps, artifact);
  const found = deps.connections.lookUp(binding.profile_name);
  return {
    binding,
    head: {
      alias: binding.alias,
      alias_generation: binding.generation,
      platform_environment: binding.platform_environment,
    },
    unavailable: found.ok ? undefined : found.reason,
  };
}

const available = { state: 'available', unavailable_reason: null } as const;

/** The platform's policy for the environment that the artifact is frozen to. */
export async function readPolicy(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
  signal: AbortSignal,
): Promise<PreflightPolicyView> {
  const { binding, head, unavailable } = await openFrozen(deps, project, artifactId);
  if (unavailable !== undefined) {
    return { ...head, state: 'unavailable', unavailable_reason: unavailable, policy: null };
  }
  const client = await deps.connections.clientFor(deps.db, binding);
  const policy = await onPlatform(deps, async () => {
    const answer = await client.getPolicy(binding.platform_environment, { signal });
    return optionalObject(answer, 'policy') ?? null;
  });
  return { ...head, ...available, policy };
}

/** Entries pass through; should the platform ever fill `value`, it is dropped. */
function redacted(
  section: Readonly<Record<string, unknown>>,
): Record<string, Record<string, unknown>> {
  const entries = Object.entries(section).map(
    ([name, entry]): [string, Record<string, unknown>] => {
      if (!isObject(entry)) throw protocolError(`credential ${name} is no object`);
      return [name, { ...entry, value: null }];
    },
  );
  return Object.fromEntries(entries);
}

/** Which credentials the platform holds, never their values. */
export async function readCredentials(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
  signal: AbortSignal,
): Promise<PreflightCredentialsView> {
  const { binding, head, unavailable } = await openFrozen(deps, project, artifactId);
  if (unavailable !== undefined) {
    return { ...head, state: 'unavailable', unavailable_reason: unavailable, credentials: null };
  }
  const client = await deps.connections.clientFor(deps.db, binding);
  const credentials = await onPlatform(deps, async () => {
    const inventory = requireObject(await client.credentials({}, { signal }), 'inventory');
    const sections = SECTIONS.map((name): [string, Record<string, Record<string, unknown>>] => [
      name,
      redacted(optionalObject(inventory, name) ?? {}),
    ]);
    return Object.fromEntries(sections);
  });
  return { ...head, ...available, credentials };
}
