import { t } from '../../../../preload/texts/t.ts';
import type { RepairOffer } from '../../../../server/gaps/estate/repairs.ts';
import type { FixOffer, FixResult, FixTarget } from '../../../../server/gaps/fixes/fix-types.ts';
import { diffHunks } from '../../../../server/spec/edit/diff-lines.ts';

/** A file of an import whose draft a repair may edit. */
export interface RepairFile {
  readonly path: string;
  readonly name: string;
  readonly draft: string;
  readonly analysisId: string;
  readonly facts: { readonly id: string | null; readonly name: string | null };
}

/** A draft that a repair may edit, as it was read. */
export interface RepairDraft {
  readonly ref: string;
  readonly name: string;
  /** Names the workflow through its exports. */
  readonly workflow: string;
  readonly text: string;
  readonly revision: string;
  readonly targets: readonly FixTarget[];
  readonly offers: readonly FixOffer[];
}

/** What has become of a draft's edit. `moved`: somebody saved the draft since it was read. */
export type Outcome =
  | { readonly state: 'saved'; readonly revision: string; readonly before: string }
  | { readonly state: 'moved' | 'failed'; readonly reason: string };

/** A draft with the edit that is proposed for it. */
export interface RepairRow {
  readonly draft: RepairDraft;
  /** Undefined while it is made. */
  readonly result: FixResult | undefined;
  readonly outcome: Outcome | undefined;
  /** Why the edit cannot be saved; undefined when it can. */
  readonly hindrance: string | undefined;
}

/** The targets of a draft that an edit answers. */
export function targetsOf(draft: RepairDraft, offer: RepairOffer): readonly FixTarget[] {
  const ids = new Set(offer.gaps.get(draft.ref));
  return draft.targets.filter(({ gap_id }) => ids.has(gap_id));
}

/** Why an edit is not for saving; undefined when it is, and while it is made. */
export function hindranceOf(
  draft: RepairDraft,
  result: FixResult | undefined,
  unsaved: boolean,
): string | undefined {
  if (unsaved) {
    return t('The editor holds unsaved text of it');
  }
  if (result === undefined) {
    return undefined;
  }
  if (result.newError !== null) {
    return t('It would not be valid: {newError}', { newError: result.newError });
  }
  if (result.done.length === 0) {
    return result.refused[0]?.reason ?? t('Nothing to edit');
  }
  return result.text === draft.text ? t('It says so already') : undefined;
}

/** Lines that an edit adds and takes away. */
export function lineCounts(before: string, after: string): { added: number; removed: number } {
  const signs = diffHunks(before, after).flatMap(({ rows }) => rows.map(({ sign }) => sign));
  return {
    added: signs.filter((sign) => sign === '+').length,
    removed: signs.filter((sign) => sign === '-').length,
  };
}

/** True when an edit can be saved now. */
export function isReady({ result, hindrance, outcome }: RepairRow): boolean {
  return result !== undefined && hindrance === undefined && outcome?.state !== 'saved';
}
