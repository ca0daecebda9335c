import { useEffect, useRef } from 'react';
import { preferencesStore } from '../data/preferences.ts';
import { useStore } from '../ui/store.ts';
import {
  SINGLE_KEYS,
  type SingleKeyId,
  singleKeyOf,
  singleKeyOfStroke,
  useChangedSingleKeys,
} from './single-keys.ts';

/**
 * Elements in which a key is text or a choice. Check boxes and radio buttons take Space and arrows
 * only.
 */
const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** False where somebody switched single keys off: speech input, or a hand that rests on the keyboard. */
export function useSingleKeysOn(): boolean {
  return useStore(preferencesStore).single_keys !== false;
}

/** Single keys that act while nobody is typing, `wanted` is true and they are not switched off. */
export function useSingleKeys(
  actions: Readonly<Partial<Record<SingleKeyId, () => void>>>,
  wanted = true,
): void {
  const enabled = useSingleKeysOn() && wanted;
  const changed = useChangedSingleKeys();
  const latest = useRef({ actions, changed });
  useEffect(() => {
    latest.current = { actions, changed };
  });
  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest(TYPING) !== null;
      const key = singleKeyOfStroke(event);
      if (typing || key === undefined) {
        return;
      }
      const now = latest.current;
      const action = SINGLE_KEYS.find(
        ({ id }) => now.actions[id] !== undefined && singleKeyOf(id, now.changed) === key,
      );
      if (action !== undefined) {
        event.preventDefault();
        now.actions[action.id]?.();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
