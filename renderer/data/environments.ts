import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import {
  attachRegistry,
  getEnvironmentState,
  listGenerations,
  listProfiles,
  previewRegistry,
  type RegistryChange,
  retireEnvironment,
} from '../../server/contract/studio/bindings.ts';
import {
  type BindingView,
  type CapabilityPolicy,
  createEnvironment,
} from '../../server/contract/studio/environments.ts';
import { call } from './api-client.ts';
import { queryClient, routeKey, routePrefix, routeQuery } from './query-client.ts';
import { useMe } from './studio.ts';

/** Every generation of every alias of a project. */
export function useGenerations(projectId: string) {
  return useQuery(routeQuery(listGenerations, { params: { project_id: projectId } }));
}

/** What the platform behind an alias says now. */
export function useEnvironmentState(projectId: string, alias: string) {
  return useQuery({
    ...routeQuery(getEnvironmentState, { params: { project_id: projectId, alias } }),
    staleTime: 15_000,
  });
}

/** Asks again where the aliases of a project lead, and what is there. */
export async function askAgain(projectId: string): Promise<void> {
  const params = { project_id: projectId };
  await queryClient.invalidateQueries({ queryKey: routeKey(listGenerations, { params }) });
  await queryClient.invalidateQueries({ queryKey: routePrefix(getEnvironmentState) });
}

/** What an alias can be bound to. */
export function useProfiles(projectId: string) {
  return useQuery(routeQuery(listProfiles, { params: { project_id: projectId } }));
}

/** Why this person may not change bindings; undefined when they may, or while it is not known. */
export function useBindingHindrance(projectId: string): string | undefined {
  const me = useMe().data;
  if (me === undefined) {
    return undefined;
  }
  if (me.auth_mode !== 'none') {
    return t('Who runs this studio binds its platforms (specwright studio env).');
  }
  const role = me.projects.find(({ id }) => id === projectId)?.role;
  return role === undefined || role === 'owner'
    ? undefined
    : t('An owner changes environments; your role is {role}.', { role });
}

/** Answers that another binding, or trust in the folder, may change. */
const CHANGED = [
  'list_bindings',
  'list_generations',
  'get_environment_state',
  'list_profiles',
  'get_me',
  'get_portability',
  'preflight_policy',
  'preflight_credential_refs',
  'preflight_draft',
  'govern_stage',
];

/** Reads again what depends on the bindings of a project, or on trust in its folder. */
export async function bindingsChanged(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'studio' && CHANGED.includes(String(queryKey[1])),
  });
}

/** What a person chose of a binding; what is left out stays, or is the usual. */
export interface BindingChoice {
  readonly alias: string;
  readonly profile?: string;
  readonly platform_environment?: string;
  readonly capability_policy?: CapabilityPolicy;
}

/** Binds an alias, or gives a bound one its next generation. */
export async function bindAlias(projectId: string, choice: BindingChoice): Promise<BindingView> {
  const made = await call(createEnvironment, { params: { project_id: projectId }, body: choice });
  await bindingsChanged();
  return made;
}

/** Takes a generation out of use; without one, the whole alias. */
export async function retireAlias(
  projectId: string,
  alias: string,
  generation: number | null,
): Promise<void> {
  const params = { project_id: projectId, alias };
  await call(retireEnvironment, { params, body: { generation } });
  await bindingsChanged();
}

/** What a registry would change; `text` null = what the platform offers. */
export async function lookAtRegistry(
  projectId: string,
  alias: string,
  text: string | null,
): Promise<RegistryChange> {
  const params = { project_id: projectId, alias };
  return await call(previewRegistry, { params, body: { text } });
}

/** Gives an alias its next generation with a registry. */
export async function takeRegistry(
  projectId: string,
  alias: string,
  text: string | null,
): Promise<RegistryChange> {
  const params = { project_id: projectId, alias };
  const change = await call(attachRegistry, { params, body: { text } });
  await bindingsChanged();
  return change;
}
