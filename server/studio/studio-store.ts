import type { ExternalDatabase } from '../contract/database.ts';
import type { Log } from '../kernel/log.ts';
import { hasDiskRoom } from '../store/disk-room.ts';
import { openDatabase } from '../store/open-database.ts';
import type { StoreOptions } from '../store/store-options.ts';
import type { StudioTables } from '../store/studio-tables.ts';
import { keepWal } from '../store/wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from '../store/write-lock.ts';
import type { Db } from './handle.ts';

/** The studio's open, migrated store. */
export interface StudioStore {
  readonly db: Db;
  /** Whether the store can be written, as far as that is seen without a write. May reject. */
  hasRoom(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the store that is a file or in memory. Its log is moved by a thread of its own: an import
 * writes a sealed record of hundreds of kilobytes, and every sixteenth would wait for all of them to
 * be moved.
 * @throws StoreError with what to do.
 */
export function openFileStore(options: Omit<StoreOptions, 'external'>): StudioStore {
  const { databaseFile: file, migrationsDir, clock, log, onStoreStep } = options;
  const store = openDatabase<StudioTables>({
    name: 'studio',
    file,
    migrations: migrationsDir,
    now: () => clock.now(),
    note: (facts, message) => log.info(facts, message),
    onStep: onStoreStep,
  });
  const lock = writeLockMemory();
  const wal =
    file === ':memory:'
      ? undefined
      : keepWal(
          store,
          { file, durability: 'normal', lock },
          createWriteLock(lock, LOCK_HOLDERS.main),
        );
  return {
    db: store.db,
    hasRoom: () => hasDiskRoom(file),
    async close() {
      await wal?.stop();
      store.close();
    },
  };
}

/** Opens the store in an external database, also beside the service. @throws StoreError, StartRefusal */
export async function openExternalStore(
  external: ExternalDatabase,
  {
    migrationsDir,
    clock,
    log,
  }: Pick<StoreOptions, 'migrationsDir' | 'clock'> & {
    readonly log: Pick<Log, 'warn'>;
  },
): Promise<StudioStore> {
  // The driver is read where there is such a store alone.
  const { openPostgres } = await import('../store/open-postgres.ts');
  const store = await openPostgres<StudioTables>({
    ...{ name: 'studio', external, migrations: migrationsDir, now: () => clock.now() },
    lost: () => log.warn({}, 'a connection to the database was lost; the next one is made anew'),
  });
  return { db: store.db, hasRoom: store.hasRoom, close: store.close };
}

/**
 * Opens the external store for the one studio that serves from it: what guards the files of projects
 * is known to one process alone.
 */
async function openForService(
  external: ExternalDatabase,
  options: StoreOptions,
): Promise<StudioStore> {
  const { holdPostgres } = await import('../store/hold-postgres.ts');
  const isLocking = external.locks === 'advisory';
  const hold = isLocking ? await holdPostgres('studio', external) : undefined;
  try {
    const store = await openExternalStore(external, options);
    return {
      db: store.db,
      hasRoom: async () => hold?.isHeld !== false && (await store.hasRoom()),
      async close() {
        await store.close();
        await hold?.release();
      },
    };
  } catch (error) {
    await hold?.release();
    throw error;
  }
}

/** Opens and migrates the store for the service. @throws StoreError, StartRefusal */
export async function openStudioStore(options: StoreOptions): Promise<StudioStore> {
  const { external } = options;
  return external === undefined ? openFileStore(options) : openForService(external, options);
}
