import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type GitMark, type GitView, getGit } from '../../server/contract/studio/git.ts';
import { getTree } from '../../server/contract/studio/tree.ts';
import { routeQuery } from './query-client.ts';

/** Commits and what else no file of the project shows. */
const LOOK_MS = 15_000;
const SELDOM_MS = 60_000;

export type GitMarks = ReadonlyMap<string, GitMark>;

/** What git says of the project's folder; asked again when the tree changed and now and then. */
export function useGit(projectId: string): GitView | undefined {
  const params = { project_id: projectId };
  // Who shows the tree reads it; its owners are told of all files that it lists.
  const version = useQuery({ ...routeQuery(getTree, { params }), enabled: false }).data?.version;
  const git = useQuery({
    ...routeQuery(getGit, { params }),
    refetchInterval: ({ state }) => (state.data?.state === 'ready' ? LOOK_MS : SELDOM_MS),
    retry: false,
  });
  const { refetch, isFetched } = git;
  useEffect(() => {
    if (version !== undefined && isFetched) void refetch({ cancelRefetch: false });
  }, [version, isFetched, refetch]);
  return git.data;
}

/** The marks of the project's files by their refs. */
export function useGitMarks(projectId: string): GitMarks {
  const marks = useGit(projectId)?.marks;
  return useMemo(() => new Map(marks?.map(({ ref, mark }) => [ref, mark])), [marks]);
}
