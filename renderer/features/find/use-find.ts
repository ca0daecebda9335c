import { useEffect, useState } from 'react';
import { forEachDraft, standingText } from '../../data/draft-texts.ts';
import type { Finder, FoundIn } from './find-model.ts';

/** A draft with the lines that were found in it. */
export interface FoundDraft extends FoundIn {
  readonly ref: string;
  /** The text that was searched is not saved yet. */
  readonly unsaved: boolean;
}

/** How far a search has come. */
export interface FindState {
  readonly found: readonly FoundDraft[];
  readonly looked: number;
  /** Drafts that could not be read. */
  readonly failed: readonly string[];
}

const NOTHING: FindState = { found: [], looked: 0, failed: [] };

/** Searches the texts of drafts as they stand, unsaved ones included; a newer search ends an older one. */
export function useFind(
  projectId: string,
  refs: readonly string[],
  finder: Finder | undefined,
): FindState {
  const [state, setState] = useState<FindState>(NOTHING);
  const all = refs.join('\n');
  useEffect(() => {
    setState(NOTHING);
    if (finder === undefined || all === '') return undefined;
    let wanted = true;
    const look = async (ref: string): Promise<void> => {
      try {
        const { text, unsaved } = await standingText(projectId, ref);
        if (!wanted) return;
        const made = finder(text);
        const hit = made.lines.length > 0 || !made.whole ? [{ ref, unsaved, ...made }] : [];
        setState((now) => ({ ...now, found: [...now.found, ...hit], looked: now.looked + 1 }));
      } catch {
        // Said on the page: the others are searched all the same.
        if (wanted) {
          setState((now) => ({ ...now, failed: [...now.failed, ref], looked: now.looked + 1 }));
        }
      }
    };
    void forEachDraft(all.split('\n'), look, () => wanted);
    return () => {
      wanted = false;
    };
  }, [projectId, all, finder]);
  return state;
}
