import type { AnalysisView, RelatedRef } from '../../../server/contract/studio/analyses.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { Gap, GapAck, GapResolutionRecord } from '../../../server/contract/studio/gaps.ts';

export type GapSeverity = Gap['severity'];
const SEVERITIES: readonly GapSeverity[] = ['blocking', 'manual', 'info'];

/** What still has to happen with a gap. */
export type GapStanding = 'open' | 'attested' | 'acknowledged' | 'not_needed';

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
  readonly artifact: AuthoredArtifact | undefined;
  readonly acknowledgements: readonly GapAck[];
  readonly resolutions: readonly GapResolutionRecord[];
}

function attestation(context: GapContext, gap: Gap): GapResolutionRecord | undefined {
  const revision = context.draft?.revision;
  const last = context.resolutions
    .filter((record) => record.gap_id === gap.ref.gap_id && record.revision === revision)
    .toSorted((a, b) => a.seq - b.seq)
    .at(-1);
  return last?.event === 'attest' ? last : undefined;
}

function isAttested(context: GapContext, gap: Gap): boolean {
  const { draft } = context;
  return (
    draft?.standing_attestations.some(
      ({ gap_id, revision }) => gap_id === gap.ref.gap_id && revision === draft.revision,
    ) ?? false
  );
}

function acknowledgement(context: GapContext, gap: Gap): GapAck | undefined {
  return context.acknowledgements.find(
    (ack) => ack.gap.gap_id === gap.ref.gap_id && ack.gap.analysis_id === gap.ref.analysis_id,
  );
}

function blockingCard(context: GapContext, gap: Gap): GapCard {
  const record = attestation(context, gap);
  return isAttested(context, gap) || record !== undefined
    ? { gap, standing: 'attested', by: record?.by_display_name ?? null, at: record?.at ?? null }
    : { gap, standing: 'open', by: null, at: null };
}

function manualCard(context: GapContext, gap: Gap): GapCard {
  const ack = acknowledgement(context, gap);
  return ack === undefined
    ? { gap, standing: 'open', by: null, at: null }
    : {
        gap,
        standing: 'acknowledged',
        by: ack.acknowledged_by_display_name,
        at: ack.acknowledged_at,
      };
}

function cardOf(context: GapContext, gap: Gap): GapCard {
  if (gap.severity === 'blocking') {
    return blockingCard(context, gap);
  }
  return gap.severity === 'manual'
    ? manualCard(context, gap)
    : { gap, standing: 'not_needed', by: null, at: null };
}

/** Gaps by severity, blocking first; kinds that are not chosen are left out (none chosen = all). */
export function gapGroups(context: GapContext, kinds: readonly string[] = []): readonly GapGroup[] {
  const cards = context.analysis.gaps
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map((gap) => cardOf(context, gap));
  return SEVERITIES.map((severity) => {
    const own = cards.filter(({ gap }) => gap.severity === severity);
    return { severity, cards: own, open: own.filter(({ standing }) => standing === 'open').length };
  }).filter((group) => group.cards.length > 0);
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

/** How far the way to "nothing blocks export" is. */
export function gapProgress(context: GapContext): {
  readonly settled: number;
  readonly total: number;
  readonly blocking: number;
  readonly manual: number;
} {
  const wanted = gapGroups(context).filter(({ severity }) => severity !== 'info');
  const openOf = (severity: GapSeverity): number =>
    wanted.find((group) => group.severity === severity)?.open ?? 0;
  const total = wanted.reduce((sum, group) => sum + group.cards.length, 0);
  const blocking = openOf('blocking');
  const manual = openOf('manual');
  return { settled: total - blocking - manual, total, blocking, manual };
}

/** `missing_credential` → `missing credential`. */
export function kindText(kind: string): string {
  return kind.replaceAll('_', ' ');
}

/** The card that follows the chosen one; wraps at neither end. */
export function neighbour(
  groups: readonly GapGroup[],
  gapId: string | null,
  step: 1 | -1,
): string | null {
  const ids = groups.flatMap((group) => group.cards.map(({ gap }) => gap.ref.gap_id));
  const index = gapId === null ? -1 : ids.indexOf(gapId);
  if (index === -1) {
    return ids[0] ?? null;
  }
  return ids[Math.min(Math.max(index + step, 0), ids.length - 1)] ?? null;
}

/** Why a blocking gap cannot be attested now; undefined when it can. */
export function attestHindrance(draft: RelatedRef | undefined): string | undefined {
  if (draft === undefined) {
    return 'The draft that this gap belongs to is not known.';
  }
  if (draft.availability === 'missing') {
    return 'The draft’s file is missing.';
  }
  return draft.can_attest
    ? undefined
    : 'The draft is still exactly as it was imported. Fix the gap in the editor and save first.';
}
