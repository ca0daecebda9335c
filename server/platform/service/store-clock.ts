import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { type ClockShift, machineTime } from '../../runtime/system-clock.ts';
import type { SyncConnection } from '../../store/sync-connection.ts';
import { createStoreTime } from './store-time-repository.ts';

// Nodes on one database have one clock, that of the database: what a node stores with a time, others
// compare with theirs.

/** A way there and back that takes longer tells too little. */
const LONGEST_WAY_MS = 1_000;
/** Clocks that are kept by the network differ by less. */
const LEAST_MS = 250;

/** By how much the database's clock is ahead of this machine's, in memory that all threads share. */
export type ClockOffset = SharedArrayBuffer;

export function clockOffset(): ClockOffset {
  return new SharedArrayBuffer(8);
}

/** A clock that goes by the database's. */
export function storeClock(machine: Clock, offset: ClockOffset): Clock {
  const cell = new Float64Array(offset);
  return { now: () => machine.now() + (cell[0] ?? 0) };
}

interface Measured {
  readonly offset: ClockOffset;
  readonly shift: ClockShift | undefined;
  readonly log: Log;
}

/** Looks what the database's clock tells, and goes by it from then on. */
export function createClockLook(
  sync: SyncConnection,
  { offset, shift, log }: Measured,
): () => void {
  const cell = new Float64Array(offset);
  const now = machineTime(shift);
  const storeTime = createStoreTime(sync);
  return () => {
    const asked = performance.now();
    const there = storeTime();
    const wayMs = performance.now() - asked;
    if (there === undefined || wayMs > LONGEST_WAY_MS) return;
    const found = there - (now() - wayMs / 2);
    const wanted = Math.abs(found) < LEAST_MS ? 0 : found;
    if (Math.abs(wanted - (cell[0] ?? 0)) < LEAST_MS) return;
    cell[0] = wanted;
    log.warn(
      { ahead_ms: Math.round(-found) },
      "the clock of this machine differs from the database's, which counts",
    );
  };
}
