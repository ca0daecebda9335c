import { t } from '../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import type { BatchRow } from './import-batch-store.ts';

/** Why a draft of an import stays when the import is undone. */
export type StayReason = 'edited' | 'unsaved' | 'artifact' | 'existed';

export const STAY_TEXTS: Readonly<Record<StayReason, string>> = {
  edited: t('changed since'),
  unsaved: t('has unsaved text in the editor'),
  artifact: t('an artifact was made of it'),
  existed: t('was there before this import'),
};

/** What undoing an import removes, and what it leaves. */
export interface UndoPlan {
  readonly remove: readonly { readonly ref: string; readonly revision: string }[];
  readonly stay: readonly { readonly ref: string; readonly why: StayReason }[];
}

export interface UndoFacts {
  readonly drafts: readonly Pick<DraftSummary, 'ref' | 'revision'>[];
  /** Drafts that artifacts were made of. */
  readonly inArtifacts: ReadonlySet<string>;
  readonly unsaved: ReadonlySet<string>;
}

function stays(row: BatchRow, revision: string | null, facts: UndoFacts): StayReason | undefined {
  const ref = row.report.draft ?? '';
  if (row.existed) {
    return 'existed';
  }
  if (facts.unsaved.has(ref)) {
    return 'unsaved';
  }
  if (facts.inArtifacts.has(ref)) {
    return 'artifact';
  }
  return revision === row.revision ? undefined : 'edited';
}

/** Drafts that are as they were imported go; a draft that is gone already is not spoken of. */
export function undoPlan(rows: readonly BatchRow[], facts: UndoFacts): UndoPlan {
  const now = new Map(facts.drafts.map(({ ref, revision }) => [ref, revision]));
  const remove = new Map<string, string>();
  const stay = new Map<string, StayReason>();
  for (const row of rows) {
    const ref = row.report.draft;
    const revision = ref === null ? undefined : now.get(ref);
    if (ref === null || row.revision === null || revision === undefined) {
      continue;
    }
    const why = stays(row, revision, facts);
    if (why === undefined) {
      remove.set(ref, row.revision);
    } else {
      stay.set(ref, why);
    }
  }
  return {
    remove: [...remove].flatMap(([ref, revision]) => (stay.has(ref) ? [] : [{ ref, revision }])),
    stay: [...stay].map(([ref, why]) => ({ ref, why })),
  };
}
