import { isStoreBusy } from '../kernel/store-busy.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { SyncConnection } from './sync-connection.ts';
import { type WaitingWrite, waitingWrite } from './waiting-write.ts';

/**
 * Short writes over a connection to an external database. Others write there at the same time, so that
 * nothing waits for a turn; those of one turn of the event loop share a transaction.
 */
export function createExternalCommits(sync: SyncConnection): CommitQueue {
  let queue: WaitingWrite[] = [];
  let planned = false;
  const together = sync.transaction((writes: readonly WaitingWrite[]): void => {
    for (const write of writes) write.run();
  });
  const alone = (write: WaitingWrite): void => {
    try {
      together([write]);
    } catch (error) {
      write.fail(error);
      return;
    }
    write.commit();
  };
  /** One of them failed: each for itself then, unless the database takes none of them. */
  const refused = (writes: readonly WaitingWrite[], error: unknown): void => {
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
    for (const write of writes) write.commit();
  };
  const soon = (work: () => void): void => {
    setImmediate(() => {
      if (sync.open) work();
    });
  };
  return {
    add(write) {
      const settled = Promise.withResolvers<ReturnType<typeof write>>();
      queue.push(waitingWrite(write, settled));
      if (!planned) setImmediate(flush);
      planned = true;
      return settled.promise;
    },
    turn: async (work) => work(),
    soon,
    flush,
  };
}
