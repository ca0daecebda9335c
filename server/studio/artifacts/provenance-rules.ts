import type { SourceAnalysisState } from '../../contract/studio/artifact-view.ts';
import type { GapRef } from '../../contract/studio/fields.ts';

/** A component with the analyses that apply to it. */
export interface ComponentProvenance {
  readonly ref: string;
  readonly revision: string;
  readonly analysis_ids: readonly string[];
  /** Blocking gaps of those analyses at this revision. */
  readonly attested: readonly GapRef[];
  readonly open: readonly GapRef[];
}

/** What the rule needs to know of an inherited analysis. */
export interface InheritedAnalysis {
  readonly id: string;
  readonly state: 'active' | 'quarantined';
  readonly output_sha256: string;
  readonly hasBlocking: boolean;
}

/** The state of an artifact's source analysis at its creation, first rule that applies (studio.md 7.2). */
export function sourceAnalysisState(
  components: readonly ComponentProvenance[],
  inherited: readonly InheritedAnalysis[],
  baseAsserted: boolean,
): SourceAnalysisState {
  if (inherited.some((analysis) => analysis.state === 'quarantined')) return 'unknown';
  if (inherited.length === 0) return baseAsserted ? 'not_applicable' : 'unknown';
  if (!inherited.some((analysis) => analysis.hasBlocking)) return 'clear';
  if (components.every((component) => component.open.length === 0)) return 'attested';
  const base = components[0]?.revision;
  const asImported = inherited.some(
    (analysis) => analysis.hasBlocking && analysis.output_sha256 === base,
  );
  return asImported ? 'blocked' : 'unknown';
}

/** Gap references without repeats, in the order of their first appearance. */
export function uniqueGaps(gaps: readonly GapRef[]): GapRef[] {
  const seen = new Map(gaps.map((gap) => [`${gap.analysis_id}\u0000${gap.gap_id}`, gap]));
  return [...seen.values()];
}
