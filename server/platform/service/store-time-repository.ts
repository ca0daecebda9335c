import { sqlOf } from '../../store/dialect.ts';
import type { SyncConnection } from '../../store/sync-connection.ts';

/** Reads the clock of the store, in milliseconds since the epoch. */
export function createStoreTime(sync: SyncConnection): () => number | undefined {
  const ask = sync.prepare<[], number>(`SELECT ${sqlOf(sync).DATABASE_NOW}`).pluck();
  return () => {
    const seconds = ask.get();
    return seconds === undefined ? undefined : seconds * 1000;
  };
}
