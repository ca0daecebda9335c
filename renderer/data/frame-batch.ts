/** Collects items and hands them over at most once per animation frame, in order. */
export interface FrameBatch<T> {
  add(item: T): void;
  /** Hands over what is waiting now. */
  flush(): void;
  /** Drops what is waiting. */
  cancel(): void;
}

/** `schedule` and `unschedule` default to the window's animation frames; tests pass their own. */
export function createFrameBatch<T>(
  apply: (items: readonly T[]) => void,
  schedule: (run: () => void) => number = (run) => requestAnimationFrame(run),
  unschedule: (handle: number) => void = (handle) => cancelAnimationFrame(handle),
): FrameBatch<T> {
  let items: T[] = [];
  let handle: number | null = null;
  const flush = (): void => {
    if (handle !== null) {
      unschedule(handle);
      handle = null;
    }
    if (items.length > 0) {
      const batch = items;
      items = [];
      apply(batch);
    }
  };
  return {
    add(item) {
      items.push(item);
      handle ??= schedule(() => {
        handle = null;
        flush();
      });
    },
    flush,
    cancel() {
      items = [];
      if (handle !== null) {
        unschedule(handle);
        handle = null;
      }
    },
  };
}
