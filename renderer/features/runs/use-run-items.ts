import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getRunItems } from '../../../server/contract/platform/run-reads.ts';
import { routeQuery } from '../../data/query-client.ts';

/** Steps of one read. */
const PAGE = 100;
const LIVE_MS = 3_000;

function pageQuery(runId: string, page: number, isLive: boolean) {
  return {
    ...routeQuery(getRunItems, {
      params: { run_id: runId },
      query: { offset: page * PAGE, limit: PAGE },
    }),
    refetchInterval: isLive ? LIVE_MS : (false as const),
  };
}

/** What the steps of an item flow gave, the first `pages` pages of them; read again while it runs. */
export function useRunItems(runId: string, pages: number, isLive: boolean) {
  const first = useQuery(pageQuery(runId, 0, isLive));
  const rest = useQueries({
    queries: Array.from({ length: pages - 1 }, (_, at) => pageQuery(runId, at + 1, isLive)),
    combine: (results) => results.map(({ data }) => data?.runs ?? []),
  });
  const runs = useMemo(() => [first.data?.runs ?? [], ...rest].flat(), [first.data, rest]);
  const total = first.data?.total ?? 0;
  return { first, runs, total, hasMore: total > pages * PAGE };
}
