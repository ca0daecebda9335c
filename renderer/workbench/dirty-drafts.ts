import { createStore } from '../ui/store.ts';

/** Drafts with unsaved text, as `project\nref`. */
export const dirtyDraftsStore = createStore<ReadonlySet<string>>(new Set());

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
