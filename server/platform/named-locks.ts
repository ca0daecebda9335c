import type { PlatformTables } from '../store/platform-tables.ts';
import type { SyncStore } from '../store/sync-connection.ts';
import { createLocksRepository } from './locks-repository.ts';

/** Seconds after which a lock of a service that went silent may be taken. */
const LOCK_TTL_SECONDS = 300;

/**
 * Locks by name among all services on one store. Each is held in memory, and in the store as soon as
 * it is shared; one that its owner no longer renews runs out.
 */
export interface NamedLocks {
  /** Takes and shares the lock at once, or answers undefined; the result releases it. */
  tryTake(name: string): (() => void) | undefined;
  /** As tryTake, but others see the lock only once it was shared: for work that is over in a moment. */
  tryTakeHere(name: string): (() => void) | undefined;
  /** Lets others see a lock that is held here; false when another service holds it. */
  share(name: string, ttlSeconds: number): boolean;
  isHeld(name: string): boolean;
  /** True while a lock of this process stands in the store. */
  isShared(name: string): boolean;
  /** Gives up a lock of this process that its release could not remove from the store. */
  forget(name: string): void;
}

export function createNamedLocks(store: SyncStore<PlatformTables>, owner: string): NamedLocks {
  const locks = createLocksRepository(store);
  const held = new Set<string>();
  const shared = new Set<string>();
  const share = (name: string, ttl: number): boolean => {
    if (!locks.take(name, owner, ttl)) return false;
    shared.add(name);
    return true;
  };
  const heldElsewhere = (name: string): boolean => locks.isTaken(name, owner);
  const hold = (name: string): (() => void) => {
    held.add(name);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      held.delete(name);
      if (shared.delete(name)) locks.drop(name, owner);
    };
  };
  return {
    tryTake: (name) => (held.has(name) || !share(name, LOCK_TTL_SECONDS) ? undefined : hold(name)),
    tryTakeHere: (name) => (held.has(name) || heldElsewhere(name) ? undefined : hold(name)),
    share,
    isShared: (name) => shared.has(name),
    forget(name) {
      held.delete(name);
      shared.delete(name);
    },
    isHeld: (name) => held.has(name) || heldElsewhere(name),
  };
}
