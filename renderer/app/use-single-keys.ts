import { useEffect, useRef } from 'react';

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

/** Single keys that act while nobody is typing and `enabled` is true. */
export function useSingleKeys(keys: Readonly<Record<string, () => void>>, enabled = true): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest(TYPING) !== null;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      const run = latest.current[event.key];
      if (!typing && plain && run !== undefined) {
        event.preventDefault();
        run();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
