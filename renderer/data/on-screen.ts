import { useEffect } from 'react';

/** How many parts of the window show what an address leads to. */
const shown = new Map<string, number>();

/** Says that this part of the window shows what the address leads to. */
export function useOnScreen(path: string): void {
  useEffect(() => {
    shown.set(path, (shown.get(path) ?? 0) + 1);
    return () => {
      const left = (shown.get(path) ?? 1) - 1;
      if (left === 0) shown.delete(path);
      else shown.set(path, left);
    };
  }, [path]);
}

/** True while some part of the window shows what the address leads to. */
export function isOnScreen(path: string): boolean {
  return shown.has(path);
}
