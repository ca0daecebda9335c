import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { listDrafts } from '../../server/contract/studio/drafts.ts';
import { getTree, getTreeVersion } from '../../server/contract/studio/tree.ts';
import { queryClient, routePrefix, routeQuery } from './query-client.ts';
import { useMe } from './studio.ts';

const LOOK_MS = 2_000;
/** Where the system does not tell changes, the whole folder is read each time. */
const READ_MS = 15_000;

/** True for somebody who may see the files of a project that are no drafts. */
export function useOwns(projectId: string): boolean {
  return (
    useMe().data?.projects.some(({ id, role }) => id === projectId && role === 'owner') === true
  );
}

/** The files of a project's folder for its owners, read again when something changed on disk. */
export function useTree(projectId: string) {
  const owns = useOwns(projectId);
  const params = { project_id: projectId };
  const tree = useQuery({
    ...routeQuery(getTree, { params }),
    enabled: owns,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const seen = useQuery({
    ...routeQuery(getTreeVersion, { params }),
    enabled: owns && tree.isFetched,
    refetchInterval: ({ state }) => (state.data?.watched === false ? READ_MS : LOOK_MS),
    staleTime: 0,
    retry: false,
  });
  const there = seen.data?.version;
  const here = tree.data?.version;
  const { refetch, isFetching } = tree;
  // A version that was met once is not read for again, also when that failed.
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (there === undefined || there === here || isFetching || asked.current === there) {
      return;
    }
    asked.current = there;
    void refetch();
    void queryClient.invalidateQueries({ queryKey: routePrefix(listDrafts) });
  }, [there, here, isFetching, refetch]);
  return tree;
}
