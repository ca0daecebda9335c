import { useQuery } from '@tanstack/react-query';
import {
  type CanvasView,
  getAnalysis,
  getAnalysisCanvas,
} from '../../../server/contract/studio/analyses.ts';
import { getArtifact } from '../../../server/contract/studio/artifacts.ts';
import { type DraftBody, readDraft, writeDraft } from '../../../server/contract/studio/drafts.ts';
import {
  acknowledgeGap,
  type Gap,
  listAcknowledgements,
  listResolutions,
  type ResolutionEvent,
  resolveGap,
} from '../../../server/contract/studio/gaps.ts';
import { namedSources } from '../../../server/gaps/fixes/source-links.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeKey, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { askDraft } from './draft/draft-client.ts';

/** A draft at the revision that was seen. */
export interface DraftAt {
  readonly path: string;
  readonly revision: string;
}

/** Everything the gap page reads about one analysis, one draft and maybe one artifact. */
export function useGapData(projectId: string, analysisId: string, artifactId: string | undefined) {
  const params = { project_id: projectId, analysis_id: analysisId };
  const artifactParams = { project_id: projectId, artifact_id: artifactId ?? '' };
  const wanted = artifactId !== undefined;
  return {
    analysis: useQuery(routeQuery(getAnalysis, { params })),
    canvas: useQuery({
      ...routeQuery(getAnalysisCanvas, { params }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
    resolutions: useQuery(routeQuery(listResolutions, { params })),
    artifact: useQuery({ ...routeQuery(getArtifact, { params: artifactParams }), enabled: wanted }),
    acknowledgements: useQuery({
      ...routeQuery(listAcknowledgements, { params: artifactParams }),
      enabled: wanted,
    }),
  };
}

const draftInput = (projectId: string, ref: string) => ({
  params: { project_id: projectId, ref },
});

/** The draft's text, and what it holds for the elements of the source. */
export function useDraftReading(
  projectId: string,
  ref: string | undefined,
  canvas: CanvasView | undefined,
) {
  const draft = useQuery({
    ...routeQuery(readDraft, draftInput(projectId, ref ?? '')),
    enabled: ref !== undefined,
  });
  const { data } = draft;
  const reading = useQuery({
    queryKey: ['draft_reading', projectId, ref, data?.revision, canvas?.nodes.length],
    enabled: data !== undefined && canvas !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (earlier) => earlier,
    queryFn: () =>
      askDraft('read', {
        text: data?.text ?? '',
        file: data?.ref ?? '',
        sources: namedSources(canvas),
      }),
  });
  return { draft, reading };
}

/** Reads the draft now, past the cache. */
export async function fetchDraftText(projectId: string, ref: string): Promise<DraftBody> {
  const body = await call(readDraft, draftInput(projectId, ref));
  queryClient.setQueryData(routeKey(readDraft, draftInput(projectId, ref)), body);
  return body;
}

/**
 * Stores a text over the revision that it was made from; answers the new revision. What the draft
 * is part of is for the caller to read again.
 */
export async function writeDraftText(
  projectId: string,
  draft: DraftAt,
  text: string,
): Promise<string> {
  const input = draftInput(projectId, draft.path);
  const { revision } = await call(writeDraft, {
    ...input,
    body: { text, expected_revision: draft.revision },
  });
  queryClient.setQueryData(routeKey(readDraft, input), { ref: draft.path, text, revision });
  return revision;
}

/** Stores a text as {@link writeDraftText} does, and reads again what it is part of. */
export async function storeDraftText(
  projectId: string,
  draft: DraftAt,
  text: string,
): Promise<string> {
  const revision = await writeDraftText(projectId, draft, text);
  await invalidateAuthoring();
  return revision;
}

/** Acknowledges a manual gap for an artifact. The caller reads the page's data again afterwards. */
export async function acknowledge(projectId: string, artifactId: string, gap: Gap): Promise<void> {
  const params = { project_id: projectId, artifact_id: artifactId };
  const answer = await call(acknowledgeGap, { params, body: { gap: gap.ref } });
  queryClient.setQueryData(routeKey(getArtifact, { params }), answer.artifact);
}

/**
 * Attests a blocking gap at exactly this revision, or takes an attestation back. The caller reads
 * the page's data again afterwards.
 */
export async function adjudicate(
  projectId: string,
  gap: Gap,
  draft: DraftAt,
  event: ResolutionEvent,
): Promise<void> {
  await call(resolveGap, {
    params: { project_id: projectId, analysis_id: gap.ref.analysis_id },
    body: {
      gap_id: gap.ref.gap_id,
      ref: draft.path,
      expected_revision: draft.revision,
      event,
    },
  });
}
