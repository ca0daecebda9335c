import { readSafe, safeKeys, writeSafe } from './safe-store.ts';
import { isOtherWindow, windowFacts } from './this-window.ts';

const PREFIX = 'buffer:';

/** A draft by its project and path. */
export interface KeptDraft {
  readonly projectId: string;
  readonly ref: string;
}

/** Where the unsaved text of a draft is kept in a browser, and was by versions of one window. */
export function bufferKey(projectId: string, ref: string): string {
  return `${PREFIX}${projectId}\n${ref}`;
}

/** Where this window keeps it: two windows may hold two texts of one draft. */
function ownKey(projectId: string, ref: string): string {
  const id = windowFacts()?.id;
  return id === undefined ? bufferKey(projectId, ref) : `${bufferKey(projectId, ref)}\n${id}`;
}

/** Kept texts of windows that are open now belong to them. */
function isFree(key: string): boolean {
  const [, , id] = key.split('\n');
  return id === undefined || !isOtherWindow(id);
}

function keysOf(projectId: string, ref: string): readonly string[] {
  const base = bufferKey(projectId, ref);
  const all = safeKeys(base).filter((key) => key === base || key.startsWith(`${base}\n`));
  const own = ownKey(projectId, ref);
  return [...all.filter((key) => key === own), ...all.filter((key) => key !== own)];
}

/** The drafts whose unsaved text is kept and open in no other window. */
export function keptDrafts(): readonly KeptDraft[] {
  const found = safeKeys(PREFIX)
    .filter(isFree)
    .map((key) => key.slice(PREFIX.length).split('\n').slice(0, 2).join('\n'));
  return [...new Set(found)].flatMap((name) => {
    const [projectId, ref] = name.split('\n');
    return projectId === undefined || ref === undefined ? [] : [{ projectId, ref }];
  });
}

/** Unsaved text of a draft, this window's first, another one's else; undefined where there is none. */
export function anyKeptText(projectId: string, ref: string): unknown {
  const [key] = keysOf(projectId, ref);
  return key === undefined ? undefined : readSafe(key);
}

/** Takes over the unsaved text that this window, or one that is gone, left of a draft. */
export function takeKeptText(projectId: string, ref: string): unknown {
  const own = ownKey(projectId, ref);
  const key = keysOf(projectId, ref).find(isFree);
  const text = key === undefined ? undefined : readSafe(key);
  if (key !== undefined && key !== own) {
    writeSafe(own, text);
    writeSafe(key, null);
  }
  return text;
}

/** Keeps unsaved text of this window; null forgets it. `leaving` is true while the page goes. */
export function keepText({ projectId, ref }: KeptDraft, text: unknown, leaving: boolean): void {
  writeSafe(ownKey(projectId, ref), text, leaving);
}
