import type { DashboardDeps, Operator } from '../deps.ts';
import type { Db } from '../handle.ts';
import { objectOf, textsOf } from '../read.ts';
import { refuse } from '../refusals.ts';
import { putSetting } from '../settings/put-setting.ts';
import { findSetting } from '../settings/settings-repository.ts';
import {
  type Capability,
  type CapabilityMap,
  DEFAULT_CAPABILITIES,
  isCapability,
  isRole,
  ROLES,
  type Role,
} from './capabilities.ts';

/** The map in force. */
export interface AccessMap {
  readonly capabilities: CapabilityMap;
  readonly is_default: boolean;
  readonly version: number;
}

const KEY = 'default';

function mapOf(value: unknown): CapabilityMap {
  const stored = objectOf(value);
  const listOf = (role: Role): Capability[] =>
    [...new Set(textsOf(stored[role]))].filter(isCapability).sort();
  return { viewer: listOf('viewer'), operator: listOf('operator'), admin: listOf('admin') };
}

/** The stored map, else the built-in one; read per request, so that a change acts at once. */
export async function getAccessMap(db: Db): Promise<AccessMap> {
  const row = await findSetting(db, 'access', KEY);
  if (row === undefined)
    return { capabilities: DEFAULT_CAPABILITIES, is_default: true, version: 0 };
  return { capabilities: mapOf(row.value), is_default: false, version: row.version };
}

/**
 * Checks a map of role → capability names.
 * @throws Refusal `bad_request` for an unknown role or capability, or an admin without settings.write.
 */
export function checkCapabilityMap(
  input: Readonly<Record<string, readonly string[]>>,
): CapabilityMap {
  for (const [role, names] of Object.entries(input)) {
    if (!isRole(role)) throw refuse('bad_request', { message: 'The map names an unknown role.' });
    if (!names.every(isCapability)) {
      throw refuse('bad_request', { message: 'The map names an unknown capability.' });
    }
  }
  const map = mapOf(input);
  if (!map.admin.includes('settings.write')) {
    throw refuse('bad_request', { message: 'The role admin must keep settings.write.' });
  }
  return map;
}

/** Replaces the map; its version counts every write. */
export async function putAccessMap(
  deps: DashboardDeps,
  operator: Operator,
  input: { readonly capabilities: Record<string, string[]>; readonly version: number },
): Promise<AccessMap> {
  const map = checkCapabilityMap(input.capabilities);
  const stored = Object.fromEntries(ROLES.map((role) => [role, [...map[role]]]));
  const row = await putSetting(deps, operator, {
    namespace: 'access',
    key: KEY,
    value: stored,
    version: input.version,
  });
  return { capabilities: map, is_default: false, version: row.version };
}
