import { toTimestamp } from '../../kernel/timestamp.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import type { Db } from '../handle.ts';
import { refuse } from '../refusals.ts';
import { requireChanged } from '../versioned-row.ts';
import {
  findSetting,
  insertSetting,
  type Namespace,
  removeSetting,
  replaceSetting,
  type Setting,
  type SettingWrite,
} from './settings-repository.ts';

/** What an operator writes: version 0 creates, n replaces version n. */
export type SettingInput = Pick<SettingWrite, 'namespace' | 'key' | 'value'> & {
  readonly version: number;
};

/**
 * Writes a setting under its optimistic version.
 * @throws Refusal `dashboard_state_conflict` for a stale version or a create over an existing row,
 * `not_found` for an update of an absent one.
 */
export async function putSetting(
  { db, clock }: Pick<DashboardDeps, 'db' | 'clock'>,
  operator: Operator,
  { version, ...setting }: SettingInput,
): Promise<Setting> {
  const write = { ...setting, operator: operator.identity, now: toTimestamp(clock.now()) };
  if (version === 0) {
    const created = await insertSetting(db, write);
    if (created === undefined) throw refuse('dashboard_state_conflict');
    return created;
  }
  return requireChanged(await replaceSetting(db, version, write), () =>
    findSetting(db, write.namespace, write.key),
  );
}

/** Deletes a setting of exactly this version. @throws Refusal as putSetting. */
export async function deleteSetting(
  db: Db,
  namespace: Namespace,
  key: string,
  version: number,
): Promise<void> {
  const removed = await removeSetting(db, namespace, key, version);
  await requireChanged(removed, () => findSetting(db, namespace, key));
}
