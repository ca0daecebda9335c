import { systemCode } from '../../kernel/system-code.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { createLocksRepository } from '../locks-repository.ts';

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
    return systemCode(error) === 'EPERM';
  }
}

export function createLiveServices(store: Database<PlatformTables>, own: string): LiveServices {
  const locks = createLocksRepository(store);
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
      locks.renew(`${PREFIX}${own}`, String(process.pid), TTL_SECONDS);
    },
    owners() {
      const alive = new Set([own]);
      for (const row of locks.listFrom(PREFIX)) {
        const owner = row.name.slice(PREFIX.length);
        if (isAlive(owner, Number(row.owner), row.expires_at)) alive.add(owner);
        else {
          seen.delete(owner);
          locks.dropAll(row.name, owner);
        }
      }
      return alive;
    },
    leave() {
      HERE.delete(own);
      locks.dropAll(`${PREFIX}${own}`, own);
    },
  };
}

/** The service that a token belongs to. */
export function ownerOf(token: string): string {
  return token.split('.')[0] ?? token;
}
