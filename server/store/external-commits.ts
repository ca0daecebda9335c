import { isStoreBusy } from '../kernel/store-busy.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { SyncConnection } from './sync-connection.ts';

interface Waiting {
  run(): void;
  /** After the commit. */
  settle(): void;
  fail(error: unknown): void;
}

function waitingFor<T>(write: () => T, settled: PromiseWithResolvers<T>): Waiting {
  let result: { readonly value: T } | undefined;
  return {
    run() {
      result = { value: write() };
    },
    settle() {
      if (result === undefined)
        settled.reject(new TypeError('a write was committed before it ran'));
      else settled.resolve(result.value);
    },
    fail: (error) => settled.reject(error),
  };
}

/**
 * Short writes over a connection to an external database. Others write there at the same time, so that
 * nothing waits for a turn; those of one turn of the event loop share a transaction.
 */
export function createExternalCommits(sync: SyncConnection): CommitQueue {
  let queue: Waiting[] = [];
  let planned = false;
  const together = sync.transaction((writes: readonly Waiting[]): void => {
    for (const write of writes) write.run();
  });
  const alone = (write: Waiting): void => {
    try {
      together([write]);
    } catch (error) {
      write.fail(error);
      return;
    }
    write.settle();
  };
  /** One of them failed: each for itself then, unless the database takes none of them. */
  const refused = (writes: readonly Waiting[], error: unknown): void => {
    const isHopeless = writes.length === 1 || isStoreBusy(error);
    for (const write of writes) {
      if (isHopeless) write.fail(error);
      else alone(write);
    }
  };
  const flush = (): void => {
    planned = false;
    const writes = queue;
    queue = [];
    try {
      if (writes.length > 0) together(writes);
    } catch (error) {
      refused(writes, error);
      return;
    }
    for (const write of writes) write.settle();
  };
  const soon = (work: () => void): void => {
    setImmediate(() => {
      if (sync.open) work();
    });
  };
  return {
    add(write) {
      const settled = Promise.withResolvers<ReturnType<typeof write>>();
      queue.push(waitingFor(write, settled));
      if (!planned) setImmediate(flush);
      planned = true;
      return settled.promise;
    },
    turn: async (work) => work(),
    soon,
    flush,
  };
}
