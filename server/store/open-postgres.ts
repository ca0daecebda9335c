import { Kysely } from 'kysely';
import type { ExternalDatabase } from '../contract/database.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { postgresMigrations } from './migration-files.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { toOpenError } from './postgres-error.ts';
import { openPool } from './postgres-pool.ts';
import { hasPostgresRoom } from './postgres-room.ts';
import type { StoreName } from './store-step.ts';

/** An open, migrated store in an external database. */
export interface ExternalStore<Tables> {
  readonly db: Kysely<Tables>;
  readonly schemaVersion: number;
  /** False while the server does not answer or takes no writes: its disk is full, or it follows another. */
  hasRoom(): Promise<boolean>;
  /** Resolves once every connection is closed. */
  close(): Promise<void>;
}

interface OpenOptions {
  readonly name: StoreName;
  readonly external: ExternalDatabase;
  /** Folder of the migrations of the store that is a file; those of PostgreSQL stand beside it. */
  readonly migrations: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Is told of a connection that broke while nobody used it. */
  lost?(): void;
}

/**
 * Opens an external database and migrates it forward; nodes that start at once migrate it once.
 * @throws StoreError with what to do, without the address; StartRefusal for a file of authorities
 * that cannot be read.
 */
export async function openPostgres<Tables>(options: OpenOptions): Promise<ExternalStore<Tables>> {
  const { name, external, migrations, now, lost } = options;
  const pool = openPool(external, () => lost?.());
  try {
    const schemaVersion = await migratePostgres(pool, {
      store: name,
      folder: postgresMigrations(migrations),
      now: toTimestamp(now()),
      locks: external.locks,
      pooler: external.pooler,
    });
    const db = new Kysely<Tables>({ dialect: postgresDialect(pool) });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= pool.end();
      return closing;
    };
    return { db, schemaVersion, hasRoom: () => hasPostgresRoom(pool), close };
  } catch (error) {
    await pool.end();
    throw toOpenError(name, error);
  }
}
