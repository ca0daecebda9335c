import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { getRunItems } from '../../../server/contract/dashboard/run-record.ts';
import type { RunItems } from '../../../server/contract/platform/run-reads.ts';
import type { KeptRead } from '../../data/failure-pace.ts';
import { paceOfRun } from '../../data/followed-runs.ts';
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
    refetchInterval: (query: KeptRead) => (isLive ? paceOfRun(runId, query, LIVE_MS) : false),
  };
}

/** What the steps of an item flow gave, the first `pages` pages of them; read again while it runs. */
export function useRunItems(runId: string, pages: number, isLive: boolean, enabled = true) {
  const first = useQuery({ ...pageQuery(runId, 0, isLive), enabled });
  const rest = useQueries({
    queries: Array.from({ length: pages - 1 }, (_, at) => pageQuery(runId, at + 1, isLive)),
    combine: (results) => results.map(({ data }) => data?.runs ?? []),
  });
  const runs = useMemo(() => [first.data?.runs ?? [], ...rest].flat(), [first.data, rest]);
  const total = first.data?.total ?? 0;
  return { first, runs, total, hasMore: total > pages * PAGE };
}

/** The edges that items went along in the first `steps` steps, as `source->target`. */
export function waysOf(runs: RunItems['runs'], steps: number): ReadonlySet<string> {
  const keys = new Map(runs.map(({ name, step }) => [name, step]));
  return new Set(
    runs
      .filter(({ at }) => at < steps)
      .flatMap(({ step, sources }) =>
        sources.flatMap((source) =>
          source === null ? [] : [`${keys.get(source.node) ?? source.node}->${step}`],
        ),
      ),
  );
}

/** Pages that are read for the ways of items; a longer run goes the same ways again. */
const MOST_PAGES = 5;

/** The edges that the items of a run went along; null for a run that is no item flow, or not known yet. */
export function useItemWays(
  runId: string,
  options: {
    readonly isFlow: boolean;
    readonly isOver: boolean;
    /** So many steps are looked at; absent = all. */
    readonly steps?: number | undefined;
  },
): ReadonlySet<string> | null {
  const { isFlow, isOver, steps } = options;
  const [pages, setPages] = useState(1);
  const { first, runs, hasMore } = useRunItems(runId, pages, isFlow && !isOver, isFlow);
  useEffect(() => {
    if (hasMore && pages < MOST_PAGES) setPages(pages + 1);
  }, [hasMore, pages]);
  return useMemo(
    () =>
      isFlow && first.data !== undefined ? waysOf(runs, steps ?? Number.POSITIVE_INFINITY) : null,
    [isFlow, first.data, runs, steps],
  );
}
