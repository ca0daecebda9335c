import { getEstate } from '../../contract/studio/estate.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readEstate } from './read-estate.ts';

/** Binds the route of the map of a project. */
export function registerEstateRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getEstate, (_input, context) => readEstate(deps, memberOf(context).project));
}
