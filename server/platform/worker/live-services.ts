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
  const all = sqlite.prepare<[], { name: string; owner: string; expires_at: number }>(
    `SELECT name, owner, expires_at
     FROM locks WHERE name >= '${PREFIX}' AND name < 'process;'`,
  );
  const forget = sqlite.prepare<[string, string]>('DELETE FROM locks WHERE name = ? OR owner = ?');
  // By time that passed here, since the clock may be set and the machine may sleep.
  const seen = new Map<string, { readonly expires: number; readonly since: number }>();
  const isSilent = (owner: string, expires: number): boolean => {
    const now = performance.now();
    const known = seen.get(owner);
    if (known?.expires === expires) return now - known.since >= TTL_SECONDS * 1000;
    seen.set(owner, { expires, since: now });
    return false;
  };
  const isAlive = (owner: string, pid: number, expires: number): boolean => {
    if (owner === own || HERE.has(owner)) return true;
    return pid !== process.pid && isProcessAlive(pid) && !isSilent(owner, expires);
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
        if (isAlive(owner, Number(row.owner), row.expires_at)) alive.add(owner);
        else {
          seen.delete(owner);
          forget.run(row.name, owner);
        }
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
