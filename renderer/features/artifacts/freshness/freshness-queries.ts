import { useQuery } from '@tanstack/react-query';
import { getFreshness, getProjectFreshness } from '../../../../server/contract/studio/freshness.ts';
import { routeQuery } from '../../../data/query-client.ts';

/** Freshness of one artifact. */
export function useFreshness(projectId: string, artifactId: string) {
  return useQuery(
    routeQuery(getFreshness, { params: { project_id: projectId, artifact_id: artifactId } }),
  );
}

/** Freshness of every artifact of a project, newest first. */
export function useProjectFreshness(projectId: string) {
  return useQuery(routeQuery(getProjectFreshness, { params: { project_id: projectId } }));
}
