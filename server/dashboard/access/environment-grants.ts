import type { DashboardDeps, Operator } from '../deps.ts';
import type { Db } from '../handle.ts';
import { objectOf, textsOf } from '../read.ts';
import { refuse } from '../refusals.ts';
import { putSetting } from '../settings/put-setting.ts';
import { findSetting } from '../settings/settings-repository.ts';
import { isRole, type Role } from './capabilities.ts';

/** Role → environments, as stored. */
export interface EnvironmentGrants {
  readonly environments: Record<string, string[]>;
  readonly is_default: boolean;
  readonly version: number;
}

const KEY = 'environments';
const EVERY = '*';

function grantsOf(value: unknown): Record<string, string[]> {
  const entries = Object.entries(objectOf(value)).filter(([role]) => isRole(role));
  return Object.fromEntries(
    entries.map(([role, names]) => [role, [...new Set(textsOf(names))].sort()]),
  );
}

/** The stored grants; none of them means that every role may use every environment. */
export async function getEnvironmentGrants(db: Db): Promise<EnvironmentGrants> {
  const row = await findSetting(db, 'access', KEY);
  if (row === undefined) return { environments: {}, is_default: true, version: 0 };
  return { environments: grantsOf(row.value), is_default: false, version: row.version };
}

/** Replaces the grants. @throws Refusal `bad_request` for an unknown role. */
export async function putEnvironmentGrants(
  deps: DashboardDeps,
  operator: Operator,
  input: { readonly environments: Record<string, string[]>; readonly version: number },
): Promise<EnvironmentGrants> {
  if (!Object.keys(input.environments).every(isRole)) {
    throw refuse('bad_request', { message: 'The grants name an unknown role.' });
  }
  const environments = grantsOf(input.environments);
  const row = await putSetting(deps, operator, {
    namespace: 'access',
    key: KEY,
    value: environments,
    version: input.version,
  });
  return { environments, is_default: false, version: row.version };
}

/** The environments a role may use; null = all of them (contract/dashboard.md 6). */
export function environmentsOf(role: Role, grants: EnvironmentGrants): readonly string[] | null {
  if (role === 'admin') return null;
  const list = grants.environments[role];
  return list === undefined || list.includes(EVERY) ? null : list;
}

/**
 * Refuses an environment that the role may not use; a restricted role must name one.
 * @throws Refusal `forbidden`.
 */
export function requireEnvironment(
  allowed: readonly string[] | null,
  environment: string | null,
): void {
  if (allowed === null) return;
  if (environment === null) {
    throw refuse('forbidden', { message: 'Choose an environment; your role is limited to some.' });
  }
  if (!allowed.includes(environment)) {
    throw refuse('forbidden', { message: 'Your role may not use this environment.' });
  }
}
