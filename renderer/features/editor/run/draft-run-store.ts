import { createStore } from '../../../ui/store.ts';
import type { PlacedFinding } from '../locate-findings.ts';

/** A run of a draft's text from the editor. `text` is the one that the state is about. */
export type DraftRunState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'starting'; readonly text: string }
  | {
      readonly phase: 'refused';
      readonly text: string;
      readonly findings: readonly PlacedFinding[];
      /** What was refused beside the findings; undefined when they say all. */
      readonly error: unknown;
    }
  | { readonly phase: 'started'; readonly text: string; readonly runId: string };

type Runs = ReadonlyMap<string, DraftRunState>;

/** The latest run of each draft that was open in this window; a draft without one has no entry. */
export const draftRunsStore = createStore<Runs>(new Map());

/** Sets the run of a draft; null closes it. */
export function setDraftRun(key: string, state: DraftRunState | null): void {
  draftRunsStore.set((runs) => {
    const next = new Map(runs);
    if (state === null) {
      next.delete(key);
    } else {
      next.set(key, state);
    }
    return next;
  });
}
