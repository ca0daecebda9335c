import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { type Ids, idsFrom } from '../kernel/ids.ts';

/** The wall clock tells whole milliseconds: a difference beyond that means that it was set. */
const MAX_DRIFT_MS = 2;
/** A smaller step back is waited out, so that what follows one another stays in its order. */
const SMALL_STEP_MS = 100;

/**
 * Milliseconds that tests add to the clock, in memory that all threads share: time that passes, then by
 * how much the clock of this machine is wrong.
 */
export type ClockShift = SharedArrayBuffer;

function shiftsOf(shift: ClockShift | undefined): () => readonly [passed: number, wrong: number] {
  if (shift === undefined) return () => [0, 0];
  const cells = new Float64Array(shift);
  return () => [cells[0] ?? 0, cells[1] ?? 0];
}

/** What the clock of this machine tells, in milliseconds. */
export function machineTime(shift?: ClockShift): () => number {
  const shifts = shiftsOf(shift);
  return () => Date.now() + shifts()[1];
}

/**
 * The system's time with a fraction of a millisecond, which orders events of the same millisecond.
 * It is the same in every thread: it follows the wall clock when that was set or the machine slept,
 * which the clock of a thread does not.
 */
export function systemClock(shift?: ClockShift): Clock {
  const shifts = shiftsOf(shift);
  let origin = performance.timeOrigin;
  let last = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const elapsed = performance.now();
      const [passed, wrong] = shifts();
      const wall = Date.now() + passed + wrong;
      if (Math.abs(origin + elapsed - wall) > MAX_DRIFT_MS) origin = wall - elapsed;
      const now = origin + elapsed;
      last = now < last && last - now < SMALL_STEP_MS ? last : now;
      return last;
    },
  };
}

/** Identifiers from the operating system's random source; only `uuid` tells when it was made. */
export function randomIds(): Ids {
  return idsFrom(Date.now, randomUUID);
}
