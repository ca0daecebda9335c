import type { FastifyRequest } from 'fastify';
import type { Route } from '../contract/route.ts';
import { getAccessMap } from './access/access-map.ts';
import { isCapability, type Role } from './access/capabilities.ts';
import {
  environmentsOf,
  getEnvironmentGrants,
  requireEnvironment,
} from './access/environment-grants.ts';
import type { DashboardDeps, Operator } from './deps.ts';
import type { Db } from './handle.ts';
import { objectOf, textOrNull } from './read.ts';
import { inRecovery } from './recovery/recovery-repository.ts';
import { refuse } from './refusals.ts';
import { findSetting, listSettings } from './settings/settings-repository.ts';

/** Everybody, where nobody signs in. */
export const STATIC_IDENTITY = 'static-operator';

/** Who is at the other end, before any authorization. */
export interface Identity {
  readonly identity: string;
  readonly role: Role;
}

const ALWAYS_OPEN: ReadonlySet<string> = new Set([
  'login',
  'loginCallback',
  'getLivez',
  'getReadyz',
  'getHealthz',
]);

function activeEnvironment(request: FastifyRequest): string | null {
  const header = request.headers['x-kneo-env'];
  const fromHeader = (Array.isArray(header) ? header[0] : header)?.trim();
  if (fromHeader !== undefined && fromHeader !== '') return fromHeader;
  const raw = objectOf(request.query)['env'];
  const fromQuery = textOrNull(Array.isArray(raw) ? raw.at(-1) : raw)?.trim();
  return fromQuery === undefined || fromQuery === '' ? null : fromQuery;
}

/** The profile of an environment; null = the default connection. */
async function profileOf(db: Db, environment: string | null): Promise<string | null> {
  if (environment === null) return null;
  const row = await findSetting(db, 'connections', environment);
  if (row !== undefined) return textOrNull(objectOf(row.value)['profile']);
  const others = await listSettings(db, 'connections', 1);
  if (others.length === 0) return null;
  throw refuse('bad_request', { message: 'The environment is not known here.' });
}

/** A principal for routes that anybody may call. It reaches no platform. */
function anonymous(): Operator {
  return {
    identity: 'anonymous',
    role: 'viewer',
    capabilities: [],
    environments: [],
    environment: null,
    platform: () => {
      throw refuse('unauthorized');
    },
    platformAddress: () => null,
  };
}

/**
 * Resolves who asks and checks, in this order: recovery, session, environment known, environment
 * allowed, capability (contract/dashboard.md 3). Only a missing capability leaves an audit row.
 */
export async function resolveOperator(
  deps: DashboardDeps,
  identify: (request: FastifyRequest) => Promise<Identity> | Identity,
  route: Route,
  request: FastifyRequest,
): Promise<Operator> {
  if (ALWAYS_OPEN.has(route.id)) return anonymous();
  if (await inRecovery(deps.db)) {
    throw refuse('service_unavailable', {
      message:
        'The dashboard is locked down after a restore. An operator ends that with "specwright dashboard recover --reconcile".',
    });
  }
  if (route.access === null) return anonymous();
  const { identity, role } = await identify(request);
  const access = await getAccessMap(deps.db);
  const environments = environmentsOf(role, await getEnvironmentGrants(deps.db));
  const environment = activeEnvironment(request);
  let profile: string | null = null;
  if (route.meta['platform'] === true) {
    profile = await profileOf(deps.db, environment);
    requireEnvironment(environments, environment);
  }
  const capabilities = access.capabilities[role];
  await requireCapability(deps, identity, capabilities, route, request);
  return {
    identity,
    role,
    capabilities,
    environments,
    environment,
    platform: () => deps.platforms.clientOf(profile),
    platformAddress: () => deps.platforms.addressOf(profile),
  };
}

async function requireCapability(
  deps: DashboardDeps,
  identity: string,
  held: readonly string[],
  route: Route,
  request: FastifyRequest,
): Promise<void> {
  const needed = route.access;
  if (needed === null || !isCapability(needed) || held.includes(needed)) return;
  await deps.audit.append({
    operator: identity,
    action: needed,
    environment: null,
    target: request.originalUrl.split('?')[0] ?? request.originalUrl,
    outcome: 'denied',
  });
  throw refuse('forbidden');
}
