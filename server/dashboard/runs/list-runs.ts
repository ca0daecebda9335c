import type { RunList, RunListQuery, RunRow } from '../../contract/dashboard/runs.ts';
import { RUN_STATUSES } from '../../contract/platform/run-status.ts';
import { BRIEF_RUNS_HEADER, listRuns as listRunsRoute } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import type { Query } from '../../platform-client/route-url.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { type RunPage, readRunPage } from '../platform-answers.ts';
import { pageFacts } from '../read.ts';
import { getPriceBook } from '../settings/pricing.ts';
import { listWithFallback } from './facet-fallback.ts';
import { toRunRow, type ViewContext } from './run-view.ts';
import { CAN_BE_STUCK } from './stuck-rules.ts';

const STUCK_PAGES = 5;
const STUCK_PAGE = 200;
/** Of the others nothing is read but that they are there. */
const NEVER_STUCK = {
  [BRIEF_RUNS_HEADER]: RUN_STATUSES.filter((status) => !CAN_BE_STUCK.has(status)).join(','),
};
const NEWEST_FIRST = { sort_by: 'updated_at', sort_order: 'desc' };

/** What turns platform runs into rows now. */
export async function viewContext(deps: DashboardDeps): Promise<ViewContext> {
  return {
    nowMs: deps.clock.now(),
    thresholds: deps.config,
    prices: await getPriceBook(deps.db),
  };
}

/** Empty text means no filter. */
function facetsOf(input: RunListQuery): Query {
  const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
  return {
    status: set(input.status),
    has_error: input.has_error,
    workflow_kind: set(input.workflow_kind),
    workflow_name: set(input.workflow_name),
    session_id: set(input.session_id),
    created_after: set(input.created_after),
    created_before: set(input.created_before),
    q: set(input.q),
  };
}

function orderOf(input: RunListQuery): Query {
  if (input.sort_by === undefined || input.sort_by === '') return NEWEST_FIRST;
  return { sort_by: input.sort_by, sort_order: input.sort_order ?? 'desc' };
}

function briefHeaders({ brief = '' }: RunListQuery): Record<string, string> {
  const asked = brief.split(',');
  const statuses = RUN_STATUSES.filter((status) => asked.includes(status));
  return statuses.length === 0 ? {} : { [BRIEF_RUNS_HEADER]: statuses.join(',') };
}

/** One page of runs as the platform orders them: newest change first unless sorted otherwise. */
export async function listRuns(
  deps: DashboardDeps,
  operator: Operator,
  input: RunListQuery,
  signal: AbortSignal,
): Promise<RunList> {
  const platform = operator.platform();
  const context = await viewContext(deps);
  if (input.stuck_only) return scanStuck(platform, input, context, signal);
  const page = { limit: input.limit, offset: input.offset };
  const { body, facets, unsupported, counted } = await listWithFallback(
    platform,
    facetsOf(input),
    { ...orderOf(input), ...page, count_to: input.count_to },
    { signal, headers: briefHeaders(input) },
  );
  const rows = required(body.runs, 'runs').map((run) => toRunRow(run, context));
  const brief = (body.brief ?? []).map(({ run_id, status }) => ({
    run_id: required(run_id, 'run_id'),
    status: status ?? '',
  }));
  return {
    rows,
    ...pageFacts(body, rows.length + brief.length, page),
    ...(input.brief === undefined ? {} : { brief }),
    unsupported_filters: [...unsupported],
    ...(input.status_counts
      ? { status_counts: await countStatuses(platform, { ...facets, ...counted }, signal) }
      : {}),
  };
}

/** Totals of the list by status; null where the platform tells none. */
async function countStatuses(
  platform: PlatformClient,
  facets: Query,
  signal: AbortSignal,
): Promise<Record<string, number | null>> {
  const counts = await Promise.all(
    RUN_STATUSES.map(async (status) => {
      const query = { ...facets, status, limit: 1, offset: 0 };
      const { total } = await platform.read(listRunsRoute, readRunPage, { query }, { signal });
      return [status, total ?? null] as const;
    }),
  );
  return Object.fromEntries(counts);
}

function reachable(body: RunPage): number {
  const total = body.total ?? Number.MAX_SAFE_INTEGER;
  return Math.min(body.window ?? total, total);
}

/** Every stuck run of a bounded scan; `window` is the number of runs looked at. */
async function scanStuck(
  platform: PlatformClient,
  input: RunListQuery,
  context: ViewContext,
  signal: AbortSignal,
): Promise<RunList> {
  const stuck: RunRow[] = [];
  const unsupported: string[] = [];
  let facets = facetsOf(input);
  let scanned = 0;
  for (let page = 0; page < STUCK_PAGES; page += 1) {
    const rest = { ...NEWEST_FIRST, limit: STUCK_PAGE, offset: page * STUCK_PAGE };
    const list = await listWithFallback(platform, facets, rest, { signal, headers: NEVER_STUCK });
    facets = list.facets;
    unsupported.push(...list.unsupported);
    const runs = required(list.body.runs, 'runs');
    const read = runs.length + (list.body.brief?.length ?? 0);
    scanned += read;
    const found = runs.filter(({ status }) => CAN_BE_STUCK.has(status ?? ''));
    stuck.push(...found.map((run) => toRunRow(run, context)).filter((row) => row.stuck));
    const reached = (page + 1) * STUCK_PAGE;
    if (read < STUCK_PAGE || reached >= reachable(list.body)) break;
  }
  return {
    rows: stuck,
    count: stuck.length,
    total: stuck.length,
    limit: STUCK_PAGE,
    offset: 0,
    window: scanned,
    unsupported_filters: unsupported.sort(),
  };
}
