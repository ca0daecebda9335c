import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { WriteLock } from '../../store/write-lock.ts';

/** Short writes that share one transaction, so that callers at the same time pay for one commit. */
export interface CommitQueue {
  /**
   * Runs a write in the next shared transaction; settles after its commit. When another write of the
   * same transaction fails, it is run once more in its own: it changes nothing but the store.
   */
  add<T>(write: () => T): Promise<T>;
  /** Commits what waits now. */
  flush(): void;
}

interface Waiting {
  /** Runs the write; the result is kept until the commit. */
  run(): void;
  commit(): void;
  fail(error: unknown): void;
}

function waiting<T>(write: () => T, settled: PromiseWithResolvers<T>): Waiting {
  let result: { readonly value: T } | undefined;
  return {
    run() {
      result = { value: write() };
    },
    commit() {
      if (result === undefined)
        settled.reject(new TypeError('a write was committed before it ran'));
      else settled.resolve(result.value);
    },
    fail: (error) => settled.reject(error),
  };
}

/** Writes that arrive in one turn of the event loop are committed at its end. */
export function createCommitQueue(
  store: Pick<Database<PlatformTables>, 'sqlite'>,
  lock: WriteLock,
): CommitQueue {
  let queue: Waiting[] = [];
  let planned = false;
  const together = store.sqlite.transaction((writes: readonly Waiting[]): void => {
    for (const write of writes) write.run();
  });
  const alone = (write: Waiting): void => {
    try {
      together.immediate([write]);
      write.commit();
    } catch (error) {
      write.fail(error);
    }
  };
  const commit = (): void => {
    const writes = queue;
    queue = [];
    if (writes.length === 0) return;
    try {
      together.immediate(writes);
    } catch {
      for (const write of writes) alone(write);
      return;
    }
    for (const write of writes) write.commit();
  };
  return {
    add(write) {
      const settled = Promise.withResolvers<ReturnType<typeof write>>();
      queue.push(waiting(write, settled));
      if (!planned) {
        planned = true;
        setImmediate(() => {
          planned = false;
          lock.soon(commit);
        });
      }
      return settled.promise;
    },
    flush: () => lock.run(commit),
  };
}
