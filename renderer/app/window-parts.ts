/** Marks a part of the window that F6 goes to: `<aside {...WINDOW_PART}>`. */
export const WINDOW_PART = { 'data-part': '' } as const;

const PART = '[data-part]';
const REACHED =
  'a[href], button, input, select, textarea, [contenteditable="true"], [tabindex]:not([tabindex="-1"])';

/** Where somebody was in a part that they left. */
const left = new WeakMap<Element, HTMLElement>();

function isReached(element: HTMLElement, part: Element): boolean {
  return (
    element.closest(PART) === part &&
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

/** Where the keyboard goes in a part: to where it was there, else to the first that Tab reaches. */
function goalOf(part: Element): HTMLElement | undefined {
  const before = left.get(part);
  return before?.isConnected === true && isReached(before, part)
    ? before
    : [...part.querySelectorAll<HTMLElement>(REACHED)].find((one) => isReached(one, part));
}

/**
 * Moves the keyboard to the next part of the window, or to the one before, around the ends. A part
 * without anything to reach is passed over; a dialog keeps the keyboard.
 */
export function goToPart(step: 1 | -1, root: Document = document): void {
  const active = root.activeElement;
  if (root.querySelector('[aria-modal="true"]') !== null) return;
  const parts = [...root.querySelectorAll(PART)];
  const here = active?.closest(PART) ?? null;
  if (here !== null && active instanceof HTMLElement) left.set(here, active);
  const from = here === null ? (step === 1 ? -1 : 0) : parts.indexOf(here);
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts[(from + step * count + parts.length * 2) % parts.length];
    const goal = part === undefined || part === here ? undefined : goalOf(part);
    if (goal !== undefined) {
      goal.focus();
      return;
    }
  }
}
