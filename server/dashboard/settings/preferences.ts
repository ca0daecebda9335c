import type { JsonObject } from '../../kernel/json.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { objectOf } from '../read.ts';
import { putSetting } from './put-setting.ts';
import { findSetting } from './settings-repository.ts';

/** An operator's own settings; what they mean is the window's business. */
export interface Preferences {
  readonly preferences: JsonObject;
  readonly is_default: boolean;
  readonly version: number;
}

/** The operator's settings, empty until they are stored. */
export async function getPreferences(
  deps: DashboardDeps,
  operator: Operator,
): Promise<Preferences> {
  const row = await findSetting(deps.db, 'preferences', operator.identity);
  if (row === undefined) return { preferences: {}, is_default: true, version: 0 };
  return { preferences: objectOf(row.value), is_default: false, version: row.version };
}

/** Replaces the operator's settings. @throws Refusal as putSetting. */
export async function putPreferences(
  deps: DashboardDeps,
  operator: Operator,
  input: { readonly preferences: JsonObject; readonly version: number },
): Promise<Preferences> {
  const row = await putSetting(deps, operator, {
    namespace: 'preferences',
    key: operator.identity,
    value: input.preferences,
    version: input.version,
  });
  return { preferences: objectOf(row.value), is_default: false, version: row.version };
}
