import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import {
  findLiveBinding,
  insertGeneration,
  listLiveBindings,
  listLiveGenerations,
  retireGeneration,
} from '../environments/environments-repository.ts';
import { LOCAL_PROFILE } from '../environments/platform-connections.ts';
import { newGeneration } from '../environments/template.ts';
import { changeAsOperator, type HostDeps, requireProject } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

/** A binding as an operator words it; what is left out is as before, or as in a new project. */
export interface BindingInput {
  readonly project: string;
  readonly alias: string;
  readonly profile: string;
  readonly platform_environment?: string | undefined;
  readonly transport?: ProjectEnvironmentRow['transport'] | undefined;
  readonly serv_root?: string | undefined;
}

function requireProfile(deps: HostDeps, name: string): void {
  const found = deps.connections.lookUp(name);
  if (!found.ok) throw refuseHost('unknown_profile', found.reason);
}

/**
 * The policy of the installation's own platform follows the trust of each start (decisions 19); for
 * any other it is `strict` and stays.
 */
function freshGeneration(deps: HostDeps, input: BindingInput, root: string) {
  const { project, alias, profile } = input;
  const fresh = newGeneration(deps, project, alias, profile, deps.defaultPolicy(profile, root));
  const made_by: ProjectEnvironmentRow['made_by'] =
    profile === LOCAL_PROFILE ? 'template' : 'person';
  return { ...fresh, made_by };
}

function chosen(input: BindingInput) {
  const { platform_environment, transport, serv_root } = input;
  return {
    ...(platform_environment === undefined ? {} : { platform_environment }),
    ...(transport === undefined ? {} : { transport }),
    ...(serv_root === undefined ? {} : { serv_root }),
    ...(transport === 'remote' ? { serv_root: null } : {}),
  };
}

async function bind(
  deps: HostDeps,
  action: `host.${string}`,
  input: BindingInput,
  previous: (deps: HostDeps) => Promise<Partial<ProjectEnvironmentRow>>,
): Promise<ProjectEnvironmentRow> {
  return changeAsOperator(deps, action, async (deps) => {
    const project = await requireProject(deps, input.project);
    requireProfile(deps, input.profile);
    const kept = await previous(deps);
    const row = { ...freshGeneration(deps, input, project.root), ...kept, ...chosen(input) };
    const answer = await insertGeneration(deps.db, row);
    const { alias, generation } = answer;
    return { answer, project_id: project.id, detail: { alias, generation } };
  });
}

/** Binds another alias. */
export async function addBinding(
  deps: HostDeps,
  input: BindingInput,
): Promise<ProjectEnvironmentRow> {
  return bind(deps, 'host.add_environment', input, async (deps) => {
    const live = await findLiveBinding(deps.db, input.project, input.alias);
    if (live !== undefined) throw refuseHost('alias_bound');
    return {};
  });
}

/** Gives an alias its next generation; artifacts keep theirs. */
export async function rotateBinding(
  deps: HostDeps,
  input: BindingInput,
): Promise<ProjectEnvironmentRow> {
  return bind(deps, 'host.rotate_environment', input, async (deps) => {
    const live = await findLiveBinding(deps.db, input.project, input.alias);
    if (live === undefined) throw refuseHost('unknown_alias');
    const { platform_environment, transport, serv_root, registry_snapshot } = live;
    return { platform_environment, transport, serv_root, registry_snapshot };
  });
}

/** Binds a project that has no live binding. */
export async function rebindProject(
  deps: HostDeps,
  input: BindingInput,
): Promise<ProjectEnvironmentRow> {
  return bind(deps, 'host.rebind_environment', input, async (deps) => {
    const live = await listLiveBindings(deps.db, input.project);
    if (live.length > 0) throw refuseHost('project_bound');
    return {};
  });
}

/** Takes a generation out of use; what is frozen to it still resolves it by its number. */
export async function retireBinding(
  deps: HostDeps,
  input: { readonly project: string; readonly alias: string; readonly generation: number },
): Promise<void> {
  const { alias, generation } = input;
  return changeAsOperator(deps, 'host.retire_environment', async (deps) => {
    const project = await requireProject(deps, input.project);
    const live = await listLiveGenerations(deps.db, project.id);
    if (!live.some((row) => row.alias === alias && row.generation === generation)) {
      throw refuseHost('unknown_generation');
    }
    if (live.length === 1) throw refuseHost('last_live_binding');
    const retired = { project_id: project.id, alias, generation };
    await retireGeneration(deps.db, retired, deps.timestamp());
    return { answer: undefined, project_id: project.id, detail: { alias, generation } };
  });
}
