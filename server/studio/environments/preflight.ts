import { getEnvironmentPolicy } from '../../contract/platform/policies.ts';
import { getCredentials } from '../../contract/platform/security.ts';
import type { SpecNeeds } from '../../contract/studio/bindings.ts';
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
import { noDocument } from '../govern/no-document.ts';
import { frozenBinding } from '../govern/open-artifact.ts';
import { onPlatform } from '../govern/platform-refusal.ts';
import { bindingOfBuffer, type PreviewInput } from '../govern/preview.ts';
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

interface Bound {
  readonly binding: ProjectEnvironmentRow;
  readonly head: {
    alias: string;
    alias_generation: number;
    platform_environment: string;
  };
  /** Why the profile cannot be loaded. */
  readonly unavailable: string | undefined;
}

function boundTo(deps: StudioDeps, binding: ProjectEnvironmentRow): Bound {
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

async function policyAt(
  deps: StudioDeps,
  { binding, head, unavailable }: Bound,
  signal: AbortSignal,
): Promise<PreflightPolicyView> {
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

/** The platform's policy for the environment that the artifact is frozen to. */
export async function readPolicy(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
  signal: AbortSignal,
): Promise<PreflightPolicyView> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  return policyAt(deps, boundTo(deps, await frozenBinding(deps, artifact)), signal);
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

async function credentialsAt(
  deps: StudioDeps,
  { binding, head, unavailable }: Bound,
  asked: () => Promise<AskedSecrets>,
  signal: AbortSignal,
): Promise<PreflightCredentialsView> {
  if (unavailable !== undefined) {
    return { ...head, state: 'unavailable', unavailable_reason: unavailable, credentials: null };
  }
  const { names, providers } = await asked();
  const others = providers.filter((name) => !USUAL_PROVIDERS.includes(name));
  const query = {
    ...(others.length === 0 ? {} : { providers: [...USUAL_PROVIDERS, ...others] }),
    ...(names.length === 0 ? {} : { extras: [...names] }),
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
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  const bound = boundTo(deps, await frozenBinding(deps, artifact));
  return credentialsAt(deps, bound, () => askedBy(deps, artifact), signal);
}

const toNeeds = ({ names, keyed }: AskedSecrets): SpecNeeds => ({
  providers: [...keyed],
  secrets: [...names],
});

/** What the artifact's composed spec asks its platform for; the platform is not asked. */
export async function readNeeds(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
): Promise<SpecNeeds> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  return toNeeds(await askedBy(deps, artifact));
}

/**
 * Policy and credentials for an editor buffer on the live generation of an alias.
 * @throws Refusal as a preview of it, but for the gate.
 */
export async function draftPreflight(
  deps: StudioDeps,
  project: ProjectRow,
  input: PreviewInput,
  signal: AbortSignal,
) {
  const named = { name: input.draft.path, text: input.text };
  const asked = await deps.drafts.bufferAsked(input.text.length, named);
  if (typeof asked === 'string') throw noDocument(asked);
  const bound = boundTo(deps, await bindingOfBuffer(deps, project, input.alias));
  const [policy, credentials] = await Promise.all([
    policyAt(deps, bound, signal),
    credentialsAt(deps, bound, async () => asked, signal),
  ]);
  return { policy, credentials, needs: toNeeds(asked) };
}
