import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ActivityEntry,
  getActivityChoices,
  listActivity,
} from '../../../server/contract/studio/activity.ts';
import { call } from '../../data/api-client.ts';
import { routePrefix, routeQuery } from '../../data/query-client.ts';
import { type ActivityFilter, activityQuery } from './activity-model.ts';

const PAGE = 100;
const LARGEST_PAGE = 500;
const FIRST: { readonly cursor?: string } = {};

function cursorOf(next: string | null): { readonly cursor: string } | undefined {
  return next === null ? undefined : { cursor: next };
}

/** The activity of a project under a filter, read page after page as it is scrolled. */
export function useActivity(projectId: string, filter: ActivityFilter) {
  const query = useInfiniteQuery({
    queryKey: [...routePrefix(listActivity), projectId, filter],
    initialPageParam: FIRST,
    queryFn: ({ pageParam, signal }) =>
      call(
        listActivity,
        {
          params: { project_id: projectId },
          query: { ...activityQuery(filter, Date.now()), ...pageParam, limit: PAGE },
        },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => cursorOf(next_cursor),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const entries = useMemo(
    () => query.data?.pages.flatMap((page) => page.entries) ?? [],
    [query.data],
  );
  return { query, entries };
}

/** People and actions that the activity names. */
export function useActivityChoices(projectId: string) {
  return useQuery({
    ...routeQuery(getActivityChoices, { params: { project_id: projectId } }),
    staleTime: 0,
  });
}

/** Every row under a filter, for a file. */
export async function readWholeActivity(
  projectId: string,
  filter: ActivityFilter,
): Promise<readonly ActivityEntry[]> {
  const query = activityQuery(filter, Date.now());
  const entries: ActivityEntry[] = [];
  for (let at: { readonly cursor?: string } | undefined = FIRST; at !== undefined; ) {
    const page: Awaited<ReturnType<typeof call<typeof listActivity>>> = await call(listActivity, {
      params: { project_id: projectId },
      query: { ...query, ...at, limit: LARGEST_PAGE },
    });
    entries.push(...page.entries);
    at = cursorOf(page.next_cursor);
  }
  return entries;
}
