import { useCallback, useEffect, useRef, useState } from 'react';

const DELAY_MS = 4_000;

/** An action that waits a moment, so that it can be taken back. */
export interface Delayed<T> {
  readonly waiting: T | null;
  start(value: T): void;
  /** Runs it at once. */
  now(): void;
  undo(): void;
}

/** Delays what a single key started; leaving the view takes it back. */
export function useDelayed<T>(run: (value: T) => void): Delayed<T> {
  const [waiting, setWaiting] = useState<T | null>(null);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (waiting === null) {
      return undefined;
    }
    const timer = setTimeout(() => {
      setWaiting(null);
      latest.current(waiting);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  const undo = useCallback(() => setWaiting(null), []);
  return {
    waiting,
    start: setWaiting,
    undo,
    now: () => {
      if (waiting !== null) {
        setWaiting(null);
        latest.current(waiting);
      }
    },
  };
}
