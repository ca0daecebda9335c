import { useEffect, useRef } from 'react';
import { preferencesStore } from '../data/preferences.ts';
import { useStore } from '../ui/store.ts';

/**
 * Elements in which a key is text or a choice. Check boxes and radio buttons take Space and arrows
 * only.
 */
const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** A sign such as `?` needs Shift on most keyboards; a letter with Shift is another key. */
function isPlain(event: KeyboardEvent): boolean {
  const sign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase();
  return !event.ctrlKey && !event.metaKey && !event.altKey && (!event.shiftKey || sign);
}

/** False where somebody switched single keys off: speech input, or a hand that rests on the keyboard. */
export function useSingleKeysOn(): boolean {
  return useStore(preferencesStore).single_keys !== false;
}

/** Single keys that act while nobody is typing, `wanted` is true and they are not switched off. */
export function useSingleKeys(keys: Readonly<Record<string, () => void>>, wanted = true): void {
  const enabled = useSingleKeysOn() && wanted;
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
      const run = latest.current[event.key];
      if (!typing && isPlain(event) && run !== undefined) {
        event.preventDefault();
        run();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
