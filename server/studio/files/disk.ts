import { Worker } from 'node:worker_threads';
import { threadFile } from '../../store/thread-file.ts';
import { type DiskOrder, type DiskWork, perform } from './disk-work.ts';

/** What a disk thread says of one piece of work; an error loses its code on the way. */
export type DiskAnswer =
  | { readonly id: number; readonly isDone: true; readonly made: unknown }
  | {
      readonly id: number;
      readonly isDone: false;
      readonly error: unknown;
      readonly code: string | undefined;
    };

type Order<Name extends keyof DiskWork> = Extract<DiskOrder, { readonly name: Name }>;

/** A drive that does not answer holds one thread; who comes after gets another, up to so many. */
const MOST_THREADS = 4;
/** No piece of work takes so long on a disk that answers. */
const PATIENCE_MS = 200;

class DiskThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #busySince = 0;

  constructor(entry: string, onEnd: (thread: DiskThread) => void) {
    this.#worker = new Worker(entry, { name: 'disk', trackUnmanagedFds: false });
    this.#worker.unref();
    this.#worker.on('message', (answer: DiskAnswer) => this.#settle(answer));
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      onEnd(this);
      const lost = new Error('the disk thread has ended', { cause });
      for (const { reject } of this.#waiting.values()) reject(lost);
    });
  }

  /** Pieces of work that it has not answered. */
  get load(): number {
    return this.#waiting.size;
  }

  /** For how long it has been at one piece of work, in milliseconds; 0 at rest. */
  get busyFor(): number {
    return this.load === 0 ? 0 : performance.now() - this.#busySince;
  }

  ask(order: DiskOrder): Promise<unknown> {
    const settled = Promise.withResolvers<unknown>();
    if (this.load === 0) {
      this.#busySince = performance.now();
      this.#worker.ref();
    }
    this.#waiting.set(order.id, settled);
    this.#worker.postMessage(order);
    return settled.promise;
  }

  #settle(answer: DiskAnswer): void {
    const settled = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#busySince = performance.now();
    if (this.load === 0) this.#worker.unref();
    if (answer.isDone) settled?.resolve(answer.made);
    else settled?.reject(withCode(answer));
  }
}

function withCode({ error, code }: Extract<DiskAnswer, { isDone: false }>): unknown {
  return error instanceof Error && code !== undefined ? Object.assign(error, { code }) : error;
}

/** The way to the disk for work of many small calls. */
export class Disk {
  readonly #entry = threadFile('disk-thread', import.meta.dirname);
  readonly #patienceMs: number;
  readonly #threads: DiskThread[] = [];
  #count = 0;

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /**
   * Does one piece of work in a thread that is started by the first: one way there and back for all
   * its calls. A program that was put together without the thread does it in place. @throws the
   * system's error
   */
  async run<Name extends keyof DiskWork>(
    name: Name,
    ...words: Parameters<DiskWork[Name]>
  ): Promise<ReturnType<DiskWork[Name]>> {
    this.#count += 1;
    const order = { id: this.#count, name, words } as Order<Name>;
    const made =
      this.#entry === undefined ? perform(order) : await this.#freest(this.#entry).ask(order);
    return made as ReturnType<DiskWork[Name]>;
  }

  #freest(entry: string): DiskThread {
    const threads = this.#threads;
    const isStuck = (thread: DiskThread): boolean => thread.busyFor > this.#patienceMs;
    const [freest] = threads.toSorted(
      (a, b) => Number(isStuck(a)) - Number(isStuck(b)) || a.load - b.load,
    );
    const isEnough = threads.length === MOST_THREADS;
    if (freest !== undefined && (isEnough || !isStuck(freest))) return freest;
    const started = new DiskThread(entry, (ended) => threads.splice(threads.indexOf(ended), 1));
    threads.push(started);
    return started;
  }
}

/** The disk of this process: all trees share its threads. */
export const disk = new Disk();
