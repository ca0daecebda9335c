import { stat } from 'node:fs/promises';
import type { StorePreparation } from '../preload/desktop-api.ts';
import type { StoreStepMessage } from '../server/host/protocol.ts';

const LOOK_MS = 400;

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

/**
 * How far the services are with a store that they bring up to date. They say when a step begins; how
 * much of a copy is there is looked at here, since they do nothing else meanwhile.
 */
export class StorePreparations {
  readonly #onChange: () => void;
  #now: StorePreparation | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get now(): StorePreparation | null {
    return this.#now;
  }

  told({ step }: StoreStepMessage): void {
    clearInterval(this.#timer);
    const { store } = step;
    if (step.step === 'copying') {
      const of = megabytes(step.bytes);
      this.#set({ store, step: 'copying', done: 0, of });
      this.#timer = setInterval(() => void this.#look(step.file, of), LOOK_MS);
    } else if (step.step === 'changing') {
      this.#set({ store, step: 'changing', done: step.change - 1, of: step.changes });
    } else {
      this.#set(null);
    }
  }

  /** The services answer, or ended. */
  over(): void {
    clearInterval(this.#timer);
    this.#now = null;
  }

  async #look(file: string, of: number): Promise<void> {
    const found = await stat(file).catch(() => undefined);
    const before = this.#now;
    if (found === undefined || before?.step !== 'copying') return;
    const done = Math.min(of, megabytes(found.size));
    if (done !== before.done) this.#set({ ...before, done });
  }

  #set(next: StorePreparation | null): void {
    this.#now = next;
    this.#onChange();
  }
}
