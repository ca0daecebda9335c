import { t } from '../../../../preload/texts/t.ts';
import type { AnalysisView } from '../../../../server/contract/studio/analyses.ts';
import type {
  LedgerEntry,
  LedgerFate,
  LedgerForm,
  LedgerReason,
  LedgerView,
  LedgerWhat,
} from '../../../../server/contract/studio/ledger.ts';
import { paths } from '../../../app/paths.ts';

export const FATES: readonly LedgerFate[] = ['carried', 'told', 'no_meaning', 'lost'];

export const FATE_TEXTS: Readonly<Record<LedgerFate, { label: string; about: string }>> = {
  carried: { label: t('Carried'), about: t('It stands in the draft.') },
  told: {
    label: t('Told by a gap'),
    about: t('The draft does not hold it as it was; a gap says so.'),
  },
  no_meaning: {
    label: t('Without meaning for a run'),
    about: t('No run could use it: a position, an id.'),
  },
  lost: {
    label: t('Lost unsaid'),
    about: t('The strict conversion neither carries it nor tells it. Import the file without it.'),
  },
};

export const WHAT_TEXTS: Readonly<Record<LedgerWhat, string>> = {
  node: t('Node'),
  output: t('Output'),
  attachment: t('Attachment'),
  parameter: t('Parameter'),
  credential: t('Credential'),
  setting: t('Setting'),
  note: t('Note'),
  file: t('File'),
};

const FORM_TEXTS: Readonly<Record<LedgerForm, string>> = {
  same: t('as it was'),
  translated: t('in the words of a spec'),
  redacted: t('without its secret'),
  note: t('as a note that no run reads'),
};

const REASON_TEXTS: Readonly<Record<LedgerReason, string>> = {
  canvas_position: t('where it was drawn'),
  colour: t('a colour'),
  element_id: t('an id of the source'),
  format_version: t('a version of the format'),
  display_cache: t('a name kept for display'),
  test_data: t('data of a test'),
  export_stamp: t('a mark of the export'),
  stored_state: t('a state of the source tool'),
  editor_only: t('for the editor of the source only'),
  empty: 'empty',
  source_default: t('the default of the source'),
  unused: t('not used by the source itself'),
};

/** What became of an entry beyond its fate: in which form, or why it means nothing. */
export function fateDetail({ form, reason }: LedgerEntry): string {
  if (form !== null) {
    return FORM_TEXTS[form];
  }
  return reason === null ? '' : REASON_TEXTS[reason];
}

export interface LedgerShare {
  readonly fate: LedgerFate;
  readonly entries: number;
  readonly leaves: number;
  /** Of all values, from 0 to 1. */
  readonly share: number;
}

/** How much of the source each fate is, by the values that the entries stand for. */
export function ledgerShares({ counts }: Pick<LedgerView, 'counts'>): readonly LedgerShare[] {
  const all = FATES.reduce((sum, fate) => sum + counts[fate].leaves, 0);
  return FATES.filter((fate) => fate !== 'lost' || counts.lost.entries > 0).map((fate) => ({
    fate,
    ...counts[fate],
    share: all === 0 ? 0 : counts[fate].leaves / all,
  }));
}

/** What of the ledger is shown. */
export interface LedgerFilter {
  readonly fate: LedgerFate | null;
  readonly what: LedgerWhat | null;
  readonly element: string | null;
  readonly text: string;
}

/** The query of a filter; what is not asked for is left out. */
export function ledgerQuery({ fate, what, element, text }: LedgerFilter) {
  const q = text.trim();
  return {
    ...(fate === null ? {} : { fate }),
    ...(what === null ? {} : { what }),
    ...(element === null ? {} : { element }),
    ...(q === '' ? {} : { q }),
  };
}

/** Heading and value of each column of the saved table. */
export const LEDGER_COLUMNS: readonly (readonly [
  string,
  (entry: LedgerEntry) => string | number,
])[] = [
  ['locator', (entry) => entry.locator],
  ['what', (entry) => entry.what],
  ['element', (entry) => entry.element ?? ''],
  ['label', (entry) => entry.label],
  ['fate', (entry) => entry.fate],
  ['draft', (entry) => entry.draft ?? ''],
  ['form', (entry) => entry.form ?? ''],
  ['gaps', (entry) => entry.gaps.join(' ')],
  ['reason', (entry) => entry.reason ?? ''],
  ['values', (entry) => entry.leaves],
];

/** Short names of elements that have the same, in the order of the source. */
export function elementChoices(
  nodes: readonly { readonly source_id: string; readonly label: string }[],
): readonly { value: string; label: string }[] {
  const seen = new Map<string, number>();
  return nodes.map(({ source_id, label }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { value: source_id, label: count === 1 ? label : `${label} (${count})` };
  });
}

/** Where the links of a row lead. */
export interface LedgerPlace {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  readonly gaps: AnalysisView['gaps'];
  /** Names of the source's elements. */
  readonly elements: readonly { readonly source_id: string; readonly label: string }[];
}

/** The draft of an address, where it is known. */
export function refOf({ draftRef }: LedgerPlace) {
  return draftRef === undefined ? {} : { ref: draftRef };
}

/** The page that a row opens: its line of the draft, its gap, else its element in the source. */
export function placeOfEntry(place: LedgerPlace, entry: LedgerEntry): string | undefined {
  const { projectId, analysisId, draftRef } = place;
  const [gap] = entry.gaps;
  if (entry.draft !== null && draftRef !== undefined) {
    return paths.draft(projectId, draftRef, { path: entry.draft });
  }
  if (gap !== undefined) {
    return paths.gaps(projectId, analysisId, { ...refOf(place), gap });
  }
  return entry.element === null
    ? undefined
    : paths.gaps(projectId, analysisId, { ...refOf(place), source: entry.element });
}
