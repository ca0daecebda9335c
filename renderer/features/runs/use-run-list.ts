import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listRuns, type RunList } from '../../../server/contract/dashboard/runs.ts';
import { call } from '../../data/api-client.ts';
import { routeKey } from '../../data/query-client.ts';
import { type RunFilter, runQuery, uniqueRows } from './run-filter-model.ts';

const PAGE = 100;
const LIVE_MS = 3_000;
/** With more pages than this the list is no longer read again by itself. */
const LIVE_PAGES = 2;

function nextOffset(last: RunList): number | undefined {
  const next = last.offset + last.rows.length;
  const reachable = Math.min(last.total, last.window);
  return last.rows.length > 0 && next < reachable ? next : undefined;
}

/** The runs of a filter, more pages on demand, live while the first pages are shown. */
export function useRunList(filter: RunFilter) {
  const minute = Math.floor(Date.now() / 60_000);
  const query = useMemo(() => runQuery(filter, minute * 60_000), [filter, minute]);
  const list = useInfiniteQuery({
    queryKey: [...routeKey(listRuns, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(listRuns, { query: { ...query, limit: PAGE, offset: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) <= LIVE_PAGES ? LIVE_MS : false,
  });
  const rows = useMemo(() => uniqueRows(list.data?.pages ?? []), [list.data]);
  const first = list.data?.pages[0];
  return {
    list,
    rows,
    total: first?.total ?? 0,
    reachable: first === undefined ? 0 : Math.min(first.total, first.window),
    unsupported: first?.unsupported_filters ?? [],
    live: (list.data?.pages.length ?? 0) <= LIVE_PAGES,
  };
}
