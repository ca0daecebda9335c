import * as bindings from '../../contract/studio/bindings.ts';
import * as contract from '../../contract/studio/environments.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { createEnvironment, listProfiles, retireEnvironment } from './change-bindings.ts';
import { readEnvironmentState } from './environment-state.ts';
import { listLiveBindings } from './environments-repository.ts';
import { listGenerations, toBindingView } from './generations.ts';
import {
  draftPreflight,
  readCredentials,
  readNeeds,
  readPolicy,
  refuseOverrides,
} from './preflight.ts';
import { attachRegistry, previewRegistry } from './registry.ts';

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
  registerBindingRoutes(app, deps);
}

/** What the window adds to them. */
function registerBindingRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(bindings.listGenerations, (_input, context) =>
    listGenerations(deps, memberOf(context).project.id),
  );
  app.implement(bindings.getEnvironmentState, ({ params }, context) =>
    readEnvironmentState(deps, memberOf(context).project, params.alias, context.signal),
  );
  app.implement(bindings.listProfiles, () => listProfiles(deps));
  app.implement(bindings.retireEnvironment, async ({ params, body }, context) => {
    await retireEnvironment(deps, memberOf(context), params.alias, body.generation);
    return undefined;
  });
  app.implement(bindings.previewRegistry, ({ params, body }, context) =>
    previewRegistry(deps, memberOf(context).project, params.alias, body.text, context.signal),
  );
  app.implement(bindings.attachRegistry, ({ params, body }, context) =>
    attachRegistry(deps, memberOf(context), params.alias, body.text, context.signal),
  );
  app.implement(bindings.getArtifactNeeds, ({ params }, context) =>
    readNeeds(deps, memberOf(context).project, params.artifact_id),
  );
  app.implement(bindings.preflightDraft, ({ body }, context) =>
    draftPreflight(deps, memberOf(context).project, body, context.signal),
  );
}
