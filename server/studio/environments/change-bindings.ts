import type { ProfileView } from '../../contract/studio/bindings.ts';
import type { BindingView, CapabilityPolicy } from '../../contract/studio/environments.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import {
  findLiveBinding,
  insertGeneration,
  listLiveGenerations,
  retireGeneration,
} from './environments-repository.ts';
import { toBindingView } from './generations.ts';
import { LOCAL_PROFILE } from './platform-connections.ts';
import { newGeneration } from './template.ts';

/** What a person says of a binding; what is left out is as in the live generation, else as in a new project. */
export interface BindingChoice {
  readonly alias: string;
  readonly profile?: string | undefined;
  readonly platform_environment?: string | undefined;
  readonly capability_policy?: CapabilityPolicy | undefined;
}

/** Where people sign in, who runs the studio binds its platforms. @throws Refusal `bound_by_operator`. */
export function requireOwnStudio({ config }: Pick<StudioDeps, 'config'>): void {
  if (config.authMode !== 'none') throw refuse('bound_by_operator');
}

function nextGeneration(
  deps: StudioDeps,
  { project }: Member,
  choice: BindingChoice,
  live: ProjectEnvironmentRow | undefined,
): Omit<ProjectEnvironmentRow, 'generation'> {
  const profile = choice.profile ?? live?.profile_name;
  if (profile === undefined) throw refuse('unknown_alias');
  const found = deps.connections.lookUp(profile);
  if (!found.ok) throw refuse('environment_unavailable', { message: found.reason });
  const same = live?.profile_name === profile ? live : undefined;
  const { capability_policy: chosen = same?.capability_policy } = choice;
  const policy = chosen ?? deps.defaultPolicy(profile, project.root);
  const fresh = newGeneration(deps, project.id, choice.alias, profile, policy);
  const follows = choice.capability_policy === undefined && profile === LOCAL_PROFILE;
  return {
    ...fresh,
    platform_environment:
      choice.platform_environment ?? live?.platform_environment ?? fresh.platform_environment,
    registry_snapshot: live?.registry_snapshot ?? fresh.registry_snapshot,
    ...(same === undefined
      ? {}
      : {
          transport: same.transport,
          serv_root: same.serv_root,
          secret_ref_namespace: same.secret_ref_namespace,
          host_allowlist: same.host_allowlist,
          platform_egress: same.platform_egress,
          max_inline_spec_bytes: same.max_inline_spec_bytes,
        }),
    made_by: follows ? (same?.made_by ?? 'template') : 'person',
  };
}

/** Binds an alias, or gives a bound one its next generation; artifacts keep theirs. */
export async function createEnvironment(
  deps: StudioDeps,
  member: Member,
  choice: BindingChoice,
): Promise<BindingView> {
  requireOwnStudio(deps);
  const { project } = member;
  const row = await inTransaction(deps.db, async (trx) => {
    const live = await findLiveBinding(trx, project.id, choice.alias);
    const inserted = await insertGeneration(trx, nextGeneration(deps, member, choice, live));
    const { alias, generation } = inserted;
    await recordAct(deps, trx, member, 'create_environment', { alias, generation });
    return inserted;
  });
  return toBindingView(deps, row);
}

/**
 * Takes one generation, or all of an alias, out of use. What is frozen to it still runs there; the one
 * before answers for the alias again, if it is not retired.
 */
export async function retireEnvironment(
  deps: StudioDeps,
  member: Member,
  alias: string,
  generation: number | null,
): Promise<void> {
  requireOwnStudio(deps);
  const { project } = member;
  await inTransaction(deps.db, async (trx) => {
    const live = await listLiveGenerations(trx, project.id);
    const ofAlias = live.filter((row) => row.alias === alias);
    if (ofAlias.length === 0) throw refuse('unknown_alias');
    const gone = ofAlias.filter((row) => generation === null || row.generation === generation);
    if (gone.length === 0) throw refuse('generation_not_found');
    if (gone.length === live.length) throw refuse('last_live_binding');
    for (const row of gone) {
      await retireGeneration(trx, { project_id: project.id, ...row }, deps.timestamp());
    }
    const generations = gone.map((row) => row.generation);
    await recordAct(deps, trx, member, 'retire_environment', { alias, generations });
  });
}

/** What an alias can be bound to: the own platform, and each profile of the file. */
export function listProfiles(deps: StudioDeps): ProfileView[] {
  requireOwnStudio(deps);
  return deps.connections.profileNames().map((name) => {
    const found = deps.connections.lookUp(name);
    return {
      name,
      own: name === LOCAL_PROFILE,
      url: found.ok ? found.profile.url : '',
      problem: found.ok ? null : found.reason,
    };
  });
}
