/** What a window still has to send is sent before it closes, or the wait ends. */
export interface Farewell<Window extends object> {
  /** The window says whether it has something left to send. */
  setUnsent(window: Window, unsent: boolean): void;
  hasUnsent(window: Window): boolean;
  /** Asks the window to send what is left; resolves when it has, or after the longest wait. */
  settle(window: Window): Promise<void>;
}

const LONGEST_WAIT_MS = 4_000;

/** Keeps which windows have something unsent; `ask` tells one of them that it is about to close. */
export function createFarewell<Window extends object>(
  ask: (window: Window) => void,
  longestWait = LONGEST_WAIT_MS,
): Farewell<Window> {
  const unsent = new Map<Window, Set<() => void>>();
  const release = (window: Window): void => {
    const waiting = unsent.get(window) ?? [];
    unsent.delete(window);
    for (const done of waiting) done();
  };
  return {
    hasUnsent: (window) => unsent.has(window),
    setUnsent(window, has) {
      if (!has) release(window);
      else if (!unsent.has(window)) unsent.set(window, new Set());
    },
    settle(window) {
      const waiting = unsent.get(window);
      if (waiting === undefined) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      // What is kept in the window is sent at its next start.
      const timer = setTimeout(() => release(window), longestWait);
      waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
      ask(window);
      return promise;
    },
  };
}
