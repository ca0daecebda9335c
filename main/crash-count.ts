/** So many ends within {@link WITHIN_MS} are no accident: going on as before would end again. */
const MOST = 3;
const WITHIN_MS = 60_000;

/** Counts the unexpected ends of one thing. */
export interface CrashCount {
  /** Notes an end; true when it ended too often for another try. */
  note(now: number): boolean;
}

export function createCrashCount(): CrashCount {
  let ends: number[] = [];
  return {
    note(now) {
      ends = [...ends.filter((at) => now - at < WITHIN_MS), now];
      if (ends.length < MOST) return false;
      ends = [];
      return true;
    },
  };
}
