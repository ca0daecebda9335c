const FREE = 0;
const MAX_WAIT_MS = 5_000;

/**
 * One writer at a time among the threads of this process. The store has a lock of its own; whoever
 * meets that one held sleeps for whole milliseconds, and the event loop with it.
 */
export interface WriteLock {
  /** Runs a short write; waits for the lock, at most as long as the store would. */
  run<T>(work: () => T): T;
  /** Runs a short write as soon as the lock is free; the event loop goes on meanwhile. */
  soon(work: () => void): void;
  /** Takes the lock from a thread that has ended. */
  free(lost: number): void;
}

export type WriteLockMemory = SharedArrayBuffer;

/** Threads that take the lock. */
export const LOCK_HOLDERS = { main: 1, execution: 2, checkpoints: 3 } as const;

export function writeLockMemory(): WriteLockMemory {
  return new SharedArrayBuffer(4);
}

/** The lock over memory that the threads share; `holder` is a number above 0, one for each thread. */
export function createWriteLock(memory: WriteLockMemory, holder: number): WriteLock {
  const word = new Int32Array(memory);
  let depth = 0;
  const tryTake = (): boolean => Atomics.compareExchange(word, 0, FREE, holder) === FREE;
  const release = (): void => {
    Atomics.store(word, 0, FREE);
    // All of them: the one that is woken may be a promise of a thread that is asleep in another wait.
    Atomics.notify(word, 0);
  };
  const inside = <T>(work: () => T): T => {
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
      if (depth === 0) release();
    }
  };
  const take = (): boolean => {
    const until = performance.now() + MAX_WAIT_MS;
    while (!tryTake()) {
      const left = until - performance.now();
      if (left <= 0) return false;
      const other = Atomics.load(word, 0);
      if (other !== FREE) Atomics.wait(word, 0, other, left);
    }
    return true;
  };
  const soon = (work: () => void): void => {
    if (depth > 0 || tryTake()) {
      inside(work);
      return;
    }
    const waited = Atomics.waitAsync(word, 0, Atomics.load(word, 0), MAX_WAIT_MS);
    if (waited.async) void waited.value.then((value) => again(value, work));
    else again(waited.value, work);
  };
  // After the longest wait the store's own lock keeps writers apart.
  const again = (waited: string, work: () => void): void => {
    if (waited === 'timed-out') work();
    else soon(work);
  };
  return {
    run: (work) => (depth > 0 || take() ? inside(work) : work()),
    soon,
    free(lost) {
      if (Atomics.compareExchange(word, 0, lost, FREE) === lost) Atomics.notify(word, 0);
    },
  };
}
