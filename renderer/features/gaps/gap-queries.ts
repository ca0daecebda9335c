import { useQuery } from '@tanstack/react-query';
import { getAnalysis } from '../../../server/contract/studio/analyses.ts';
import { getArtifact } from '../../../server/contract/studio/artifacts.ts';
import {
  acknowledgeGap,
  type Gap,
  listAcknowledgements,
  listResolutions,
  type ResolutionEvent,
  resolveGap,
} from '../../../server/contract/studio/gaps.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeKey, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';

/** Everything the gap page reads about one analysis, one draft and maybe one artifact. */
export function useGapData(projectId: string, analysisId: string, artifactId: string | undefined) {
  const params = { project_id: projectId, analysis_id: analysisId };
  const artifactParams = { project_id: projectId, artifact_id: artifactId ?? '' };
  const wanted = artifactId !== undefined;
  return {
    analysis: useQuery(routeQuery(getAnalysis, { params })),
    resolutions: useQuery(routeQuery(listResolutions, { params })),
    artifact: useQuery({ ...routeQuery(getArtifact, { params: artifactParams }), enabled: wanted }),
    acknowledgements: useQuery({
      ...routeQuery(listAcknowledgements, { params: artifactParams }),
      enabled: wanted,
    }),
  };
}

/** Acknowledges a manual gap for an artifact; the answer carries the artifact as it is now. */
export async function acknowledge(projectId: string, artifactId: string, gap: Gap): Promise<void> {
  const params = { project_id: projectId, artifact_id: artifactId };
  const answer = await call(acknowledgeGap, { params, body: { gap: gap.ref } });
  queryClient.setQueryData(routeKey(getArtifact, { params }), answer.artifact);
  await invalidateAuthoring();
}

/** Attests a blocking gap at exactly this revision, or takes an attestation back. */
export async function adjudicate(
  projectId: string,
  gap: Gap,
  draft: { readonly path: string; readonly revision: string },
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
  await invalidateAuthoring();
}
