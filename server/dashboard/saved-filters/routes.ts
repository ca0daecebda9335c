import * as contract from '../../contract/dashboard/saved-filters.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import {
  createSavedFilter,
  deleteSavedFilter,
  listSavedFilters,
  updateSavedFilter,
} from './saved-filters.ts';

/** Binds the saved run filters. */
export function registerSavedFilterRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.listSavedFilters, () => listSavedFilters(deps));
  app.implement(contract.createSavedFilter, ({ body }, { principal }) =>
    createSavedFilter(deps, principal, body),
  );
  app.implement(contract.updateSavedFilter, ({ params, body }) =>
    updateSavedFilter(deps, params.filter_id, body),
  );
  app.implement(contract.deleteSavedFilter, async ({ params, query }) => {
    await deleteSavedFilter(deps, params.filter_id, query.version);
    return undefined;
  });
}
