// What a platform of the tests has stored, read and changed behind its back, whatever it is stored in.
import Sqlite from 'better-sqlite3';
import { PostgresConnection } from '../../server/store/postgres-connection.ts';
import type { SyncConnection } from '../../server/store/sync-connection.ts';
import { databases, externalAt, onPostgres } from './chosen-store.ts';

export interface Stored extends Pick<SyncConnection, 'prepare'> {
  /** Runs a statement without values. */
  exec(sql: string): void;
  close(): Promise<void>;
}

/** Opens what a platform over this file has stored. */
export async function openStored(file: string): Promise<Stored> {
  if (!onPostgres) {
    const db = new Sqlite(file, { fileMustExist: true });
    return {
      prepare: db.prepare.bind(db),
      exec: (sql) => void db.exec(sql),
      close: async () => void db.close(),
    };
  }
  const sync = await PostgresConnection.open({ external: externalAt(await databases.of(file)) });
  return {
    prepare: sync.prepare.bind(sync),
    exec: (sql) => void sync.prepare(sql).run(),
    close: () => sync.close(),
  };
}

/** What keeps a store from taking a lock as long as the transaction is open. */
export const HOLDING = onPostgres ? ['BEGIN', 'LOCK TABLE locks'] : ['BEGIN IMMEDIATE'];
