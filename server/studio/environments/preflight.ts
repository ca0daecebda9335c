import { getEnvironmentPolicy } from '../../contract/platform/policies.ts';
import { getCredentials } from '../../contract/platform/security.ts';
import type {
  PreflightCredentialsView,
  PreflightPolicyView,
} from '../../contract/studio/environments.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { isObject } from '../../kernel/json.ts';
import { required } from '../../platform-client/answers.ts';
import type {
  AuthoredArtifactRow,
  ProjectEnvironmentRow,
  ProjectRow,
} from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { openSnapshot } from '../artifacts/snapshots.ts';
import type { StudioDeps } from '../deps.ts';
import { told } from '../govern/draft-reader.ts';
import type { AskedSecrets } from '../govern/draft-work.ts';
import { frozenBinding } from '../govern/open-artifact.ts';
import { onPlatform } from '../govern/platform-refusal.ts';
import {
  readCredentials as readCredentialAnswer,
  readPolicy as readPolicyAnswer,
} from '../platform-answers.ts';

const OVERRIDES = ['generation', 'alias', 'environment', 'profile'];
const SECTIONS = ['providers', 'extra', 'service_tokens'] as const;

type Section = NonNullable<ReturnType<typeof readCredentialAnswer>['inventory']>['extra'];

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
  readonly artifact: AuthoredArtifactRow;
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
    artifact,
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
    const params = { environment: binding.platform_environment };
    const answer = await client.read(
      getEnvironmentPolicy,
      readPolicyAnswer,
      { params },
      { signal },
    );
    return answer.policy ?? null;
  });
  return { ...head, ...available, policy };
}

/** Entries pass through; should the platform ever fill `value`, it is dropped. */
function redacted(section: Section): Record<string, Record<string, unknown>> {
  const entries = Object.entries(section ?? {}).map(
    ([name, entry]): [string, Record<string, unknown>] => [
      name,
      { ...required(entry, `credential ${name}`), value: null },
    ],
  );
  return Object.fromEntries(entries);
}

/** What the artifact's own spec asks for. @throws Refusal when its snapshot cannot be read */
async function askedBy(deps: StudioDeps, artifact: AuthoredArtifactRow): Promise<AskedSecrets> {
  const parts = await openSnapshot(deps, artifact.project_id, artifact.snapshot_hash);
  const size = parts.reduce((sum, part) => sum + part.len, 0);
  return told(await deps.drafts.asked(size, parts));
}

/** Providers that a platform lists by itself (contract/platform.md 3.14). */
const USUAL_PROVIDERS = ['openai', 'openai-agents', 'anthropic', 'google', 'google-adk'];

/**
 * Which credentials the platform holds, never their values: what it lists by itself, and every name
 * that the artifact's composed spec asks for.
 */
export async function readCredentials(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
  signal: AbortSignal,
): Promise<PreflightCredentialsView> {
  const { artifact, binding, head, unavailable } = await openFrozen(deps, project, artifactId);
  if (unavailable !== undefined) {
    return { ...head, state: 'unavailable', unavailable_reason: unavailable, credentials: null };
  }
  const { names, providers } = await askedBy(deps, artifact);
  const others = providers.filter((name) => !USUAL_PROVIDERS.includes(name));
  const query = {
    ...(others.length === 0 ? {} : { providers: [...USUAL_PROVIDERS, ...others] }),
    ...(names.length === 0 ? {} : { extras: names }),
  };
  const client = await deps.connections.clientFor(deps.db, binding);
  const credentials = await onPlatform(deps, async () => {
    const answer = await client.read(getCredentials, readCredentialAnswer, { query }, { signal });
    const inventory = required(answer.inventory, 'inventory');
    const sections = SECTIONS.map((name): [string, Record<string, Record<string, unknown>>] => [
      name,
      redacted(inventory[name]),
    ]);
    return Object.fromEntries(sections);
  });
  return { ...head, ...available, credentials };
}
