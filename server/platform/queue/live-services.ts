import { systemCode } from '../../kernel/system-code.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { createLocksRepository, type ListedLock } from '../locks-repository.ts';
import { processSpace } from './process-space.ts';

const TTL_SECONDS = 15;
const PREFIX = 'process:';
const DUTY = 'duty';

/** Services of this process, by owner: the process id alone cannot tell them apart. */
const HERE = new Set<string>();

/** Which services on a store are alive: on this machine, or on any where the store is shared. */
export interface LiveServices {
  /** Says that this service is alive, for the next seconds. */
  renew(): void;
  /** Owners that are alive; what others left is forgotten, their locks included. */
  owners(): ReadonlySet<string>;
  /**
   * True while what one service at a time does is this one's to do: sweeps, retention, sending events.
   * Another takes it over once this one's sign of life is over.
   */
  isOnDuty(): boolean;
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

/** A process as others see it: its id, and the space in which it is one. */
function processName(isShared: boolean): string {
  return isShared ? `${process.pid} ${processSpace() ?? '-'}` : String(process.pid);
}

/**
 * `isShared`: services of other machines may use the store. Such a one lives as long as its sign of
 * life holds by the store's clock; only who shares the processes of this one is seen to be gone at once.
 */
export function createLiveServices(
  store: SyncStore<PlatformTables>,
  own: string,
  isShared = false,
): LiveServices {
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
  const isAlive = (owner: string, row: ListedLock): boolean => {
    if (owner === own || HERE.has(owner)) return true;
    const [pid = '', space] = row.owner.split(' ');
    if (isShared && space !== processSpace()) return row.expired === 0;
    const isThere = Number(pid) !== process.pid && isProcessAlive(Number(pid));
    return isThere && (isShared ? row.expired === 0 : !isSilent(owner, row.expires_at));
  };
  let dutyUntil = 0;
  const takeDuty = (): void => {
    const since = performance.now();
    if (locks.take(DUTY, own, TTL_SECONDS)) dutyUntil = since + TTL_SECONDS * 1000;
  };
  return {
    isOnDuty: () => !isShared || performance.now() < dutyUntil,
    renew() {
      HERE.add(own);
      if (isShared) takeDuty();
      locks.renew(`${PREFIX}${own}`, processName(isShared), TTL_SECONDS);
    },
    owners() {
      const alive = new Set([own]);
      for (const row of locks.listFrom(PREFIX)) {
        const owner = row.name.slice(PREFIX.length);
        if (isAlive(owner, row)) alive.add(owner);
        else {
          seen.delete(owner);
          locks.dropAll(row.name, owner);
        }
      }
      return alive;
    },
    leave() {
      HERE.delete(own);
      dutyUntil = 0;
      locks.dropAll(`${PREFIX}${own}`, own);
    },
  };
}

/** The service that a token belongs to. */
export function ownerOf(token: string): string {
  return token.split('.')[0] ?? token;
}
