import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import { fileName, isGenerated } from '../../data/draft-names.ts';

export interface TreeItem {
  readonly ref: string;
  readonly name: string;
  /** Folder shown after the name; empty for files of the generated namespace. */
  readonly folder: string;
  readonly kind: string;
  readonly readOnly: boolean;
  readonly missing: boolean;
  readonly analysisIds: readonly string[];
}

export interface TreeGroup {
  readonly title: string;
  readonly items: readonly TreeItem[];
}

function item(draft: DraftSummary): TreeItem {
  const name = fileName(draft.ref);
  return {
    ref: draft.ref,
    name,
    folder: isGenerated(draft.ref) ? '' : draft.ref.slice(0, -name.length - 1),
    kind: draft.kind,
    readOnly: draft.capabilities !== 'read_write',
    missing: draft.revision === null,
    analysisIds: draft.analysis_ids,
  };
}

/** The tree of a project: generated drafts first, then registered files of the tree. */
export function treeGroups(drafts: readonly DraftSummary[]): readonly TreeGroup[] {
  const items = drafts.map(item);
  const generated = items.filter(({ ref }) => isGenerated(ref));
  const files = items.filter(({ ref }) => !isGenerated(ref));
  return [
    { title: 'Drafts', items: generated },
    { title: 'Project files', items: files },
  ].filter((group) => group.items.length > 0);
}
