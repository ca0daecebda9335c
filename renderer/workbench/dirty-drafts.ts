import { localStore } from '../desktop/local-store.ts';
import { createStore } from '../ui/store.ts';

const KEPT = 'buffer:';

/** Drafts with unsaved text, as `project\nref`, with those that an earlier window left. */
export const dirtyDraftsStore = createStore<ReadonlySet<string>>(
  new Set(
    localStore
      .keys()
      .filter((key) => key.startsWith(KEPT))
      .map((key) => key.slice(KEPT.length)),
  ),
);

/** Marks a draft as having unsaved text, or no longer. */
export function markDirty(projectId: string, ref: string, dirty: boolean): void {
  const key = `${projectId}\n${ref}`;
  dirtyDraftsStore.set((drafts) => {
    if (drafts.has(key) === dirty) {
      return drafts;
    }
    const next = new Set(drafts);
    if (dirty) {
      next.add(key);
    } else {
      next.delete(key);
    }
    return next;
  });
}
