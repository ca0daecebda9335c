import type { Clock } from '../kernel/clock.ts';

interface Attempts {
  count: number;
  until: number;
}

const TRACKED = 4096;
const WINDOW_MS = 60_000;

/**
 * Counts attempts by key within a minute. What is in flight counts at once, so that a burst has no
 * head start; when too many keys are watched, further ones are not.
 */
export class AttemptWindow {
  readonly #attempts = new Map<string, Attempts>();
  readonly #limit: number;
  readonly #clock: Clock;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  #dropEnded(now: number): void {
    for (const [key, { until }] of this.#attempts) if (until <= now) this.#attempts.delete(key);
  }

  /** Takes one attempt; false when there are no more within this minute. */
  take(key: string): boolean {
    const now = this.#clock.now();
    const known = this.#attempts.get(key);
    if (known !== undefined && known.until > now) {
      if (known.count >= this.#limit) return false;
      known.count += 1;
      return true;
    }
    if (known === undefined && this.#attempts.size >= TRACKED) this.#dropEnded(now);
    if (this.#attempts.size < TRACKED) {
      this.#attempts.set(key, { count: 1, until: now + WINDOW_MS });
    }
    return true;
  }

  /** Forgets a key after a success. */
  clear(key: string): void {
    this.#attempts.delete(key);
  }

  /** Gives one attempt back: it was neither a success nor a failure. */
  giveBack(key: string): void {
    const known = this.#attempts.get(key);
    if (known !== undefined) known.count = Math.max(0, known.count - 1);
  }
}
