import { isStoreBusy } from '../kernel/store-busy.ts';
import type { Database } from './open-database.ts';
import { isHeld } from './patient-dialect.ts';
import type { PlatformTables } from './platform-tables.ts';
import { type WaitingWrite, waitingWrite } from './waiting-write.ts';
import type { WriteLock } from './write-lock.ts';

/** Short writes that share one transaction, so that callers at the same time pay for one commit. */
export interface CommitQueue {
  /**
   * Runs a write in the next shared transaction; settles after its commit. When another write of the
   * same transaction fails, it is run once more in its own: it changes nothing but the store. A
   * store that cannot be written now refuses all of them at once.
   */
  add<T>(write: () => T): Promise<T>;
  /**
   * Runs short work that writes in transactions of its own, once, as soon as nobody else writes; the
   * event loop goes on meanwhile. Rejects like a busy store when another process writes too long.
   */
  turn<T>(work: () => T): Promise<T>;
  /** As turn, for work that nobody waits for: however long another process writes. */
  soon(work: () => void): void;
  /** Commits what waits now. */
  flush(): void;
}

interface Waiting extends WaitingWrite {
  /** Milliseconds on the process's own clock. */
  readonly since: number;
}

/** How long a write waits for another process's in all. */
const PATIENCE_MS = 500;
const BETWEEN_TRIES_MS = 5;

/** Writes that arrive in one turn of the event loop are committed at its end. */
export function createCommitQueue(
  store: Pick<Database<PlatformTables>, 'sqlite'>,
  lock: WriteLock,
): CommitQueue {
  const { sqlite } = store;
  const patience = `busy_timeout = ${Number(sqlite.pragma('busy_timeout', { simple: true }))}`;
  let queue: Waiting[] = [];
  let planned = false;
  const together = sqlite.transaction((writes: readonly Waiting[]): void => {
    for (const write of writes) write.run();
  });
  /** Without the wait inside SQLite, which would hold up the event loop. */
  const unwaiting = (work: () => void): void => {
    sqlite.pragma('busy_timeout = 0');
    try {
      work();
    } finally {
      sqlite.pragma(patience);
    }
  };
  const atOnce = (writes: readonly Waiting[]): void => unwaiting(() => together.immediate(writes));
  /** What keeps this thread from writing at once: another process. */
  const obstacle = (): unknown => {
    try {
      unwaiting(() => sqlite.exec('BEGIN IMMEDIATE; ROLLBACK'));
      return undefined;
    } catch (error) {
      return isHeld(error) ? error : undefined;
    }
  };
  /** Runs work as soon as nobody else writes, unless `waits` says no after a try in vain. */
  const whenFree = (work: () => void, waits: (obstacle: unknown) => boolean): void => {
    const attempt = (): void =>
      lock.soon(() => {
        const held = sqlite.open ? obstacle() : undefined;
        if (held === undefined) work();
        else if (waits(held)) setTimeout(attempt, BETWEEN_TRIES_MS);
      });
    attempt();
  };
  const alone = (write: Waiting): void => {
    try {
      together.immediate([write]);
      write.commit();
    } catch (error) {
      write.fail(error);
    }
  };
  const again = (writes: readonly Waiting[], error: unknown): void => {
    const now = performance.now();
    const patient = writes.filter(({ since }) => now - since < PATIENCE_MS);
    for (const write of writes) if (!patient.includes(write)) write.fail(error);
    queue = [...patient, ...queue];
    if (patient.length > 0) plan(() => setTimeout(turn, BETWEEN_TRIES_MS));
  };
  const failed = (writes: readonly Waiting[], error: unknown): void => {
    for (const write of writes) {
      if (isStoreBusy(error)) write.fail(error);
      else alone(write);
    }
  };
  const take = (): Waiting[] => {
    const writes = queue;
    queue = [];
    return writes;
  };
  const commit = (
    writes: readonly Waiting[],
    inOne: (writes: readonly Waiting[]) => void,
    refused: (writes: readonly Waiting[], error: unknown) => void,
  ): void => {
    if (writes.length === 0) return;
    try {
      inOne(writes);
    } catch (error) {
      refused(writes, error);
      return;
    }
    for (const write of writes) write.commit();
  };
  const retried = (writes: readonly Waiting[], error: unknown): void =>
    isHeld(error) ? again(writes, error) : failed(writes, error);
  const turn = (): void => {
    planned = false;
    lock.soon(() => commit(take(), atOnce, retried));
  };
  const plan = (when: () => void): void => {
    if (planned) return;
    planned = true;
    when();
  };
  return {
    add(write) {
      const settled = Promise.withResolvers<ReturnType<typeof write>>();
      queue.push({ ...waitingWrite(write, settled), since: performance.now() });
      plan(() => setImmediate(turn));
      return settled.promise;
    },
    turn(work) {
      const settled = Promise.withResolvers<ReturnType<typeof work>>();
      const until = performance.now() + PATIENCE_MS;
      whenFree(
        () => {
          try {
            settled.resolve(work());
          } catch (error) {
            settled.reject(error);
          }
        },
        (error) => {
          if (performance.now() < until) return true;
          settled.reject(error);
          return false;
        },
      );
      return settled.promise;
    },
    soon: (work) => whenFree(work, () => sqlite.open),
    flush: () => lock.run(() => commit(take(), (writes) => together.immediate(writes), failed)),
  };
}
