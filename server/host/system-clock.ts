import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { type Ids, idsFrom } from '../kernel/ids.ts';

const MAX_DRIFT = 1_000;

/**
 * The system's time with a fraction of a millisecond, which orders events of the same
 * millisecond. It follows the wall clock again when that was set or the machine slept.
 */
export function systemClock(): Clock {
  let origin = performance.timeOrigin;
  return {
    now() {
      const elapsed = performance.now();
      const wall = Date.now();
      if (Math.abs(origin + elapsed - wall) > MAX_DRIFT) origin = wall - elapsed;
      return origin + elapsed;
    },
  };
}

/** Identifiers from the operating system's random source; only `uuid` tells when it was made. */
export function randomIds(): Ids {
  return idsFrom(Date.now, randomUUID);
}
