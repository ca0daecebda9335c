import type BetterSqlite3 from 'better-sqlite3';
import type { Json } from '../../kernel/json.ts';
import type { ConfigRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** Namespaces of the settings table (contract/dashboard.md 15). */
export type Namespace = 'connections' | 'access' | 'pricing' | 'preferences' | 'meta';

/** A stored setting with its parsed value. */
export interface Setting extends Omit<ConfigRow, 'value'> {
  readonly value: Json;
}

/** A setting to be written. */
export interface SettingWrite {
  readonly namespace: Namespace;
  readonly key: string;
  readonly value: Json;
  readonly operator: string;
  /** Timestamp. */
  readonly now: string;
}

function toSetting(row: ConfigRow): Setting {
  const value: Json = JSON.parse(row.value);
  return { ...row, value };
}

/** A setting of any version. */
export async function findSetting(
  db: Db,
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
  db: Db,
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

/** Adds a setting as version 1; undefined when there is one already. */
export async function insertSetting(
  db: Db,
  { namespace, key, value, operator, now }: SettingWrite,
): Promise<Setting | undefined> {
  const created = await db
    .insertInto('config')
    .values({
      namespace,
      key,
      value: JSON.stringify(value),
      created_by: operator,
      created_at: now,
      updated_at: now,
      version: 1,
    })
    .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return created === undefined ? undefined : toSetting(created);
}

/** Replaces a setting of exactly this version by the next one; undefined when there is no such setting. */
export async function replaceSetting(
  db: Db,
  version: number,
  { namespace, key, value, now }: SettingWrite,
): Promise<Setting | undefined> {
  const updated = await db
    .updateTable('config')
    .set({ value: JSON.stringify(value), updated_at: now, version: version + 1 })
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  return updated === undefined ? undefined : toSetting(updated);
}

/** Removes a setting of exactly this version; undefined when there is no such setting. */
export async function removeSetting(
  db: Db,
  namespace: Namespace,
  key: string,
  version: number,
): Promise<Pick<ConfigRow, 'key'> | undefined> {
  return db
    .deleteFrom('config')
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .where('version', '=', version)
    .returning('key')
    .executeTakeFirst();
}

/** The stored text of a setting, for an operator at the store itself. */
export function readSettingText(
  sqlite: BetterSqlite3.Database,
  namespace: Namespace,
  key: string,
): string | undefined {
  return sqlite
    .prepare<[string, string], string>('SELECT value FROM config WHERE namespace = ? AND key = ?')
    .pluck()
    .get(namespace, key);
}

/** The stored texts of a namespace by key, for an operator at the store itself. */
export function listSettingTexts(
  sqlite: BetterSqlite3.Database,
  namespace: Namespace,
): Pick<ConfigRow, 'key' | 'value'>[] {
  return sqlite
    .prepare<[string], Pick<ConfigRow, 'key' | 'value'>>(
      'SELECT key, value FROM config WHERE namespace = ? ORDER BY key',
    )
    .all(namespace);
}

/**
 * Writes a setting whatever its version is, for an operator at the store itself; the same value
 * again changes nothing.
 */
export function overwriteSetting(
  sqlite: BetterSqlite3.Database,
  { namespace, key, value, operator, now }: SettingWrite,
): void {
  sqlite
    .prepare<string[]>(
      `INSERT INTO config (namespace, key, value, created_by, created_at, updated_at, version)
       VALUES (?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (namespace, key) DO UPDATE
       SET value = excluded.value, updated_at = excluded.updated_at, version = config.version + 1
       WHERE config.value <> excluded.value`,
    )
    .run(namespace, key, JSON.stringify(value), operator, now, now);
}

/** Removes every setting of a namespace, for an operator at the store itself. */
export function removeSettings(sqlite: BetterSqlite3.Database, namespace: Namespace): void {
  sqlite.prepare<[string]>('DELETE FROM config WHERE namespace = ?').run(namespace);
}
