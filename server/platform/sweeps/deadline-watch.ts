/** Something with a deadline, in seconds since the epoch. */
interface Dated {
  readonly id: string;
  readonly due: number;
}

/** Tells what is due although the clock, which was set back, does not say so yet. */
export interface DeadlineWatch {
  /** The ids of those whose time has passed since they were first seen here. */
  overdue(open: readonly Dated[], now: number): Set<string>;
}

export function createDeadlineWatch(): DeadlineWatch {
  let ends = new Map<string, { readonly due: number; readonly end: number }>();
  return {
    overdue(open, now) {
      const elapsed = performance.now();
      const known = ends;
      ends = new Map();
      const found = new Set<string>();
      for (const { id, due } of open) {
        const seen = known.get(id);
        const end = seen?.due === due ? seen.end : elapsed + Math.max(0, due - now) * 1000;
        ends.set(id, { due, end });
        if (end <= elapsed) found.add(id);
      }
      return found;
    },
  };
}
