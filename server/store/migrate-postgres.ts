import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { ExternalDatabase } from '../contract/database.ts';
import {
  type Applied,
  failedMigration,
  type Migration,
  pendingOf,
  readMigrations,
  refuseIncompatible,
  refuseUnknown,
} from './migration-files.ts';
import { mustRepeat, PostgresError, toPostgresError, unnamedPooler } from './postgres-error.ts';
import { StoreError } from './store-error.ts';

interface MigrateOptions {
  readonly store: string;
  /** Folder of `NNNN_what.sql`. */
  readonly folder: string;
  /** Timestamp. */
  readonly now: string;
  readonly locks: ExternalDatabase['locks'];
  readonly pooler: boolean;
}

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  requires INTEGER
)`;
/** For a ledger that was made without its last column. */
const WIDER_LEDGER = 'ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS requires INTEGER';
const LOCK_TABLE = 'schema_migrations_lock';
const MIN_VERSION = 14;
/** Of the server's number for its version, such as 140009. */
const VERSION_STEP = 10_000;
/** Nodes that start at once may meet in the catalog before they meet at the lock. */
const TRIES = 10;
const MET = new Set(['23505', '42P07', '42710']);

/** Refuses servers that lack what statements rely on, and a pooler that nobody spoke of. */
async function refuseServer(client: PoolClient, store: string, pooler: boolean): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; pid: number }>(
    `SELECT current_setting('server_version_num') AS version,
            current_setting('server_encoding') AS encoding, pg_backend_pid() AS pid`,
  );
  const { version = '0', encoding = '', pid } = rows[0] ?? {};
  // A pooler gives each connection a number of its own.
  if (!pooler && 'processID' in client && client.processID !== pid) throw unnamedPooler(store);
  if (Math.floor(Number(version) / VERSION_STEP) < MIN_VERSION) {
    throw new StoreError(
      'store_unsupported',
      `The ${store} database needs PostgreSQL ${MIN_VERSION} or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(
      'store_unsupported',
      `The ${store} database must have the encoding UTF8. Create it with ENCODING 'UTF8'.`,
    );
  }
}

async function hasTable(client: PoolClient, like: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND ${like} LIMIT 1`,
  );
  return rows.length > 0;
}

async function readApplied(client: PoolClient): Promise<Applied[]> {
  if (!(await hasTable(client, "table_name = 'schema_migrations'"))) return [];
  const { rows } = await client.query<Applied>('SELECT * FROM schema_migrations ORDER BY version');
  return rows;
}

/** Each service has a database of its own: names of their tables are the same. */
function refuseForeign(
  store: string,
  applied: readonly Applied[],
  known: readonly Migration[],
  holdsTables: boolean,
): void {
  const [first] = applied;
  const isForeign = first === undefined ? holdsTables : first.sha256 !== known[0]?.sha256;
  if (!isForeign) return;
  throw new StoreError(
    'store_corrupt',
    `The ${store} database holds tables that are not this service's. Give each service an empty ` +
      'database of its own.',
  );
}

/** A number of a purpose's own among the locks of a database. */
export function lockKey(purpose: string): string {
  return createHash('sha256').update(`specwright ${purpose}`).digest().readBigInt64BE(0).toString();
}

async function makeLockRow(client: PoolClient): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS ${LOCK_TABLE} (id INTEGER PRIMARY KEY)`);
  await client.query(`INSERT INTO ${LOCK_TABLE} (id) VALUES (1) ON CONFLICT (id) DO NOTHING`);
}

/** Held to the end of the transaction, so that it also works behind a pooler of transactions. */
async function takeLock(client: PoolClient, { store, locks }: MigrateOptions): Promise<void> {
  if (locks === 'advisory') {
    await client.query('SELECT pg_advisory_xact_lock($1::bigint)', [lockKey(store)]);
    return;
  }
  await client.query(`SELECT id FROM ${LOCK_TABLE} WHERE id = 1 FOR UPDATE`);
}

/** True for a database that a copy is under way into. */
function isHalfCopied(client: PoolClient): Promise<boolean> {
  return hasTable(client, "table_name = 'store_copy'");
}

async function check(client: PoolClient, store: string, known: readonly Migration[]) {
  // Before the ledger, which another node makes together with its tables.
  const holdsTables = await hasTable(client, `table_name <> '${LOCK_TABLE}'`);
  const applied = await readApplied(client);
  refuseForeign(store, applied, known, holdsTables);
  refuseIncompatible(store, applied, known);
  return { applied, pending: pendingOf(applied, known) };
}

async function applyOne(
  client: PoolClient,
  migration: Migration,
  { store, now }: MigrateOptions,
): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO schema_migrations (version, name, sha256, applied_at, requires)
       VALUES ($1, $2, $3, $4, $5)`,
      [migration.version, migration.name, migration.sha256, now, migration.requires],
    );
  } catch (error) {
    const known = toPostgresError(error);
    if (mustRepeat(known)) throw known;
    throw failedMigration(store, migration, known);
  }
}

/** All steps that are missing, in one transaction: a failure keeps none of them. */
async function applyPending(
  client: PoolClient,
  options: MigrateOptions,
  known: readonly Migration[],
): Promise<void> {
  if (options.locks === 'rows') await makeLockRow(client);
  await client.query('BEGIN');
  try {
    // Steps over large tables take their time.
    await client.query('SET LOCAL statement_timeout = 0');
    await takeLock(client, options);
    // Another node may have taken them while this one waited.
    const { pending } = await check(client, options.store, known);
    if (pending.length > 0) {
      await client.query(LEDGER);
      await client.query(WIDER_LEDGER);
    }
    for (const migration of pending) {
      await applyOne(client, migration, options);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function hasMet(error: unknown): boolean {
  const known = toPostgresError(error);
  return known instanceof PostgresError && (mustRepeat(known) || MET.has(known.code));
}

/** How far an external database is, which is not changed by the look. */
export interface PostgresState {
  readonly isEmpty: boolean;
  /** It has every migration of this program. */
  readonly isNewest: boolean;
  readonly isHalfCopied: boolean;
}

/**
 * Looks at an external database.
 * @throws StoreError as `migratePostgres`
 */
export async function readPostgresState(
  pool: Pool,
  { store, folder, pooler }: Pick<MigrateOptions, 'store' | 'folder' | 'pooler'>,
): Promise<PostgresState> {
  const known = readMigrations(folder, store);
  const client = await pool.connect();
  try {
    await refuseServer(client, store, pooler);
    const { applied, pending } = await check(client, store, known);
    refuseUnknown(store, applied, known);
    return {
      isEmpty: pending.length === known.length,
      isNewest: pending.length === 0,
      isHalfCopied: await isHalfCopied(client),
    };
  } finally {
    client.release();
  }
}

/**
 * Brings an external database to the newest schema: forward only, in order, all or nothing, by one
 * node at a time. Answers its number. Steps of a newer program stay, where it says that this one works
 * with them.
 * @throws StoreError `store_unsupported`, `store_newer`, `migration_edited`, `store_corrupt` (nothing
 * written) or `migration_failed`.
 */
export async function migratePostgres(pool: Pool, options: MigrateOptions): Promise<number> {
  const known = readMigrations(options.folder, options.store);
  const client = await pool.connect();
  try {
    await refuseServer(client, options.store, options.pooler);
    const { pending } = await check(client, options.store, known);
    if (await isHalfCopied(client)) {
      throw new StoreError(
        'store_half_copied',
        `A copy into the ${options.store} database did not end. Copy again with the same source, ` +
          'which goes on where it was, or name an empty database.',
      );
    }
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      try {
        await applyPending(client, options, known);
        break;
      } catch (error) {
        if (attempt >= TRIES || !hasMet(error)) throw error;
      }
    }
    return known.at(-1)?.version ?? 0;
  } finally {
    client.release();
  }
}
