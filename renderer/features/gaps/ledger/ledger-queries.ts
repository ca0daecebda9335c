import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  getAnalysisLedger,
  type LedgerEntry,
  type LedgerView,
} from '../../../../server/contract/studio/ledger.ts';
import { call } from '../../../data/api-client.ts';
import { routePrefix } from '../../../data/query-client.ts';
import { type LedgerFilter, ledgerQuery } from './ledger-model.ts';

const PAGE = 200;
const LARGEST_PAGE = 1_000;

function readPage(
  projectId: string,
  analysisId: string,
  filter: LedgerFilter,
  at: { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<LedgerView> {
  return call(
    getAnalysisLedger,
    {
      params: { project_id: projectId, analysis_id: analysisId },
      query: { ...ledgerQuery(filter), ...at },
    },
    signal === undefined ? {} : { signal },
  );
}

/** The ledger of an analysis under a filter, read page after page as it is scrolled. */
export function useLedger(projectId: string, analysisId: string, filter: LedgerFilter) {
  const query = useInfiniteQuery({
    queryKey: [...routePrefix(getAnalysisLedger), projectId, analysisId, filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readPage(projectId, analysisId, filter, { offset: pageParam, limit: PAGE }, signal),
    getNextPageParam: (page) => page.next_offset,
    placeholderData: keepPreviousData,
    // An analysis never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entries = useMemo(
    () => query.data?.pages.flatMap((page) => page.entries) ?? [],
    [query.data],
  );
  return { query, first: query.data?.pages[0], entries };
}

/** Every entry under a filter, for a file. */
export async function readWholeLedger(
  projectId: string,
  analysisId: string,
  filter: LedgerFilter,
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await readPage(projectId, analysisId, filter, { offset, limit: LARGEST_PAGE });
    entries.push(...page.entries);
    offset = page.next_offset;
  }
  return entries;
}
