import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** Arrow keys, Home and End move the focus among the parts of a list that the selector names. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = STEPS[event.key];
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  if (step === undefined || !plain) {
    return;
  }
  const parts = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? parts.indexOf(focused) : -1;
  parts[step(at, parts.length)]?.focus();
  event.preventDefault();
}
