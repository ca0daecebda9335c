import { useState } from 'react';

/** Rows that one step of scrolling passes over: from so many on nobody reads, until it is so few. */
const TOO_FAST = 6;
const READABLE = 3;

/** True while a list is scrolled faster than anybody reads: its rows need not be drawn or read. */
export function useSkim(first: number, isScrolling: boolean): boolean {
  const [seen, setSeen] = useState({ first, skims: false });
  const passed = Math.abs(first - seen.first);
  const skims =
    isScrolling && (passed === 0 ? seen.skims : passed > (seen.skims ? READABLE : TOO_FAST));
  if (seen.first !== first || seen.skims !== skims) {
    setSeen({ first, skims });
  }
  return skims;
}
