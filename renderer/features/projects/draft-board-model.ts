import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import type { AnalysisEntry } from '../../../server/contract/studio/analysis-entries.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import { fileName } from '../../data/draft-names.ts';

/** What of a draft's imports somebody still has to settle. */
export interface OpenGaps {
  readonly blocking: number;
  readonly manual: number;
}

type Artifact = Pick<AuthoredArtifact, 'id' | 'base' | 'created_at'>;
type Run = Pick<RunRow, 'run_id' | 'status' | 'updated_at'>;
type Entry = Pick<AnalysisEntry, 'ref' | 'open_blocking' | 'open_manual' | 'superseded_by'>;
type Draft = Pick<DraftSummary, 'ref' | 'analysis_ids' | 'revision'>;

/** A draft with where it stands. */
export interface DraftState<D extends Draft, A extends Artifact, R extends Run> {
  readonly draft: D;
  /** Null for a draft that no import made. */
  readonly gaps: OpenGaps | null;
  /** The newest one. */
  readonly artifact: A | undefined;
  /** The newest one. */
  readonly run: R | undefined;
}

/** Every draft with its open gaps, its newest artifact and its newest run. */
export function draftStates<D extends Draft, A extends Artifact, R extends Run>(
  drafts: readonly D[],
  beside: {
    readonly entries: readonly Entry[];
    /** Newest first. */
    readonly artifacts: readonly A[];
    /** By the draft. */
    readonly lastRuns: ReadonlyMap<string, R>;
  },
): readonly DraftState<D, A, R>[] {
  const entries = Map.groupBy(beside.entries, ({ ref }) => ref);
  const artifacts = Map.groupBy(beside.artifacts, ({ base }) => base.path);
  return drafts.map((draft) => ({
    draft,
    gaps: gapsOf(draft, entries.get(draft.ref) ?? []),
    artifact: artifacts.get(draft.ref)?.[0],
    run: beside.lastRuns.get(draft.ref),
  }));
}

/** An import that a later one of the same source replaced has nothing to settle any more. */
function gapsOf(draft: Draft, entries: readonly Entry[]): OpenGaps | null {
  if (draft.analysis_ids.length === 0) return null;
  const own = entries.filter(({ superseded_by }) => superseded_by === null);
  return {
    blocking: own.reduce((sum, { open_blocking }) => sum + open_blocking, 0),
    manual: own.reduce((sum, { open_manual }) => sum + open_manual, 0),
  };
}

export const DRAFT_FACETS = ['blocking', 'manual', 'failed'] as const;
export type DraftFacet = (typeof DRAFT_FACETS)[number];

type Found = DraftState<Draft, Artifact, Run>;

const HOLDS: Readonly<Record<DraftFacet, (state: Found) => boolean>> = {
  blocking: ({ gaps }) => gaps !== null && gaps.blocking > 0,
  manual: ({ gaps }) => gaps !== null && gaps.blocking === 0 && gaps.manual > 0,
  failed: ({ run }) => run?.status === 'failed' || run?.status === 'timed_out',
};

/** How many drafts each filter leaves. */
export function facetCount(states: readonly Found[], facet: DraftFacet): number {
  return states.filter(HOLDS[facet]).length;
}

/** The drafts whose file has the words in its name, and that one of the filters holds for. */
export function foundDrafts<S extends Found>(
  states: readonly S[],
  text: string,
  facets: readonly string[],
): readonly S[] {
  const words = text.trim().toLowerCase();
  const wanted = DRAFT_FACETS.filter((facet) => facets.includes(facet));
  return states.filter(
    (state) =>
      fileName(state.draft.ref).toLowerCase().includes(words) &&
      (wanted.length === 0 || wanted.some((facet) => HOLDS[facet](state))),
  );
}
