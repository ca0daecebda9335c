import { safeKeys } from './safe-store.ts';

const PREFIX = 'buffer:';

/** Where the unsaved text of a draft is kept. */
export function bufferKey(projectId: string, ref: string): string {
  return `${PREFIX}${projectId}\n${ref}`;
}

/** The drafts whose unsaved text is kept. */
export function keptDrafts(): readonly { readonly projectId: string; readonly ref: string }[] {
  return safeKeys(PREFIX).flatMap((key) => {
    const [projectId, ref] = key.slice(PREFIX.length).split('\n');
    return projectId === undefined || ref === undefined ? [] : [{ projectId, ref }];
  });
}
