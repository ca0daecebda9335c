/** For how long after a caller's write callers count as writing. */
const FRESH_MS = 3;

export type PressureMemory = SharedArrayBuffer;

export function pressureMemory(): PressureMemory {
  return new SharedArrayBuffer(4);
}

/**
 * Tells workers that callers write at this moment. Who waits for an answer goes first: a worker then
 * leaves the store and the processor to them for most of the time, never for all of it.
 */
export interface CallerPressure {
  /** A caller's run was written just now. */
  note(): void;
  isHigh(): boolean;
}

/** The pressure over memory that the threads share. */
export function createCallerPressure(memory: PressureMemory): CallerPressure {
  const word = new Int32Array(memory);
  // Of the process: the clock of a thread begins with the thread.
  const now = (): number => Math.trunc(process.uptime() * 1000) | 0;
  return {
    note: () => void Atomics.store(word, 0, now()),
    isHigh: () => ((now() - Atomics.load(word, 0)) | 0) <= FRESH_MS,
  };
}
