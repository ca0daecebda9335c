import * as contract from '../../contract/dashboard/settings.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { type AccessMap, getAccessMap, putAccessMap } from '../access/access-map.ts';
import { getEnvironmentGrants, putEnvironmentGrants } from '../access/environment-grants.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { deleteConnection, listConnections, putConnection } from './connections.ts';
import { getPreferences, putPreferences } from './preferences.ts';
import { getPriceBook, putPriceBook, toPriceView } from './pricing.ts';

function toAccessView(map: AccessMap) {
  const { viewer, operator, admin } = map.capabilities;
  return {
    capabilities: { viewer: [...viewer], operator: [...operator], admin: [...admin] },
    is_default: map.is_default,
    version: map.version,
  };
}

function registerAccess(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getAccess, async () => toAccessView(await getAccessMap(deps.db)));
  app.implement(contract.putAccess, async ({ body }, { principal }) => {
    const facts = { action: 'settings.access.put' as const, target: 'default' };
    return toAccessView(
      await audited(deps.audit, principal, facts, () => putAccessMap(deps, principal, body)),
    );
  });
  app.implement(contract.getEnvironmentGrants, () => getEnvironmentGrants(deps.db));
  app.implement(contract.putEnvironmentGrants, ({ body }, { principal }) => {
    const facts = { action: 'settings.access.environments.put' as const, target: 'environments' };
    return audited(deps.audit, principal, facts, () => putEnvironmentGrants(deps, principal, body));
  });
}

function registerConnections(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.listConnections, (_input, { principal }) =>
    listConnections(deps, principal),
  );
  app.implement(contract.putConnection, ({ params, body }, { principal }) => {
    const { env } = params;
    const facts = { action: 'settings.connections.put' as const, target: env, environment: env };
    return audited(deps.audit, principal, facts, () => putConnection(deps, principal, env, body));
  });
  app.implement(contract.deleteConnection, async ({ params, query }, { principal }) => {
    const { env } = params;
    const facts = { action: 'settings.connections.delete' as const, target: env, environment: env };
    await audited(deps.audit, principal, facts, () => deleteConnection(deps, env, query.version));
    return undefined;
  });
}

function registerOwnSettings(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getPreferences, (_input, { principal }) =>
    getPreferences(deps, principal),
  );
  app.implement(contract.putPreferences, ({ body }, { principal }) => {
    const facts = { action: 'settings.preferences.put' as const, target: principal.identity };
    return audited(deps.audit, principal, facts, () => putPreferences(deps, principal, body));
  });
  app.implement(contract.getPricing, async () => toPriceView(await getPriceBook(deps.db)));
  app.implement(contract.putPricing, async ({ body }, { principal }) => {
    const facts = { action: 'settings.pricing.put' as const, target: 'default' };
    return toPriceView(
      await audited(deps.audit, principal, facts, () => putPriceBook(deps, principal, body)),
    );
  });
}

/** Binds access, grants, connections, preferences and prices. */
export function registerSettingsRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  registerAccess(app, deps);
  registerConnections(app, deps);
  registerOwnSettings(app, deps);
}
