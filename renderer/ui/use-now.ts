import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

/** A clock whose every reader sees the same time; it runs while somebody reads it. */
function createClock(everyMs: number): (runs?: boolean) => number {
  const clock = createStore(Date.now());
  let readers = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return function useClock(runs = true): number {
    useEffect(() => {
      if (!runs) {
        return undefined;
      }
      readers += 1;
      timer ??= setInterval(() => clock.set(Date.now()), everyMs);
      clock.set(Date.now());
      return () => {
        readers -= 1;
        if (readers === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      };
    }, [runs]);
    return useStore(clock);
  };
}

/** The current time in milliseconds, read again every few seconds. */
export const useNow = createClock(5_000);

/** The current time in milliseconds, read again every second. */
export const useSeconds = createClock(1_000);
