import * as contract from '../../contract/studio/environments.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import { recordAct } from '../audit/record-audit.ts';
import { type Member, memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { insertGeneration, listLiveBindings } from './environments-repository.ts';
import { readCredentials, readPolicy, refuseOverrides } from './preflight.ts';
import { newGeneration } from './template.ts';

function toBindingView(deps: StudioDeps, row: ProjectEnvironmentRow): contract.BindingView {
  return {
    alias: row.alias,
    generation: row.generation,
    platform_environment: row.platform_environment,
    transport: row.transport,
    platform_egress: row.platform_egress,
    capability_policy: row.capability_policy,
    profile_state: deps.connections.lookUp(row.profile_name).ok ? 'available' : 'unavailable',
  };
}

interface NewEnvironment {
  readonly alias: string;
  readonly profile: string;
  readonly platform_environment: string;
  readonly capability_policy: contract.CapabilityPolicy;
}

async function createEnvironment(
  deps: StudioDeps,
  member: Member,
  input: NewEnvironment,
): Promise<contract.BindingView> {
  const { project } = member;
  const found = deps.connections.lookUp(input.profile);
  if (!found.ok) throw refuse('environment_unavailable', { message: found.reason });
  const row = await deps.db.transaction().execute(async (trx) => {
    const fresh = newGeneration(
      deps,
      project.id,
      input.alias,
      input.profile,
      input.capability_policy,
    );
    const platform_environment = input.platform_environment;
    const chosen = { platform_environment, made_by: 'person' } as const;
    const inserted = await insertGeneration(trx, { ...fresh, ...chosen });
    await recordAct(deps, trx, member, 'create_environment', {
      alias: input.alias,
      generation: inserted.generation,
    });
    return inserted;
  });
  return toBindingView(deps, row);
}

/** Binds the routes of environments, bindings and preflight. */
export function registerEnvironmentRoutes(app: StudioApp, deps: StudioDeps): void {
  const notBuilt = () => {
    throw refuse('not_implemented');
  };
  app.implement(contract.listEnvironments, async (_input, context) => {
    const rows = await listLiveBindings(deps.db, memberOf(context).project.id);
    return rows.map((row) => {
      const found = deps.connections.lookUp(row.profile_name);
      return { alias: row.alias, url: found.ok ? found.profile.url : '' };
    });
  });
  app.implement(contract.listBindings, async (_input, context) => {
    const rows = await listLiveBindings(deps.db, memberOf(context).project.id);
    return rows.map((row) => toBindingView(deps, row));
  });
  app.implement(contract.createEnvironment, ({ body }, context) =>
    createEnvironment(deps, memberOf(context), body),
  );
  app.implement(contract.preflightPolicy, ({ params }, context) => {
    refuseOverrides(context.raw.query);
    return readPolicy(deps, memberOf(context).project, params.artifact_id, context.signal);
  });
  app.implement(contract.preflightCredentialRefs, ({ params }, context) => {
    refuseOverrides(context.raw.query);
    return readCredentials(deps, memberOf(context).project, params.artifact_id, context.signal);
  });
  app.implement(contract.getEnvironmentPolicy, notBuilt);
  app.implement(contract.getEnvironmentCredentialRefs, notBuilt);
}
