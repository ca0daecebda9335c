import { getEnvironmentPolicy } from '../../contract/platform/policies.ts';
import { getHealthz } from '../../contract/platform/probes.ts';
import type { EnvironmentState } from '../../contract/studio/bindings.ts';
import { refuse, STUDIO_ERRORS } from '../../contract/studio/errors.ts';
import type { CallOptions, PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { ProjectEnvironmentRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { toPlatformRefusal } from '../govern/platform-refusal.ts';
import { readHealth, readPolicy } from '../platform-answers.ts';
import { findLiveBinding } from './environments-repository.ts';

/** The live binding of an alias. @throws Refusal `unknown_alias`. */
export async function requireLiveBinding(
  deps: Pick<StudioDeps, 'db'>,
  projectId: string,
  alias: string,
): Promise<ProjectEnvironmentRow> {
  const binding = await findLiveBinding(deps.db, projectId, alias);
  if (binding === undefined) throw refuse('unknown_alias');
  return binding;
}

const REFUSED = new Set(['authentication', 'forbidden']);

/** Null also where a platform knows no policies. */
async function policyOf(
  client: PlatformClient,
  { platform_environment: environment }: ProjectEnvironmentRow,
  options: CallOptions,
): Promise<EnvironmentState['policy']> {
  try {
    const input = { params: { environment } };
    return (await client.read(getEnvironmentPolicy, readPolicy, input, options)).policy ?? null;
  } catch (error) {
    if (error instanceof PlatformError && error.family === 'not_found') return null;
    throw error;
  }
}

/** Asks the platform behind an alias, once: whether it answers, takes our key, and what it allows. */
export async function readEnvironmentState(
  deps: StudioDeps,
  project: ProjectRow,
  alias: string,
  signal: AbortSignal,
): Promise<EnvironmentState> {
  const binding = await requireLiveBinding(deps, project.id, alias);
  const head = { alias, generation: binding.generation, version: null, policy: null };
  const { endpoint } = deps.connections.endpointOf(binding);
  if (endpoint === 'unknown') {
    return { ...head, state: 'unavailable', detail: STUDIO_ERRORS.environment_unavailable.message };
  }
  if (endpoint === 'changed') {
    return { ...head, state: 'changed', detail: STUDIO_ERRORS.environment_changed.message };
  }
  const client = await deps.connections.clientFor(deps.db, binding);
  const options = { signal, attempts: 1 };
  try {
    const { version } = await client.read(getHealthz, readHealth, {}, options);
    const policy = await policyOf(client, binding, options);
    return { ...head, version: version ?? null, policy, state: 'reachable', detail: null };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { message } = toPlatformRefusal(error, () => deps.ids.hex());
    return {
      ...head,
      state: REFUSED.has(error.family) ? 'refused' : 'unreachable',
      detail: message,
    };
  }
}
