import type BetterSqlite3 from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Json } from '../../kernel/json.ts';
import type { ConfigRow, DashboardTables } from '../../store/dashboard-tables.ts';
import { refuse } from '../refusals.ts';

/** Namespaces of the settings table (contract/dashboard.md 15). */
export type Namespace = 'connections' | 'access' | 'pricing' | 'preferences' | 'meta';

/** A stored setting with its parsed value. */
export interface Setting extends Omit<ConfigRow, 'value'> {
  readonly value: Json;
}

function toSetting(row: ConfigRow): Setting {
  const value: Json = JSON.parse(row.value);
  return { ...row, value };
}

/** A setting with its parsed value. */
export async function findSetting(
  db: Kysely<DashboardTables>,
  namespace: Namespace,
  key: string,
): Promise<Setting | undefined> {
  const row = await db
    .selectFrom('config')
    .selectAll()
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined ? undefined : toSetting(row);
}

/** Settings of a namespace by key. */
export async function listSettings(
  db: Kysely<DashboardTables>,
  namespace: Namespace,
  limit: number,
): Promise<Setting[]> {
  const rows = await db
    .selectFrom('config')
    .selectAll()
    .where('namespace', '=', namespace)
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(toSetting);
}

/** A setting to be written. */
export interface SettingWrite {
  readonly namespace: Namespace;
  readonly key: string;
  readonly value: Json;
  /** 0 creates, n replaces version n. */
  readonly version: number;
  readonly operator: string;
  /** Timestamp. */
  readonly now: string;
}

async function missingOrStale(
  db: Kysely<DashboardTables>,
  namespace: Namespace,
  key: string,
): Promise<Error> {
  const row = await findSetting(db, namespace, key);
  return refuse(row === undefined ? 'not_found' : 'dashboard_state_conflict');
}

/**
 * Writes a setting under its optimistic version.
 * @throws Refusal `dashboard_state_conflict` for a stale version or a create over an existing row,
 * `not_found` for an update of an absent one.
 */
export async function putSetting(
  db: Kysely<DashboardTables>,
  write: SettingWrite,
): Promise<Setting> {
  const { namespace, key, operator, now } = write;
  const value = JSON.stringify(write.value);
  if (write.version === 0) {
    const created = await db
      .insertInto('config')
      .values({
        namespace,
        key,
        value,
        created_by: operator,
        created_at: now,
        updated_at: now,
        version: 1,
      })
      .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (created === undefined) throw refuse('dashboard_state_conflict');
    return toSetting(created);
  }
  const updated = await db
    .updateTable('config')
    .set({ value, updated_at: now, version: write.version + 1 })
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .where('version', '=', write.version)
    .returningAll()
    .executeTakeFirst();
  if (updated === undefined) throw await missingOrStale(db, namespace, key);
  return toSetting(updated);
}

/** Deletes a setting of exactly this version. @throws Refusal as putSetting. */
export async function deleteSetting(
  db: Kysely<DashboardTables>,
  namespace: Namespace,
  key: string,
  version: number,
): Promise<void> {
  const deleted = await db
    .deleteFrom('config')
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .where('version', '=', version)
    .returning('key')
    .executeTakeFirst();
  if (deleted === undefined) throw await missingOrStale(db, namespace, key);
}

/**
 * Writes a setting whatever its version is, for an operator at the store itself; the same value
 * again changes nothing.
 */
export function overwriteSetting(
  sqlite: BetterSqlite3.Database,
  { namespace, key, value, operator, now }: Omit<SettingWrite, 'version'>,
): void {
  sqlite
    .prepare<string[]>(
      `INSERT INTO config (namespace, key, value, created_by, created_at, updated_at, version)
       VALUES (?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (namespace, key) DO UPDATE
       SET value = excluded.value, updated_at = excluded.updated_at, version = version + 1
       WHERE value <> excluded.value`,
    )
    .run(namespace, key, JSON.stringify(value), operator, now, now);
}
