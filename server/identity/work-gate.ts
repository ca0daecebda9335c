/** Lets so many pieces of work run at once; the others wait in line, for a time. */
export class WorkGate {
  #free: number;
  readonly #waiting = new Set<() => void>();
  readonly #patienceMs: number;

  constructor(places: number, patienceMs: number) {
    this.#free = places;
    this.#patienceMs = patienceMs;
  }

  #enter(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const admit = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(admit);
      resolve(false);
    }, this.#patienceMs);
    this.#waiting.add(admit);
    return promise;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  /** Runs the work; undefined when it waited too long for a place. */
  async run<T>(work: () => Promise<T>): Promise<{ readonly done: T } | undefined> {
    if (!(await this.#enter())) return undefined;
    try {
      return { done: await work() };
    } finally {
      this.#leave();
    }
  }
}
