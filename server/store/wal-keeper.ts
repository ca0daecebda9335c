import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Database } from './open-database.ts';
import { threadFile } from './thread-file.ts';
import { LOCK_HOLDERS, type WriteLock, type WriteLockMemory } from './write-lock.ts';

/** What the thread is started with. */
export interface WalSetup {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly lock: WriteLockMemory;
}

/** What the thread is asked for: to move the log into the store, or to give its space back as well. */
export type WalOrder = 'move' | 'shrink';

/** Keeps the write-ahead log small without the threads that write. */
export interface WalKeeper {
  stop(): Promise<void>;
}

const LOOK_MS = 250;
const CHECKPOINT_BYTES = 4 * 1024 * 1024;
/** What the thread answers: frames of the log, a page each, that were not there at its last answer. */
export interface WalMoved {
  readonly frames: number;
}

/**
 * Looks at rest after which the log's space is given back, and the thread ends. A service at rest
 * still renews leases and looks for deadlines: so few frames are no work.
 */
const SHRINK_LOOKS = 20;
const RETIRE_LOOKS = 40;
const FRAMES_AT_REST = 100;

class Keeper implements WalKeeper {
  readonly #setup: WalSetup;
  readonly #entry: string;
  readonly #lock: WriteLock;
  readonly #timer: ReturnType<typeof setInterval>;
  #thread: Worker | undefined;
  #busy = false;
  #idle = 0;

  constructor(entry: string, setup: WalSetup, lock: WriteLock) {
    this.#entry = entry;
    this.#setup = setup;
    this.#lock = lock;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#end();
  }

  #look(): void {
    if (this.#busy) return;
    this.#idle += 1;
    const bytes = statSync(`${this.#setup.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const isLong = bytes >= CHECKPOINT_BYTES;
    if (this.#idle >= RETIRE_LOOKS) void this.#end();
    else if (isLong && this.#idle === SHRINK_LOOKS) this.#order('shrink');
    else if (isLong && this.#grew(bytes)) this.#order('move');
  }

  #order(order: WalOrder): void {
    this.#busy = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage(order);
  }

  #seen = '';

  /** The file keeps its size when its frames were moved; its time tells whether any was written since. */
  #grew(bytes: number): boolean {
    const facts = statSync(`${this.#setup.file}-wal`, { throwIfNoEntry: false });
    const seen = `${bytes}/${facts?.mtimeMs ?? 0}`;
    const grew = seen !== this.#seen;
    this.#seen = seen;
    return grew;
  }

  #start(): Worker {
    const thread = new Worker(this.#entry, { workerData: this.#setup, name: 'checkpoints' });
    thread.on('message', ({ frames }: WalMoved) => {
      this.#busy = false;
      if (frames > FRAMES_AT_REST) this.#idle = 0;
    });
    // The exit that follows is enough: the next look starts another.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.#lock.free(LOCK_HOLDERS.checkpoints);
      this.#busy = false;
      if (this.#thread === thread) this.#thread = undefined;
    });
    thread.unref();
    return thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#idle = 0;
    await thread?.terminate();
  }
}

/** Commits on this connection leave the log to whoever moves it. */
export function leaveWal({ sqlite }: Pick<Database<unknown>, 'sqlite'>): void {
  sqlite.pragma('wal_autocheckpoint = 0');
}

/**
 * Moves the log in a thread of its own from now on; undefined when this program was put together
 * without that thread, and the writers go on to do it themselves.
 */
export function keepWal(
  store: Pick<Database<unknown>, 'sqlite'>,
  setup: WalSetup,
  lock: WriteLock,
): WalKeeper | undefined {
  const entry = threadFile('wal-thread', import.meta.dirname);
  if (entry === undefined) return undefined;
  leaveWal(store);
  return new Keeper(entry, setup, lock);
}
