import { statSync } from 'node:fs';
import type { ExternalDatabase } from '../contract/database.ts';
import type { Log } from '../kernel/log.ts';
import type { DashboardTables } from '../store/dashboard-tables.ts';
import { hasDiskRoom } from '../store/disk-room.ts';
import { openDatabase } from '../store/open-database.ts';
import type { StoreOptions } from '../store/store-options.ts';
import type { Db } from './handle.ts';
import { guardStart } from './recovery/recovery.ts';
import { inRecovery, type RecoveryMarker } from './recovery/recovery-repository.ts';

/** The dashboard's open, migrated store. */
export interface DashboardStore {
  readonly db: Db;
  readonly kind: 'file' | 'memory' | 'external';
  /** Of a file with those beside it; null for any other. */
  bytes(): number | null;
  /** Whether the store can be written, as far as that is seen without a write. May reject. */
  hasRoom(): Promise<boolean>;
  close(): Promise<void>;
}

const SIDECARS = ['', '-wal', '-shm'];

function bytesOf(file: string): number {
  return SIDECARS.reduce(
    (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function warnOfRecovery(log: Log, marker: Partial<RecoveryMarker>): void {
  log.warn(
    { ...marker },
    'the dashboard is locked down; specwright dashboard recover --reconcile ends it',
  );
}

/** Opens the store that is a file or in memory; a file that was put back from a copy is locked down. */
export function openFileStore(options: Omit<StoreOptions, 'external'>): DashboardStore {
  const { databaseFile, migrationsDir, clock, log } = options;
  const now = (): number => clock.now();
  const store = openDatabase<DashboardTables>({
    name: 'dashboard',
    file: databaseFile,
    migrations: migrationsDir,
    now,
    note: (facts, message) => log.info(facts, message),
    onStep: options.onStoreStep,
  });
  try {
    const marker = guardStart({ sqlite: store.sqlite, databaseFile, now });
    if (marker !== undefined) warnOfRecovery(log, marker);
  } catch (error) {
    store.close();
    throw error;
  }
  const isMemory = databaseFile === ':memory:';
  return {
    db: store.db,
    kind: isMemory ? 'memory' : 'file',
    bytes: () => (isMemory ? null : bytesOf(databaseFile)),
    hasRoom: () => hasDiskRoom(databaseFile),
    close: async () => store.close(),
  };
}

/** Opens the store in an external database. Who puts one back from a copy locks it down by hand. */
async function openExternalStore(
  external: ExternalDatabase,
  { migrationsDir, clock, log }: StoreOptions,
): Promise<DashboardStore> {
  // The driver is read where there is such a store alone.
  const { openPostgres } = await import('../store/open-postgres.ts');
  const store = await openPostgres<DashboardTables>({
    ...{ name: 'dashboard', external, migrations: migrationsDir, now: () => clock.now() },
    lost: () => log.warn({}, 'a connection to the database was lost; the next one is made anew'),
  });
  if (await inRecovery(store.db)) warnOfRecovery(log, {});
  return {
    db: store.db,
    kind: 'external',
    bytes: () => null,
    hasRoom: store.hasRoom,
    close: store.close,
  };
}

/** Opens and migrates the store. @throws StoreError, StartRefusal */
export async function openDashboardStore(options: StoreOptions): Promise<DashboardStore> {
  const { external } = options;
  return external === undefined ? openFileStore(options) : openExternalStore(external, options);
}
