import { type RefObject, useCallback, useEffect, useState } from 'react';
import { type Found, findWords, hasWords, wordsOf } from './find-text.ts';

const ALL = 'settings-found';
const CURRENT = 'settings-current';

interface Matches {
  /** Ids of the sections that have the words; null while nothing is looked for. */
  readonly sections: ReadonlySet<string> | null;
  readonly found: readonly Found[];
}

const NOTHING_ASKED: Matches = { sections: null, found: [] };

function read(room: HTMLElement | null, text: string): Matches {
  const words = wordsOf(text);
  if (room === null || words.length === 0) {
    return NOTHING_ASKED;
  }
  const sections = [...room.querySelectorAll<HTMLElement>('section[data-section]')].filter((one) =>
    hasWords(one, words),
  );
  return {
    sections: new Set(sections.map(({ dataset }) => dataset['section'] ?? '')),
    found: findWords(sections, words),
  };
}

/** Marks text without changing the page; a browser that cannot still shows the sections. */
function mark(name: string, found: readonly Found[]): void {
  if (typeof CSS === 'undefined' || CSS.highlights === undefined) {
    return;
  }
  CSS.highlights.delete(name);
  if (found.length > 0) {
    CSS.highlights.set(name, new Highlight(...found.map(({ range }) => range)));
  }
}

/** Looks for words in everything that the settings show, also in what comes later. */
export function useSettingsSearch(room: RefObject<HTMLElement | null>, text: string) {
  const [{ sections, found }, setMatches] = useState(NOTHING_ASKED);
  const [at, setAt] = useState(-1);
  useEffect(() => {
    const look = (): void => setMatches(read(room.current, text));
    look();
    setAt(-1);
    if (room.current === null || wordsOf(text).length === 0) {
      return;
    }
    const watch = new MutationObserver(look);
    watch.observe(room.current, { childList: true, subtree: true, characterData: true });
    return () => watch.disconnect();
  }, [room, text]);
  useEffect(() => {
    mark(ALL, found);
    const current = found[at];
    mark(CURRENT, current === undefined ? [] : [current]);
    return () => {
      mark(ALL, []);
      mark(CURRENT, []);
    };
  }, [found, at]);
  /** Goes on to the next place, or back to the one before; from the last to the first. */
  const step = useCallback(
    (by: 1 | -1): void => {
      if (found.length === 0) {
        return;
      }
      const next = at < 0 && by < 0 ? found.length - 1 : (at + by + found.length) % found.length;
      setAt(next);
      found[next]?.range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    },
    [found, at],
  );
  return { sections, count: found.length, at, step };
}
