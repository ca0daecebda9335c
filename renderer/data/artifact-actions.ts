import type { AuthoredArtifact } from '../../server/contract/studio/artifact-view.ts';
import { createArtifact } from '../../server/contract/studio/artifacts.ts';
import { assertNotApplicable } from '../../server/contract/studio/drafts.ts';
import type { DraftRef } from '../../server/contract/studio/fields.ts';
import { getComposition } from '../../server/contract/studio/govern.ts';
import { call } from './api-client.ts';
import { queryClient, routeQuery } from './query-client.ts';
import { invalidateAuthoring } from './studio.ts';

export interface Composition {
  readonly base: DraftRef;
  readonly alias: string;
  readonly overlays: readonly DraftRef[];
  readonly overrides: Record<string, unknown>;
}

/** Freezes a composition as an artifact. */
export async function freeze(
  projectId: string,
  composition: Composition,
): Promise<AuthoredArtifact> {
  const artifact = await call(createArtifact, {
    params: { project_id: projectId },
    body: { ...composition, overlays: [...composition.overlays] },
  });
  await invalidateAuthoring();
  return artifact;
}

/** Records that a draft at this revision needs no source analysis. */
export async function declareNotApplicable(projectId: string, draft: DraftRef): Promise<void> {
  await call(assertNotApplicable, { params: { project_id: projectId }, body: { ref: draft } });
  await invalidateAuthoring();
}

/** What an artifact is made of; that never changes, so it is read once. */
export function compositionQuery(projectId: string, artifactId: string) {
  return {
    ...routeQuery(getComposition, {
      params: { project_id: projectId, artifact_id: artifactId },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** As {@link compositionQuery}, at once. @throws ApiError */
export function readComposition(projectId: string, artifactId: string) {
  return queryClient.fetchQuery(compositionQuery(projectId, artifactId));
}
