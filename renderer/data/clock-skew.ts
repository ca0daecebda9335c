import { createStore } from '../ui/store.ts';

/** A clock that is off by less is not worth a word: a header tells whole seconds, and takes a while. */
const NOTED_MS = 60_000;
const HALF_SECOND = 500;

/**
 * By how many milliseconds the clock of this computer is behind that of the services (ahead: below
 * 0), as their answers tell it; 0 where both agree.
 */
export const clockSkewStore = createStore(0);

/** Reads the time of an answer that was asked for at `askedAt` and came just now, in epoch ms. */
export function noteServiceTime(date: string | null, askedAt: number, now: number): void {
  const at = Date.parse(date ?? '');
  // An answer that was long in coming does not say when its time was written.
  if (Number.isNaN(at) || now - askedAt > NOTED_MS / 2) {
    return;
  }
  const skew = at + HALF_SECOND - (askedAt + now) / 2;
  clockSkewStore.set(Math.abs(skew) < NOTED_MS ? 0 : skew);
}
