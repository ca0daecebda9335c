import { deleteDraft, readDraft, writeDraft } from '../../../server/contract/studio/drafts.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeKey, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import type { DraftVersion } from './draft-buffer.ts';

/** The draft as the studio holds it, looked at again now and then so that a second writer shows. */
export function draftQuery(projectId: string, ref: string) {
  return {
    ...routeQuery(readDraft, { params: { project_id: projectId, ref } }),
    refetchInterval: 8_000,
    staleTime: 0,
  };
}

/** Reads the draft now, past the cache. */
export async function fetchDraft(projectId: string, ref: string): Promise<DraftVersion> {
  const body = await call(readDraft, { params: { project_id: projectId, ref } });
  queryClient.setQueryData(routeKey(readDraft, { params: { project_id: projectId, ref } }), body);
  return { text: body.text, revision: body.revision };
}

/** Stores text at the revision it grew from; `draft_stale` when someone else saved since. */
export async function saveDraft(
  projectId: string,
  ref: string,
  text: string,
  expectedRevision: string,
): Promise<string> {
  const params = { project_id: projectId, ref };
  const { revision } = await call(writeDraft, {
    params,
    body: { text, expected_revision: expectedRevision },
  });
  await queryClient.cancelQueries({ queryKey: routeKey(readDraft, { params }) });
  queryClient.setQueryData(routeKey(readDraft, { params }), { ref, text, revision });
  await invalidateAuthoring();
  return revision;
}

/** Deletes a draft of the generated namespace at the revision that was seen. */
export async function removeDraft(
  projectId: string,
  ref: string,
  expectedRevision: string,
): Promise<void> {
  await call(deleteDraft, {
    params: { project_id: projectId, ref },
    query: { expected_revision: expectedRevision },
  });
  await invalidateAuthoring();
}
