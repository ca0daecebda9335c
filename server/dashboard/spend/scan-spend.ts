import type { SpendView } from '../../contract/dashboard/spend.ts';
import { listRuns } from '../../contract/platform/runs.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readRunPage } from '../platform-answers.ts';
import { timeOf } from '../read.ts';
import { refuse } from '../refusals.ts';
import { costOf, round6, totalTokens } from '../runs/usage-view.ts';
import { getPriceBook } from '../settings/pricing.ts';

const HOUR_MS = 3_600_000;
const WINDOWS: Readonly<Record<string, number>> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};
const PAGES = 5;
const PAGE = 200;

/** Approximate spend of a window, from at most 1000 runs, newest first (contract/dashboard.md 13). */
export async function scanSpend(
  deps: DashboardDeps,
  operator: Operator,
  window: string,
  signal: AbortSignal,
): Promise<SpendView> {
  const length = Object.hasOwn(WINDOWS, window) ? WINDOWS[window] : undefined;
  if (length === undefined) {
    throw refuse('bad_request', { message: 'The window must be 24h, 7d or 30d.' });
  }
  const platform = operator.platform();
  const prices = await getPriceBook(deps.db);
  const boundary = deps.clock.now() - length;
  let scanned = 0;
  let counted = 0;
  let cost = 0;
  let total: number | null = null;
  let complete = false;
  for (let page = 0; page < PAGES && !complete; page += 1) {
    const query = {
      created_after: toTimestamp(boundary),
      sort_by: 'created_at',
      sort_order: 'desc',
      limit: PAGE,
      offset: page * PAGE,
    };
    const body = await platform.read(listRuns, readRunPage, { query }, { signal });
    const runs = required(body.runs, 'runs');
    const inside = runs.filter((run) => (timeOf(run.created_at) ?? boundary) >= boundary);
    scanned += runs.length;
    counted += inside.length;
    cost += inside.reduce((sum, run) => sum + (costOf(totalTokens(run), prices) ?? 0), 0);
    total = body.total ?? null;
    complete = runs.length < PAGE || (total !== null && (page + 1) * PAGE >= total);
  }
  const priced = prices.blended_per_1k !== null;
  return {
    window,
    total_cost_usd: priced ? round6(cost) : null,
    currency: prices.currency,
    counted,
    scanned,
    total,
    truncated: !complete,
    priced,
    approximate: priced,
  };
}
