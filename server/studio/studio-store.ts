import { type OpenOptions, openDatabase } from '../store/open-database.ts';
import type { StudioTables } from '../store/studio-tables.ts';
import { keepWal } from '../store/wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from '../store/write-lock.ts';
import type { Db } from './handle.ts';

/** The studio's open, migrated store. */
export interface StudioStore {
  readonly db: Db;
  close(): Promise<void>;
}

/**
 * Opens the store. Its log is moved by a thread of its own: an import writes a sealed record of
 * hundreds of kilobytes, and every sixteenth would wait for all of them to be moved.
 * @throws StoreError with what to do.
 */
export function openStudioStore(options: Omit<OpenOptions, 'name'>): StudioStore {
  const store = openDatabase<StudioTables>({ ...options, name: 'studio' });
  const lock = writeLockMemory();
  const { file, durability = 'normal' } = options;
  const wal =
    file === ':memory:'
      ? undefined
      : keepWal(store, { file, durability, lock }, createWriteLock(lock, LOCK_HOLDERS.main));
  return {
    db: store.db,
    async close() {
      await wal?.stop();
      store.close();
    },
  };
}
