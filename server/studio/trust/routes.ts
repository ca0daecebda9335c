import * as contract from '../../contract/studio/trust.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { setTrust, trustOf } from './project-trust.ts';

/** Binds the trust question of a project. */
export function registerTrustRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.getTrust, (_input, context) => trustOf(deps, memberOf(context).project));
  app.implement(contract.trustProject, (_input, context) =>
    setTrust(deps, memberOf(context), true),
  );
  app.implement(contract.revokeTrust, (_input, context) =>
    setTrust(deps, memberOf(context), false),
  );
}
