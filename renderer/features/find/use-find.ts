import { useEffect, useState } from 'react';
import { readDraft } from '../../../server/contract/studio/drafts.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { bufferKey } from '../../desktop/kept-drafts.ts';
import { readSafe } from '../../desktop/safe-store.ts';
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
const AT_ONCE = 6;
const FRESH_MS = 5_000;

function unsavedText(projectId: string, ref: string): string | undefined {
  const kept = readSafe(bufferKey(projectId, ref));
  const has = typeof kept === 'object' && kept !== null && 'text' in kept;
  return has && typeof kept.text === 'string' ? kept.text : undefined;
}

async function textOf(projectId: string, ref: string): Promise<{ text: string; unsaved: boolean }> {
  const kept = unsavedText(projectId, ref);
  if (kept !== undefined) return { text: kept, unsaved: true };
  const route = routeQuery(readDraft, { params: { project_id: projectId, ref } });
  const { text } = await queryClient.fetchQuery({ ...route, staleTime: FRESH_MS });
  return { text, unsaved: false };
}

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
    const waiting = all.split('\n');
    const look = async (ref: string): Promise<void> => {
      try {
        const { text, unsaved } = await textOf(projectId, ref);
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
    const work = async (): Promise<void> => {
      for (let ref = waiting.shift(); ref !== undefined && wanted; ref = waiting.shift()) {
        await look(ref);
      }
    };
    for (let worker = 0; worker < AT_ONCE; worker += 1) void work();
    return () => {
      wanted = false;
    };
  }, [projectId, all, finder]);
  return state;
}
