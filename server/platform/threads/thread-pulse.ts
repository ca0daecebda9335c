const RUN_ID_BYTES = 64;
const TICKS = 0;

export type PulseMemory = SharedArrayBuffer;

export function pulseMemory(): PulseMemory {
  return new SharedArrayBuffer(4 + RUN_ID_BYTES);
}

/** Signs of life of a thread, readable while the thread itself answers nothing. */
export interface ThreadPulse {
  /** The event loop turned. */
  beat(): void;
  beats(): number;
  /** This run is computed from now on. */
  enter(runId: string): void;
  /** The run entered last; null before the first. */
  current(): string | null;
}

/** A pulse over memory that the threads share. */
export function createThreadPulse(memory: PulseMemory): ThreadPulse {
  const ticks = new Int32Array(memory, 0, 1);
  const name = Buffer.from(memory, 4, RUN_ID_BYTES);
  return {
    beat: () => void Atomics.add(ticks, TICKS, 1),
    beats: () => Atomics.load(ticks, TICKS),
    enter(runId) {
      const written = name.write(runId, 0, 'latin1');
      if (written < RUN_ID_BYTES) name[written] = 0;
    },
    current() {
      const end = name.indexOf(0);
      const text = name.toString('latin1', 0, end === -1 ? RUN_ID_BYTES : end);
      return text === '' ? null : text;
    },
  };
}
