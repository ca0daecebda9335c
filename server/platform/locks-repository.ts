import { sqlOf } from '../store/dialect.ts';
import type { LocksTable, PlatformTables } from '../store/platform-tables.ts';
import type { SyncStore } from '../store/sync-connection.ts';

/** The rows that locks and signs of life of services are; times are the database's own. */
export interface LocksRepository {
  /** Takes or renews a lock; false while another owner holds it. */
  take(name: string, owner: string, ttlSeconds: number): boolean;
  /** Sets a lock that has one owner for ever, or moves its end. */
  renew(name: string, owner: string, ttlSeconds: number): void;
  /** True while an owner other than this one holds the lock. */
  isTaken(name: string, owner: string): boolean;
  drop(name: string, owner: string): void;
  /** Locks whose name begins so. */
  listFrom(prefix: string): ListedLock[];
  /** Removes a lock, and every lock of an owner. */
  dropAll(name: string, owner: string): void;
}

/** `expired` is 1 once its time is over by the store's own clock. */
export type ListedLock = Pick<LocksTable, 'name' | 'owner' | 'expires_at'> & {
  readonly expired: number;
};

interface Taken {
  readonly name: string;
  readonly owner: string;
  readonly ttl: number;
}

export function createLocksRepository({ sync }: SyncStore<PlatformTables>): LocksRepository {
  const { DATABASE_NOW } = sqlOf(sync);
  const upsert = `INSERT INTO locks (name, owner, expires_at, created_at, updated_at)
     VALUES (@name, @owner, ${DATABASE_NOW} + @ttl, ${DATABASE_NOW}, ${DATABASE_NOW})
     ON CONFLICT (name) DO UPDATE SET
       owner = excluded.owner, expires_at = excluded.expires_at, updated_at = excluded.updated_at`;
  const take = sync.prepare<[Taken]>(
    `${upsert} WHERE locks.owner = excluded.owner OR locks.expires_at <= ${DATABASE_NOW}`,
  );
  const renew = sync.prepare<[Taken]>(upsert);
  const taken = sync.prepare<[string, string], { n: number }>(
    `SELECT count(*) AS n FROM locks
     WHERE name = ? AND owner <> ? AND expires_at > ${DATABASE_NOW}`,
  );
  const drop = sync.prepare<[string, string]>('DELETE FROM locks WHERE name = ? AND owner = ?');
  const from = sync.prepare<[string, string], ListedLock>(
    `SELECT name, owner, expires_at, expires_at <= ${DATABASE_NOW} AS expired FROM locks
     WHERE name >= ? AND name < ?`,
  );
  const dropAll = sync.prepare<[string, string]>('DELETE FROM locks WHERE name = ? OR owner = ?');
  return {
    take: (name, owner, ttl) => take.run({ name, owner, ttl }).changes > 0,
    renew: (name, owner, ttl) => void renew.run({ name, owner, ttl }),
    isTaken: (name, owner) => (taken.get(name, owner)?.n ?? 0) > 0,
    drop: (name, owner) => void drop.run(name, owner),
    listFrom: (prefix) => from.all(prefix, `${prefix}\u{10ffff}`),
    dropAll: (name, owner) => void dropAll.run(name, owner),
  };
}
