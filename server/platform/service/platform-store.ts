import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ExternalDatabase } from '../../contract/database.ts';
import { type CommitQueue, createCommitQueue } from '../../store/commit-queue.ts';
import { hasDiskRoom } from '../../store/disk-room.ts';
import { createExternalCommits } from '../../store/external-commits.ts';
import { type Database, type OpenOptions, openDatabase } from '../../store/open-database.ts';
import { type ExternalStore, openPostgres } from '../../store/open-postgres.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { PostgresConnection } from '../../store/postgres-connection.ts';
import { toOpenError } from '../../store/postgres-error.ts';
import { createNotifier, type Notifier } from '../../store/postgres-signals.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { WriteLock } from '../../store/write-lock.ts';

/** The platform's store, a file or an external database. */
export interface PlatformStore extends SyncStore<PlatformTables> {
  readonly kind: 'sqlite' | 'postgres';
  /** The store that is a file or in memory. */
  readonly file: Database<PlatformTables> | undefined;
  readonly external: ExternalStore<PlatformTables> | undefined;
  /** False while it takes no writes. */
  hasRoom(): Promise<boolean>;
  /** Tells other nodes on the store what the node of that owner wrote; undefined where there are none. */
  notifier(owner: string): Notifier | undefined;
  /** Short writes of callers at the same time. */
  commits(lock: WriteLock): CommitQueue;
  close(): Promise<void>;
}

interface StoreOptions extends Omit<OpenOptions, 'name'> {
  readonly external: ExternalDatabase | undefined;
  readonly notify: boolean;
  /** Is told again and again while this thread waits for an external database. */
  readonly waiting?: () => void;
}

function openFile(options: OpenOptions): PlatformStore {
  const store = openDatabase<PlatformTables>(options);
  const isMemory = options.file === ':memory:';
  return {
    ...{ kind: 'sqlite', db: store.db, sync: store.sync, schemaVersion: store.schemaVersion },
    ...{ file: store, external: undefined },
    hasRoom: async () => isMemory || hasDiskRoom(options.file),
    notifier: () => undefined,
    commits: (lock) => createCommitQueue(store, lock),
    close: async () => store.close(),
  };
}

async function openExternal(
  external: ExternalDatabase,
  { file, migrations, now, note, waiting, notify }: StoreOptions,
): Promise<PlatformStore> {
  // What only this machine needs still stands beside the place of the file.
  if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const store = await openPostgres<PlatformTables>({
    ...{ name: 'platform', external, migrations, now },
    lost: () => note?.({}, 'a connection to the database was lost; the next one is made anew'),
  });
  const sync = await PostgresConnection.open({ external, waiting }).catch(async (error) => {
    await store.close();
    throw toOpenError('platform', error);
  });
  return {
    ...{ kind: 'postgres', db: store.db, sync, schemaVersion: store.schemaVersion },
    ...{ file: undefined, external: store },
    hasRoom: store.hasRoom,
    notifier: (owner) => (notify ? createNotifier(store.db, owner) : undefined),
    commits: () => createExternalCommits(sync),
    async close() {
      await Promise.all([sync.close(), store.close()]);
    },
  };
}

/** Opens and migrates the store. @throws StoreError, StartRefusal */
export async function openPlatformStore(options: StoreOptions): Promise<PlatformStore> {
  const { external, waiting: _waiting, notify: _notify, ...file } = options;
  return external === undefined
    ? openFile({ ...file, name: 'platform' })
    : openExternal(external, options);
}
