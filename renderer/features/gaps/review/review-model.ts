import { t } from '../../../../preload/texts/t.ts';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import type { AuthoredArtifact } from '../../../../server/contract/studio/artifact-view.ts';

type Entry = Pick<
  AnalysisEntry,
  | 'analysis_id'
  | 'ref'
  | 'revision'
  | 'linked'
  | 'state'
  | 'record'
  | 'superseded_by'
  | 'open_blocking'
  | 'open_manual'
  | 'created_at'
>;

/** Gaps of an analysis that somebody still has to settle. */
export function openCount(entry: Pick<Entry, 'open_blocking' | 'open_manual'>): number {
  return entry.open_blocking + entry.open_manual;
}

/** True when the gaps of an analysis can be shown at all. */
export function isReadable(entry: Pick<Entry, 'state' | 'record'>): boolean {
  return entry.state === 'active' && entry.record === 'kept';
}

function rank(entry: Entry): readonly number[] {
  return [
    isReadable(entry) ? 1 : 0,
    entry.open_blocking > 0 ? 1 : 0,
    openCount(entry) > 0 ? 1 : 0,
    entry.superseded_by === null ? 1 : 0,
  ];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

/**
 * The analysis that "Review gaps" opens: one that can be read before one that cannot, what blocks
 * before what is open, the elected before the replaced, then the newest. Undefined without any.
 */
export function reviewTarget<E extends Entry>(entries: readonly E[]): E | undefined {
  return entries.toSorted(
    (a, b) => compareRanks(rank(a), rank(b)) || b.created_at.localeCompare(a.created_at),
  )[0];
}

/** Another analysis of the same draft or artifact that still has something open. */
export function openElsewhere<E extends Entry>(
  entries: readonly E[],
  analysisId: string,
): E | undefined {
  const others = entries.filter(
    (entry) => entry.analysis_id !== analysisId && isReadable(entry) && openCount(entry) > 0,
  );
  return reviewTarget(others);
}

/** What stands between a person and an analysis, and the one thing that removes it. */
export interface Trouble {
  readonly code:
    | 'quarantined'
    | 'reclaimed'
    | 'missing_file'
    | 'by_bytes_only'
    | 'superseded'
    | 'as_imported';
  readonly text: string;
  readonly way: 'import_again' | 'find_file' | 'open_successor' | 'edit_draft' | null;
}

const TROUBLES: readonly {
  readonly holds: (entry: Entry & Pick<AnalysisEntry, 'output_sha256'>) => boolean;
  readonly trouble: Trouble;
}[] = [
  {
    holds: ({ state }) => state === 'quarantined',
    trouble: {
      code: 'quarantined',
      text: t(
        'What was stored of this import is damaged, so it is believed no more: its gaps cannot be shown, and artifacts that carry it cannot be exported. Import the source again and create a new artifact.',
      ),
      way: 'import_again',
    },
  },
  {
    holds: ({ record }) => record === 'reclaimed',
    trouble: {
      code: 'reclaimed',
      text: t(
        'The details of this import were dropped to save room; only how many gaps it had is known. Import the source again to get them back.',
      ),
      way: 'import_again',
    },
  },
  {
    holds: ({ revision }) => revision === null,
    trouble: {
      code: 'missing_file',
      text: t(
        'The file of the draft is not where it was, so that nothing can be attested. Put it back, or tell the project in the file tree where it moved to.',
      ),
      way: 'find_file',
    },
  },
  {
    holds: ({ linked }) => !linked,
    trouble: {
      code: 'by_bytes_only',
      text: t(
        'This import belongs to another draft and counts here only because both files are equal. Its gaps are attested on the other draft; an edit of this one ends it.',
      ),
      way: null,
    },
  },
  {
    holds: ({ superseded_by }) => superseded_by !== null,
    trouble: {
      code: 'superseded',
      text: t(
        'The same source was imported again since, and the later analysis speaks for it. This one still counts for the draft and for artifacts that carry it.',
      ),
      way: 'open_successor',
    },
  },
  {
    holds: (entry) => entry.open_blocking > 0 && entry.revision === entry.output_sha256,
    trouble: {
      code: 'as_imported',
      text: t(
        'The draft is still exactly as it was imported: blocking gaps are attested once it was edited.',
      ),
      way: 'edit_draft',
    },
  },
];

/** The gravest thing that somebody who opens this analysis must know; undefined when all is well. */
export function troubleOf(
  entry: Entry & Pick<AnalysisEntry, 'output_sha256'>,
): Trouble | undefined {
  return TROUBLES.find(({ holds }) => holds(entry))?.trouble;
}

type Carrier = Pick<AuthoredArtifact, 'id' | 'analysis_ids' | 'base' | 'overlays'>;

/** Where acknowledgements of an analysis go, and an artifact that was asked for and cannot take them. */
export interface Acknowledging<A extends Carrier> {
  readonly artifact: A | undefined;
  /** `other`: it does not carry the analysis; `gone`: it was deleted or never was. */
  readonly refused: { readonly id: string; readonly why: 'other' | 'gone' } | undefined;
}

/**
 * The artifact asked for when it carries the analysis, else the newest one of the draft that does.
 * `artifacts` stand newest first.
 */
export function acknowledgingArtifact<A extends Carrier>(
  artifacts: readonly A[],
  analysisId: string,
  at: { readonly ref: string | undefined; readonly asked: string | undefined },
): Acknowledging<A> {
  const carries = (one: A): boolean => one.analysis_ids.includes(analysisId);
  const asked = artifacts.find(({ id }) => id === at.asked);
  if (asked !== undefined && carries(asked)) {
    return { artifact: asked, refused: undefined };
  }
  const isOf = ({ base, overlays }: A): boolean =>
    at.ref === undefined || [base, ...overlays].some(({ path }) => path === at.ref);
  return {
    artifact: artifacts.find((one) => carries(one) && isOf(one)),
    refused:
      at.asked === undefined
        ? undefined
        : { id: at.asked, why: asked === undefined ? 'gone' : 'other' },
  };
}

/**
 * The analyses that stand beside the one shown: those of the artifact in the address if it carries
 * it, else those of its draft. Without either in the address it stands alone.
 */
export function entriesShown<E extends Entry>(
  ofArtifact: readonly E[] | undefined,
  ofDraft: readonly E[] | undefined,
  at: {
    readonly analysisId: string;
    readonly artifactId: string | undefined;
    readonly draftRef: string | undefined;
  },
): readonly E[] {
  const isThis = ({ analysis_id }: E): boolean => analysis_id === at.analysisId;
  if (at.artifactId !== undefined && ofArtifact?.some(isThis)) {
    return ofArtifact;
  }
  const found = ofDraft ?? [];
  return at.draftRef === undefined ? found.filter(isThis) : found;
}
