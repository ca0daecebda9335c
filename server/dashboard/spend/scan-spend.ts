import type { SpendPart, SpendView } from '../../contract/dashboard/spend.ts';
import { utcDay } from '../../kernel/timestamp.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import type { RunItem } from '../platform-answers.ts';
import { refuse } from '../refusals.ts';
import { specName } from '../runs/run-identity.ts';
import { costOf, isPriced, modelOf, round6, totalTokens } from '../runs/usage-view.ts';
import { getPriceBook } from '../settings/pricing.ts';
import { scanCreated } from './scan-created.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOWS: Readonly<Record<string, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

interface Share {
  runs: number;
  tokens: number;
  cost: number;
}

/** Runs, tokens and cost by a word of each run, or by the name of those that have none. */
function createShares(first: readonly string[] = []) {
  const shares = new Map<string, Share & { readonly key: string; readonly name: string }>();
  const shareOf = (key: string, name: string) => {
    const known = shares.get(`${key} ${name}`);
    const share = known ?? { key, name, runs: 0, tokens: 0, cost: 0 };
    shares.set(`${key} ${name}`, share);
    return share;
  };
  for (const key of first) shareOf(key, '');
  return {
    add(key: string, tokens: number, cost: number, name = ''): void {
      const share = shareOf(key, name);
      share.runs += 1;
      share.tokens += tokens;
      share.cost += cost;
    },
    parts: (priced: boolean): SpendPart[] =>
      [...shares.values()].map(({ key, name, runs, tokens, cost }) => ({
        key,
        ...(name === '' ? {} : { name }),
        ...{ runs, tokens },
        cost_usd: priced ? round6(cost) : null,
      })),
  };
}

/** What a run of no workflow is called. */
function nameOf(run: RunItem): string {
  return specName(run) ?? run.agent_name ?? '';
}

/** The days that a window touches, oldest first. */
function daysOf(boundary: number, now: number): string[] {
  const days = new Set<string>();
  for (let at = boundary; at < now; at += DAY_MS) days.add(utcDay(at));
  return [...days.add(utcDay(now))];
}

/** The dearest first; without a price those with the most tokens, then with the most runs. */
function byWeight(parts: SpendPart[]): SpendPart[] {
  return parts.sort(
    (a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0) || b.tokens - a.tokens || b.runs - a.runs,
  );
}

/** Approximate spend of a window, from at most 1000 runs, newest first (contract/dashboard.md 13). */
export async function scanSpend(
  deps: DashboardDeps,
  operator: Operator,
  asked: { readonly window: string; readonly parts: boolean },
  signal: AbortSignal,
): Promise<SpendView> {
  const { window } = asked;
  const length = Object.hasOwn(WINDOWS, window) ? WINDOWS[window] : undefined;
  if (length === undefined) {
    throw refuse('bad_request', { message: 'The window must be 24h, 7d or 30d.' });
  }
  const prices = await getPriceBook(deps.db);
  const now = deps.clock.now();
  const boundary = now - length;
  const days = createShares(daysOf(boundary, now));
  const [workflows, models] = [createShares(), createShares()];
  let sum = 0;
  const scan = await scanCreated(
    operator.platform(),
    { boundary, brief: !asked.parts && prices.models.length === 0 },
    (run, createdAt) => {
      const cost = costOf(run, prices) ?? 0;
      sum += cost;
      if (!asked.parts) return;
      const tokens = Math.max(0, totalTokens(run) ?? 0);
      if (createdAt !== undefined) days.add(utcDay(createdAt), tokens, cost);
      const workflow = run.workflow_name ?? '';
      workflows.add(workflow, tokens, cost, workflow === '' ? nameOf(run) : '');
      models.add(modelOf(run), tokens, cost);
    },
    signal,
  );
  const priced = isPriced(prices);
  return {
    window,
    total_cost_usd: priced ? round6(sum) : null,
    currency: prices.currency,
    counted: scan.counted,
    scanned: scan.scanned,
    total: scan.total,
    truncated: scan.truncated,
    priced,
    approximate: priced,
    ...(asked.parts
      ? {
          by_day: days.parts(priced),
          by_workflow: byWeight(workflows.parts(priced)),
          by_model: byWeight(models.parts(priced)),
        }
      : {}),
  };
}
