import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listRuns, type RunList, type RunRow } from '../../../server/contract/dashboard/runs.ts';
import { LIST_WINDOW } from '../../../server/contract/platform/limits.ts';
import { RUN_STATUSES } from '../../../server/contract/platform/run-status.ts';
import { every } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { type RunFilter, runQuery } from './run-filter-model.ts';

/** Runs of one read. */
export const PAGE = 100;
const FRESH_MS = 3_000;
const NO_FILTER: RunFilter = {};
const MINUTE_MS = 60_000;

const pace = restful(({ rows, total, status_counts }: RunList) => [
  total,
  status_counts,
  rows.map(({ run_id, status, updated_at, stuck }) => [run_id, status, updated_at, stuck]),
]);

/**
 * Runs that hold a text are counted so far, since a common one can be in very many, and to all that can
 * be listed once somebody scrolls there.
 */
const COUNTED = 3 * PAGE;

/** The read that the list and the counts of its filters share. */
function firstPage(query: ReturnType<typeof runQuery>, counted = COUNTED) {
  return {
    ...routeQuery(listRuns, {
      query: {
        ...query,
        ...{ limit: PAGE, offset: 0, status_counts: query.stuck_only !== true },
        ...(query.q === undefined ? {} : { count_to: counted }),
      },
    }),
    placeholderData: keepPreviousData<RunList | undefined>,
    staleTime: 0,
  };
}

function useQueryOf(filter: RunFilter) {
  const minute = Math.floor(Date.now() / MINUTE_MS);
  return useMemo(() => runQuery(filter, minute * MINUTE_MS), [filter, minute]);
}

/** Places of a list that are in view. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const pageAt = (place: number): number => Math.floor(place / PAGE);

/** True while no other page has to be read for the other places. */
export function isOnSamePages(one: Range, other: Range): boolean {
  return pageAt(one.first) === pageAt(other.first) && pageAt(one.last) === pageAt(other.last);
}

/** The pages that hold these places, the first one always. */
function pagesOf(range: Range): number[] {
  const from = pageAt(range.first);
  const to = pageAt(range.last);
  const seen = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return from === 0 ? seen : [0, ...seen];
}

function rowsOf(lists: readonly (RunList | undefined)[]): ReadonlyMap<number, RunRow> {
  const rows = new Map<number, RunRow>();
  for (const list of lists) {
    list?.rows.forEach((row, index) => {
      rows.set(list.offset + index, row);
    });
  }
  return rows;
}

/**
 * The runs of a filter by their places. Only the pages in view are read, and read again while `live`;
 * the list can be scrolled to any place of the platform's window at once.
 */
export function useRunList(filter: RunFilter, range: Range, live: boolean) {
  const query = useQueryOf(filter);
  const scanned = filter.stuck === true;
  const pages = scanned ? [0] : pagesOf(range);
  const counted = range.last >= COUNTED - PAGE ? LIST_WINDOW : COUNTED;
  const first = useQuery({
    ...firstPage(query, counted),
    refetchInterval: live ? pace : every(false),
  });
  const rest = useQueries({
    queries: pages.slice(1).map((page) => ({
      ...routeQuery(listRuns, {
        query: {
          ...query,
          ...{ limit: PAGE, offset: page * PAGE },
          // Nobody reads the total of this page.
          ...(query.q === undefined ? {} : { count_to: 1 }),
        },
      }),
      staleTime: FRESH_MS,
      refetchInterval: live ? pace : every(false),
    })),
    combine: (results) => ({
      lists: results.map(({ data }) => data),
      // A read without an answer forgets its error while it is made again.
      failing: results.findIndex(
        ({ errorUpdatedAt, dataUpdatedAt }) => errorUpdatedAt > dataUpdatedAt,
      ),
      results,
    }),
  });
  const rows = useMemo(() => rowsOf([first.data, ...rest.lists]), [first.data, rest.lists]);
  const { data } = first;
  const total = data?.total ?? 0;
  const failing = rest.results[rest.failing];
  return {
    first,
    rows,
    total,
    /** True when there may be more than `total`. */
    more: query.q !== undefined && total === counted,
    /** Places that can be scrolled to. */
    reachable: data === undefined || scanned ? total : Math.min(total, data.window),
    /** How many runs a search for stuck ones looked at; null for other lists. */
    scanned: scanned ? (data?.window ?? null) : null,
    unsupported: data?.unsupported_filters ?? [],
    /** The uppermost page below the first that could not be read, and the place where it begins. */
    failing:
      failing === undefined
        ? undefined
        : { query: failing, from: (pages[rest.failing + 1] ?? 0) * PAGE },
  };
}

/** Names of workflows that ran lately, with the one that is chosen, in order. */
export function useWorkflowNames(chosen: string | undefined): readonly string[] {
  // The read of the whole list, which is live while that is shown.
  const lately = useQuery({ ...firstPage(useQueryOf(NO_FILTER)), staleTime: MINUTE_MS });
  return useMemo(() => {
    const names = new Set(lately.data?.rows.map(({ workflow_name }) => workflow_name));
    names.add(chosen ?? '');
    names.delete('');
    return [...names].sort();
  }, [lately.data, chosen]);
}

/** How many runs of each status the other filters leave; undefined where nobody can tell. */
export function useStatusCounts(filter: RunFilter): {
  readonly counts: Readonly<Record<string, number | undefined>>;
  /** Counts of so many may stand for more; undefined where all are counted. */
  readonly counted: number | undefined;
  /** True until the first answer is here. */
  readonly counting: boolean;
} {
  const query = useQueryOf(filter);
  const { data, isLoading } = useQuery(firstPage(query));
  const counts = Object.fromEntries(
    RUN_STATUSES.map((status) => [status, data?.status_counts?.[status] ?? undefined]),
  );
  return { counts, counted: query.q === undefined ? undefined : COUNTED, counting: isLoading };
}

const NOT_KNOWN = t('This platform cannot filter by it: it took no notice when it was asked to.');

/**
 * Why a filter (a name of the service) cannot be used; undefined while it can. What the platform did
 * not know once is remembered for as long as the page is open.
 */
export function useFacetHindrance(filter: RunFilter): (facet: string) => string | undefined {
  const { data } = useQuery(firstPage(useQueryOf(filter)));
  const [unknown, setUnknown] = useState<ReadonlySet<string>>(new Set());
  const named = data?.unsupported_filters ?? [];
  if (named.some((name) => !unknown.has(name))) {
    setUnknown(new Set([...unknown, ...named]));
  }
  return (facet) => (unknown.has(facet) ? NOT_KNOWN : undefined);
}
