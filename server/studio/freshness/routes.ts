import { getFreshness, getProjectFreshness } from '../../contract/studio/freshness.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readFreshness, readProjectFreshness } from './read-freshness.ts';

/** Binds the routes of freshness. */
export function registerFreshnessRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getFreshness, ({ params }, context) =>
    readFreshness(deps, memberOf(context).project, params.artifact_id),
  );
  app.implement(getProjectFreshness, (_input, context) =>
    readProjectFreshness(deps, memberOf(context).project),
  );
}
