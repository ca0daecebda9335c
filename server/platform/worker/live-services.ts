import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { DATABASE_NOW } from '../../store/sqlite-clock.ts';

const TTL_SECONDS = 15;
const PREFIX = 'process:';

/** Services of this process, by owner: the process id alone cannot tell them apart. */
const HERE = new Set<string>();

/** Which services on a store are alive; all of them run on this machine. */
export interface LiveServices {
  /** Says that this service is alive, for the next seconds. */
  renew(): void;
  /** Owners that are alive; what others left is forgotten, their locks included. */
  owners(): ReadonlySet<string>;
  /** This service is no longer alive. */
  leave(): void;
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function createLiveServices(store: Database<PlatformTables>, own: string): LiveServices {
  const { sqlite } = store;
  const renew = sqlite.prepare<[{ name: string; pid: string }]>(
    `INSERT INTO locks (name, owner, expires_at, created_at, updated_at)
     VALUES (@name, @pid, ${DATABASE_NOW} + ${TTL_SECONDS}, ${DATABASE_NOW}, ${DATABASE_NOW})
     ON CONFLICT (name) DO UPDATE SET
       expires_at = excluded.expires_at, updated_at = excluded.updated_at`,
  );
  const all = sqlite.prepare<[], { name: string; owner: string; expired: number }>(
    `SELECT name, owner, expires_at <= ${DATABASE_NOW} AS expired
     FROM locks WHERE name >= '${PREFIX}' AND name < 'process;'`,
  );
  const forget = sqlite.prepare<[string, string]>('DELETE FROM locks WHERE name = ? OR owner = ?');
  const isAlive = (owner: string, pid: number, expired: boolean): boolean => {
    if (owner === own || HERE.has(owner)) return true;
    return pid !== process.pid && !expired && isProcessAlive(pid);
  };
  return {
    renew() {
      HERE.add(own);
      renew.run({ name: `${PREFIX}${own}`, pid: String(process.pid) });
    },
    owners() {
      const alive = new Set([own]);
      for (const row of all.all()) {
        const owner = row.name.slice(PREFIX.length);
        if (isAlive(owner, Number(row.owner), row.expired === 1)) alive.add(owner);
        else forget.run(row.name, owner);
      }
      return alive;
    },
    leave() {
      HERE.delete(own);
      forget.run(`${PREFIX}${own}`, own);
    },
  };
}

/** The service that a token belongs to. */
export function ownerOf(token: string): string {
  return token.split('.')[0] ?? token;
}
