import { useEffect, useRef } from 'react';
import { createStore, useStore } from './store.ts';

/** What is told next; a new object tells the same words again. */
const said = createStore<{ readonly text: string }>({ text: '' });

/** Tells something to who does not see it, after what is being read; nothing moves or takes the focus. */
export function announce(text: string): void {
  said.set({ text });
}

/** The one place that the window tells changes from. It is there from the start, or nobody listens. */
export function Announcer() {
  const { text } = useStore(said);
  return (
    <div className="sw-visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {text}
    </div>
  );
}

/**
 * Tells a state when it becomes another one; not the first, which is read with its page. Null is no
 * state: what comes after it is told when it is another one than before it. States of one text are
 * told apart by `key`.
 */
export function useAnnounced(text: string | null, key = text): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (text === null) {
      return;
    }
    if (before.current !== null && key !== before.current) {
      announce(text);
    }
    before.current = key;
  }, [text, key]);
}
