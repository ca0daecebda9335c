/** Collects items and hands them over at most once per animation frame, in order. */
export interface FrameBatch<T> {
  add(item: T): void;
  /** Hands over what is waiting now. */
  flush(): void;
  /** Drops what is waiting. */
  cancel(): void;
}

/** Has something done in a while; answers what prevents it. */
export type Schedule = (run: () => void) => () => void;

/** With the next animation frame. */
const nextFrame: Schedule = (run) => {
  const handle = requestAnimationFrame(run);
  return () => cancelAnimationFrame(handle);
};

/** `schedule` defaults to the window's animation frames. */
export function createFrameBatch<T>(
  apply: (items: readonly T[]) => void,
  schedule: Schedule = nextFrame,
): FrameBatch<T> {
  let items: T[] = [];
  let prevent: (() => void) | null = null;
  const unschedule = (): void => {
    prevent?.();
    prevent = null;
  };
  const flush = (): void => {
    unschedule();
    if (items.length > 0) {
      const batch = items;
      items = [];
      apply(batch);
    }
  };
  return {
    add(item) {
      items.push(item);
      prevent ??= schedule(() => {
        prevent = null;
        flush();
      });
    },
    flush,
    cancel() {
      items = [];
      unschedule();
    },
  };
}

/**
 * With the next frame, but no sooner than `restMs` after the time before: what comes in one stream is
 * drawn often enough to be followed, and leaves the window time for everything else.
 */
export function pacedFrames(restMs: number): Schedule {
  let last = Number.NEGATIVE_INFINITY;
  return (run) => {
    const draw = (): void => {
      last = performance.now();
      run();
    };
    const left = last + restMs - performance.now();
    if (left <= 0) {
      return nextFrame(draw);
    }
    const timer = setTimeout(draw, left);
    return () => clearTimeout(timer);
  };
}
