/** What lies over the page for a moment and goes with its last key. */
const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';
/** The page itself, when nothing better is left. */
const HEADING = 'main h1[tabindex="-1"]';
const MOST_KEPT = 20;

interface Visit {
  readonly element: HTMLElement;
  readonly over: boolean;
}

function isThere(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

/**
 * Keeps the keyboard in the window when what it stood on goes: from a dialog or a menu back to where
 * it was before, else to the heading of the page. Answers the way to stop.
 */
export function keepFocus(root: Document): () => void {
  let last: Visit | undefined;
  const onPage: HTMLElement[] = [];
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    last = { element: target, over: target.closest(OVER) !== null };
    if (!last.over) onPage.push(target);
    if (onPage.length > MOST_KEPT) onPage.shift();
  };
  const restore = (): void => {
    if (last === undefined || last.element.isConnected || root.activeElement !== root.body) return;
    const before = last.over ? onPage.findLast(isThere) : undefined;
    const goal = before ?? root.querySelector<HTMLElement>(HEADING);
    goal?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    // Who removes it may move the keyboard itself, a moment later.
    if (last?.element.isConnected === false) requestAnimationFrame(restore);
  });
  root.addEventListener('focusin', onFocus);
  observer.observe(root.body, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', onFocus);
    observer.disconnect();
  };
}
