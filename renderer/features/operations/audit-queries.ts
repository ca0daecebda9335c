import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { listAudit, listAuditLog } from '../../../server/contract/dashboard/audit.ts';
import { call } from '../../data/api-client.ts';
import { routePrefix } from '../../data/query-client.ts';
import { type AuditEvent, type AuditLogEntry, type AuditView, momentsOf } from './audit-model.ts';
import { useUtc } from './audit-rows.ts';

const PAGE = 100;
/** The services answer no more at once. */
const EXPORT_PAGE = 200;
/** The platform's lists reach no further. */
const MOST = 10_000;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

async function readEvents(view: AuditView, utc: boolean, page: Page, signal?: AbortSignal) {
  const query = {
    event_type: view.type ?? '',
    run_id: view.run ?? '',
    ...momentsOf(view, utc),
    ...page,
  };
  return (await call(listAudit, { query }, { signal })).rows;
}

async function readEntries(view: AuditView, utc: boolean, page: Page, signal?: AbortSignal) {
  const query = {
    operator: view.who ?? '',
    outcome: view.outcome ?? ('' as const),
    environment: view.environment ?? '',
    target: view.run ?? '',
    ...momentsOf(view, utc),
    ...page,
  };
  return (await call(listAuditLog, { query }, { signal })).entries;
}

type Reader<Row> = (
  view: AuditView,
  utc: boolean,
  page: Page,
  signal?: AbortSignal,
) => Promise<readonly Row[]>;

/** Rows by their ids: what comes in front while pages are read moves some onto the next page. */
function once<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function usePages<Row extends { readonly id: string }>(
  key: readonly [string, string],
  read: Reader<Row>,
  view: AuditView,
) {
  const utc = useUtc();
  // Words are looked for in what was read.
  const { words: _words, ...asked } = view;
  const query = useInfiniteQuery({
    queryKey: [...key, asked, utc],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => read(view, utc, { limit: PAGE, offset: pageParam }, signal),
    getNextPageParam: (last, pages) =>
      last.length < PAGE || pages.length * PAGE >= MOST ? undefined : pages.length * PAGE,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const rows = useMemo(() => once(query.data?.pages.flat() ?? []), [query.data]);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const readOn = useCallback((): void => {
    // A page that fails is read again by its own countdown.
    if (hasNextPage && !isFetching && !isError) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return { query, rows, readOn };
}

/** What happened on the platform, newest first, as far as it was scrolled to. */
export function usePlatformEvents(view: AuditView) {
  return usePages<AuditEvent>(routePrefix(listAudit), readEvents, view);
}

/** What people did through this dashboard, newest first, as far as it was scrolled to. */
export function useOperatorEntries(view: AuditView) {
  return usePages<AuditLogEntry>(routePrefix(listAuditLog), readEntries, view);
}

async function readAll<Row extends { readonly id: string }>(
  read: Reader<Row>,
  view: AuditView,
  utc: boolean,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; offset < MOST; offset += EXPORT_PAGE) {
    const page = await read(view, utc, { limit: EXPORT_PAGE, offset });
    rows.push(...page);
    if (page.length < EXPORT_PAGE) {
      break;
    }
  }
  return once(rows);
}

/** All events of a view; the newest 10,000 where there are more. */
export function readAllEvents(view: AuditView, utc: boolean): Promise<readonly AuditEvent[]> {
  return readAll<AuditEvent>(readEvents, view, utc);
}

/** All entries of a view; the newest 10,000 where there are more. */
export function readAllEntries(view: AuditView, utc: boolean): Promise<readonly AuditLogEntry[]> {
  return readAll<AuditLogEntry>(readEntries, view, utc);
}
