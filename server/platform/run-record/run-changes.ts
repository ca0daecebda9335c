/**
 * How many requests wait at this moment, readable by every thread of the process: in all, then by a
 * number that several runs share.
 */
export type WatchMemory = SharedArrayBuffer;

const SLOTS = 1024;

export function watchMemory(): WatchMemory {
  return new SharedArrayBuffer(4 * (1 + SLOTS));
}

function slotOf(runId: string): number {
  let sum = 0;
  for (let at = 0; at < runId.length; at += 1) sum = (sum * 31 + runId.charCodeAt(at)) | 0;
  return 1 + (Math.abs(sum) % SLOTS);
}

/** Somebody who waits for news of one run. */
export interface RunWatch {
  /**
   * Resolves at the next commit that may be of the run: true; after so many milliseconds, when the
   * signal aborts or the service stops: false. A commit since the last call counts.
   */
  next(ms: number, signal: AbortSignal): Promise<boolean>;
  end(): void;
}

/**
 * Tells who waits for a run that something of it was committed. The room promises: news of this
 * process come with its commit, those of other processes within half a second, and who waits costs
 * no read of the store until something is committed.
 */
export interface RunChanges {
  /** A write of the run is done; its transaction may still be open. */
  note(runId: string): void;
  /** Another thread or node wrote these runs. */
  heard(runIds: readonly string[]): void;
  /** Begins to watch: what is committed from now on is told. Undefined while too many watch. */
  watch(runId: string): RunWatch | undefined;
  /**
   * True while somebody of this process watches the run, or has marked it, or one of those that share
   * its number.
   */
  isWatched(runId: string): boolean;
  /** Marks a run that another node watches, until the returned function is called. */
  mark(runId: string): () => void;
  /** Aborted by `close`. */
  readonly closing: AbortSignal;
  /** Ends every wait, also those that begin later. */
  close(): void;
}

/** Commits of other connections, looked for while somebody watches. */
export interface OtherCommits {
  /** From now on. */
  begin(): void;
  /** Those of the watched runs that may have changed since the last look or the beginning. */
  look(runIds: readonly string[]): readonly string[] | Promise<readonly string[]>;
}

export interface RunChangesOptions {
  readonly memory: WatchMemory;
  /** The store must be open while anybody watches. */
  readonly others: OtherCommits;
  /** Tells another thread that runs were written here which somebody may watch. */
  readonly tell?: (runIds: readonly string[]) => void;
  /** Tells other nodes that runs were written here. */
  readonly tellNodes?: ((runIds: readonly string[]) => void) | undefined;
}

/** So many requests wait at once; the next is answered as if its time were over. */
const MOST_WATCHES = 4_000;
/** How often commits of other processes are looked for, while somebody watches. */
const LOOK_MS = 500;

class Watch implements RunWatch {
  readonly #leave: () => void;
  #news = false;
  #closed = false;
  #wake: ((news: boolean) => void) | undefined;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  tell(): void {
    this.#news = true;
    this.#wake?.(true);
  }

  close(): void {
    this.#closed = true;
    this.#wake?.(false);
  }

  async next(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#news && !this.#closed && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const over = (): void => resolve(false);
      const timer = setTimeout(over, ms);
      signal.addEventListener('abort', over, { once: true });
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
    }
    const news = this.#news && !this.#closed && !signal.aborted;
    this.#news = false;
    return news;
  }

  end(): void {
    this.#leave();
  }
}

/** Watches of one thread over the count that its process shares. */
export function createRunChanges(options: RunChangesOptions): RunChanges {
  const { others, tell, tellNodes } = options;
  const watching = new Int32Array(options.memory);
  const watches = new Map<string, Set<Watch>>();
  let written = new Set<string>();
  let looks: ReturnType<typeof setInterval> | undefined;
  let closed = false;
  const closing = new AbortController();

  const tellHere = (runIds: readonly string[]): void => {
    for (const id of runIds) for (const watch of watches.get(id) ?? []) watch.tell();
  };
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      tellHere(await others.look([...watches.keys()]));
    } catch {
      // A store that does not answer tells nothing; the next look may.
    } finally {
      looking = false;
    }
  };
  // A transaction is one call: once that has returned, what was noted in it is committed.
  const flush = (): void => {
    const ids = [...written];
    written = new Set();
    tellHere(ids);
    tellNodes?.(ids);
    if (tell === undefined) return;
    const watched = ids.filter((id) => Atomics.load(watching, slotOf(id)) > 0);
    if (watched.length > 0) tell(watched);
  };
  const leave = (runId: string, watch: Watch): void => {
    const ofRun = watches.get(runId);
    if (ofRun?.delete(watch) !== true) return;
    Atomics.sub(watching, 0, 1);
    Atomics.sub(watching, slotOf(runId), 1);
    if (ofRun.size === 0) watches.delete(runId);
    if (watches.size === 0) clearInterval(looks);
  };
  return {
    note(runId) {
      if (written.size === 0) queueMicrotask(flush);
      written.add(runId);
    },
    watch(runId) {
      if (Atomics.load(watching, 0) >= MOST_WATCHES) return undefined;
      const watch: Watch = new Watch(() => leave(runId, watch));
      if (watches.size === 0 && !closed) {
        others.begin();
        looks = setInterval(() => void look(), LOOK_MS);
      }
      const ofRun = watches.get(runId) ?? new Set();
      watches.set(runId, ofRun.add(watch));
      Atomics.add(watching, 0, 1);
      Atomics.add(watching, slotOf(runId), 1);
      if (closed) watch.close();
      return watch;
    },
    heard: tellHere,
    mark(runId) {
      Atomics.add(watching, slotOf(runId), 1);
      return () => void Atomics.sub(watching, slotOf(runId), 1);
    },
    isWatched: (runId) => Atomics.load(watching, slotOf(runId)) > 0,
    closing: closing.signal,
    close() {
      closed = true;
      closing.abort();
      clearInterval(looks);
      for (const ofRun of watches.values()) for (const watch of ofRun) watch.close();
    },
  };
}
