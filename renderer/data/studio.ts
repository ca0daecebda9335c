import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import { listAnalysisEntries } from '../../server/contract/studio/analysis-entries.ts';
import { getArtifact, listArtifacts } from '../../server/contract/studio/artifacts.ts';
import { listAssertions } from '../../server/contract/studio/assertions.ts';
import { listDrafts } from '../../server/contract/studio/drafts.ts';
import { listBindings } from '../../server/contract/studio/environments.ts';
import type { Role } from '../../server/contract/studio/fields.ts';
import { getMe, type Project } from '../../server/contract/studio/session.ts';
import { queryClient, routePrefix, routeQuery } from './query-client.ts';
import { isServed } from './served.ts';

/** Who is signed in and which projects they may open. */
export function useMe() {
  return useQuery({ ...routeQuery(getMe), staleTime: 30_000, enabled: isServed('studio') });
}

/** A project as whoever is signed in has it; undefined while that is not known, or for no member. */
export function useProject(projectId: string): Project | undefined {
  return useMe().data?.projects.find(({ id }) => id === projectId);
}

/** True for somebody who may change what a project holds: an owner or an editor. */
export function useMayEdit(projectId: string): boolean {
  const role = useProject(projectId)?.role;
  return role === 'owner' || role === 'editor';
}

/** Registered drafts of a project. */
export function useDrafts(projectId: string) {
  return useQuery(routeQuery(listDrafts, { params: { project_id: projectId } }));
}

/** Artifacts of a project, newest first. */
export function useArtifacts(projectId: string) {
  return useQuery(routeQuery(listArtifacts, { params: { project_id: projectId } }));
}

/** One artifact. */
export function useArtifact(projectId: string, artifactId: string) {
  return useQuery(
    routeQuery(getArtifact, { params: { project_id: projectId, artifact_id: artifactId } }),
  );
}

/**
 * All analyses of a draft, of an artifact or of the project, newest first. `anew` asks again where
 * the cache has an answer.
 */
export function useAnalysisEntries(
  projectId: string,
  of: { ref?: string; artifact_id?: string },
  anew = false,
) {
  return useQuery({
    ...routeQuery(listAnalysisEntries, { params: { project_id: projectId }, query: of }),
    refetchOnMount: anew ? 'always' : true,
  });
}

/** Who said that a draft needs no source analysis, newest first. */
export function useAssertions(projectId: string, ref: string) {
  return useQuery(
    routeQuery(listAssertions, { params: { project_id: projectId }, query: { ref } }),
  );
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'owner'];

/** Why the signed-in person may not do what asks for a role; undefined when they may. */
export function useRoleHindrance(projectId: string, wanted: Role): string | undefined {
  const role = useProject(projectId)?.role;
  return role === undefined || ROLES.indexOf(role) >= ROLES.indexOf(wanted)
    ? undefined
    : t('Your role here is {role}; this is for an {wanted}.', { role, wanted });
}

/** Live bindings of a project: aliases and the capability policy in force. */
export function useBindings(projectId: string | undefined) {
  return useQuery({
    ...routeQuery(listBindings, { params: { project_id: projectId ?? '' } }),
    enabled: projectId !== undefined,
    staleTime: 60_000,
  });
}

/** Reads again what a changed draft or artifact may have changed. */
export async function invalidateAuthoring(): Promise<void> {
  await Promise.all(
    [listDrafts, listArtifacts, getArtifact].map((route) =>
      queryClient.invalidateQueries({ queryKey: routePrefix(route) }),
    ),
  );
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      [
        'get_tree',
        'get_git',
        'list_trash',
        'get_history',
        'get_analysis',
        'get_estate',
        'list_analysis_entries',
        'list_assertions',
        'get_artifact_freshness',
        'get_project_freshness',
        'list_acknowledgements',
        'list_resolutions',
        'get_portability',
        'export_artifact',
      ].includes(String(queryKey[1])),
  });
}
