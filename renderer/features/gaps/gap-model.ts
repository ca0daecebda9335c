import { t } from '../../../preload/texts/t.ts';
import type { AnalysisView, RelatedRef } from '../../../server/contract/studio/analyses.ts';
import type { AnalysisEntry } from '../../../server/contract/studio/analysis-entries.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import {
  type Gap,
  type GapAck,
  type GapResolutionRecord,
  GapSeverity,
} from '../../../server/contract/studio/gaps.ts';
import type { Acknowledging } from './review/review-model.ts';

/**
 * What still has to happen with a gap. `lapsed`: attested at an earlier revision of the draft, so
 * that it wants a new attestation.
 */
export type GapStanding = 'open' | 'lapsed' | 'attested' | 'acknowledged' | 'not_needed';

const STANDINGS: Readonly<Record<GapStanding, string>> = {
  open: t('open'),
  lapsed: t('lapsed'),
  attested: t('attested'),
  acknowledged: t('acknowledged'),
  not_needed: t('not needed'),
};

/** The standing of a gap in words. */
export function standingText(standing: GapStanding): string {
  return STANDINGS[standing];
}

/** A gap with its standing and who settled it. */
export interface GapCard {
  readonly gap: Gap;
  readonly standing: GapStanding;
  readonly by: string | null;
  readonly at: string | null;
}

export interface GapGroup {
  readonly severity: GapSeverity;
  readonly cards: readonly GapCard[];
  /** Cards that still want something. */
  readonly open: number;
}

export interface GapContext {
  readonly analysis: AnalysisView;
  /** The draft whose present revision attestations are about. */
  readonly draft: RelatedRef | undefined;
  /** Why the signed-in person's role attests and retracts nothing; undefined when it does. */
  readonly rank: string | undefined;
  readonly artifact: AuthoredArtifact | undefined;
  /** An artifact that was asked for and cannot take acknowledgements of this analysis. */
  readonly refused: Acknowledging<AuthoredArtifact>['refused'];
  /** The analysis among all of its draft or artifact; undefined while these are read. */
  readonly entry: AnalysisEntry | undefined;
  /** Another of these that has something open. */
  readonly elsewhere: AnalysisEntry | undefined;
  readonly acknowledgements: readonly GapAck[];
  readonly resolutions: readonly GapResolutionRecord[];
}

/** What the standing of each gap is made of. */
export type CardContext = Pick<
  GapContext,
  'analysis' | 'draft' | 'artifact' | 'acknowledgements' | 'resolutions'
>;

/** True for a gap that somebody still has to settle. */
export function isOpen({ standing }: GapCard): boolean {
  return standing === 'open' || standing === 'lapsed';
}

/** The entry of the log that counts at each revision (studio.md 8.4). */
function lastAtEachRevision(log: readonly GapResolutionRecord[]): readonly GapResolutionRecord[] {
  const latest = new Map<string, GapResolutionRecord>();
  for (const record of log) {
    const known = latest.get(record.revision);
    if (known === undefined || known.seq < record.seq) {
      latest.set(record.revision, record);
    }
  }
  return [...latest.values()];
}

function blockingCard(
  gap: Gap,
  log: readonly GapResolutionRecord[],
  draft: RelatedRef | undefined,
): GapCard {
  const standing = lastAtEachRevision(log).filter(({ event }) => event === 'attest');
  const here = standing.find(({ revision }) => revision === draft?.revision);
  const attested = draft?.standing_attestations.some(
    ({ gap_id, revision }) => gap_id === gap.ref.gap_id && revision === draft.revision,
  );
  if (attested === true || here !== undefined) {
    return { gap, standing: 'attested', by: here?.by_display_name ?? null, at: here?.at ?? null };
  }
  const earlier = standing.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
  return earlier === undefined
    ? { gap, standing: 'open', by: null, at: null }
    : { gap, standing: 'lapsed', by: earlier.by_display_name, at: earlier.at };
}

function manualCard(gap: Gap, ack: GapAck | undefined): GapCard {
  return ack === undefined
    ? { gap, standing: 'open', by: null, at: null }
    : {
        gap,
        standing: 'acknowledged',
        by: ack.acknowledged_by_display_name,
        at: ack.acknowledged_at,
      };
}

/** Every gap of the analysis with its standing, in the order of the analysis. */
export function gapCards(context: CardContext): readonly GapCard[] {
  const log = Map.groupBy(context.resolutions, ({ gap_id }) => gap_id);
  const acks = new Map(
    context.acknowledgements.map((ack) => [`${ack.gap.analysis_id} ${ack.gap.gap_id}`, ack]),
  );
  return context.analysis.gaps.map((gap) => {
    const { analysis_id, gap_id } = gap.ref;
    if (gap.severity === 'blocking') {
      return blockingCard(gap, log.get(gap_id) ?? [], context.draft);
    }
    return gap.severity === 'manual'
      ? manualCard(gap, acks.get(`${analysis_id} ${gap_id}`))
      : { gap, standing: 'not_needed', by: null, at: null };
  });
}

/** Gaps by severity, blocking first. */
export function gapGroups(cards: readonly GapCard[]): readonly GapGroup[] {
  return GapSeverity.options
    .map((severity) => {
      const own = cards.filter(({ gap }) => gap.severity === severity);
      return { severity, cards: own, open: own.filter(isOpen).length };
    })
    .filter((group) => group.cards.length > 0);
}

/** Kinds with their counts, most frequent first. */
export function gapKinds(analysis: AnalysisView): readonly { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { kind } of analysis.gaps) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .toSorted((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
}

export interface GapProgress {
  readonly settled: number;
  readonly total: number;
  readonly blocking: number;
  readonly manual: number;
  /** Blocking gaps among `blocking` that were attested at an earlier revision. */
  readonly lapsed: number;
}

/** How far the way to "nothing blocks export" is. */
export function gapProgress(cards: readonly GapCard[]): GapProgress {
  const wanted = cards.filter(({ gap }) => gap.severity !== 'info');
  const open = wanted.filter(isOpen);
  const blocking = open.filter(({ gap }) => gap.severity === 'blocking').length;
  return {
    settled: wanted.length - open.length,
    total: wanted.length,
    blocking,
    manual: open.length - blocking,
    lapsed: open.filter(({ standing }) => standing === 'lapsed').length,
  };
}

/** What is left to do until nothing blocks export, first things first; empty when all is done. */
export function leftToDo(progress: GapProgress, context: GapContext): readonly string[] {
  const { blocking, manual, lapsed } = progress;
  const fresh = blocking - lapsed;
  const left: string[] = [];
  if (fresh > 0) {
    left.push(
      context.draft?.can_attest === true
        ? t('attest {count, plural, one {# blocking gap} other {# blocking gaps}}', {
            count: fresh,
          })
        : t(
            'fix {count, plural, one {# blocking gap} other {# blocking gaps}} in the draft, then attest',
            { count: fresh },
          ),
    );
  }
  if (lapsed > 0) {
    left.push(t('attest {lapsed} again, since the draft changed', { lapsed }));
  }
  if (manual > 0) {
    left.push(
      context.artifact === undefined
        ? t('create an artifact and acknowledge {manual}', { manual })
        : t('acknowledge {manual} to review', { manual }),
    );
  }
  return left;
}

/** `missing_credential` → `missing credential`. */
export function kindText(kind: string): string {
  return kind.replaceAll('_', ' ');
}

/** Why a blocking gap cannot be attested now; undefined when it can. */
export function attestHindrance({
  draft,
  rank,
}: Pick<GapContext, 'draft' | 'rank'>): string | undefined {
  if (rank !== undefined) {
    return rank;
  }
  if (draft === undefined) {
    return t('The draft that this gap belongs to is not known.');
  }
  if (draft.availability === 'missing') {
    return t('The draft’s file is missing. Put it back, or tell the project where it moved to.');
  }
  return draft.can_attest
    ? undefined
    : t('The draft is still exactly as it was imported. Fix the gap here or in the editor first.');
}

/** True when the artifact was made from another revision than the draft has now. */
export function isOutdated(context: GapContext): boolean {
  const { artifact, draft } = context;
  return (
    artifact !== undefined &&
    draft !== undefined &&
    artifact.base.path === draft.path &&
    artifact.base.revision !== draft.revision
  );
}
