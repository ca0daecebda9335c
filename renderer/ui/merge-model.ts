import { diff3Merge } from 'node-diff3';

export interface MergeResult {
  readonly text: string;
  /** Places where both sides changed the same lines; each is marked in the text. */
  readonly conflicts: number;
}

const lines = (text: string): string[] => text.split('\n');

/** Merges two versions of a text by lines. Overlapping changes are kept both, between markers. */
export function mergeTexts(base: string, mine: string, theirs: string): MergeResult {
  let conflicts = 0;
  const merged: string[] = [];
  for (const region of diff3Merge(lines(mine), lines(base), lines(theirs), {
    excludeFalseConflicts: true,
  })) {
    if (region.ok !== undefined) {
      merged.push(...region.ok);
    } else if (region.conflict !== undefined) {
      conflicts += 1;
      merged.push('<<<<<<< mine', ...region.conflict.a, '=======');
      merged.push(...region.conflict.b, '>>>>>>> theirs');
    }
  }
  return { text: merged.join('\n'), conflicts };
}

/** True while a merged text still holds conflict markers. */
export function hasConflictMarkers(text: string): boolean {
  return /^(<<<<<<< mine|=======|>>>>>>> theirs)$/m.test(text);
}
