import type { BudgetBody, PriceList } from '../../contract/platform/budgets.ts';
import type { UsageCounts } from '../../contract/platform/usage.ts';

// How much may be used. The room promises: what is held against a budget is what runs of its scope
// used in the calendar month in UTC; a run that may not go on is told which budget says so.

const MILLION = 1_000_000;
const MONTH_CHARS = 'YYYY-MM'.length;

/** A budget as it is kept. */
export interface KeptBudget extends BudgetBody {
  readonly id: string;
  readonly updated_at: string;
}

/** What one key, workflow and model used in the month; an empty text stands where there is no name. */
export interface MonthUse extends UsageCounts {
  readonly caller: string;
  readonly workflow: string;
  readonly model: string;
}

/** Whose run it is. */
export interface RunOwner {
  readonly caller: string | null;
  readonly workflow: string | null;
}

/** How a budget stands. */
export interface Standing {
  readonly budget: KeptBudget;
  /** In the budget's unit. */
  readonly used: number;
  readonly unpriced_tokens: number;
}

/** The month of a day in the form YYYY-MM-DD. */
export function monthOf(day: string): string {
  return day.slice(0, MONTH_CHARS);
}

/** Money for what a model used; undefined for a model without a price. */
export function costOf(use: MonthUse, { prices }: PriceList): number | undefined {
  const price = prices.find(({ model }) => model === use.model);
  if (price === undefined) return undefined;
  const cached = Math.min(use.cached_input_tokens, use.input_tokens);
  const input = (use.input_tokens - cached) * price.input;
  const fromCache = cached * (price.cached_input ?? price.input);
  return (input + fromCache + use.output_tokens * price.output) / MILLION;
}

function isWithin(budget: BudgetBody, { caller, workflow }: RunOwner): boolean {
  const isKey = budget.key === null || budget.key === caller;
  return isKey && (budget.workflow === null || budget.workflow === workflow);
}

/** What of the month's use counts towards a budget. */
export function standingOf(
  budget: KeptBudget,
  month: readonly MonthUse[],
  prices: PriceList,
): Standing {
  let used = 0;
  let unpriced_tokens = 0;
  for (const use of month) {
    if (!isWithin(budget, use)) continue;
    const amount = budget.unit === 'tokens' ? use.total_tokens : costOf(use, prices);
    if (amount === undefined) unpriced_tokens += use.total_tokens;
    else used += amount;
  }
  return { budget, used, unpriced_tokens };
}

/** What a run meets: nothing, or the budget that is used up; one that stops goes before one that asks. */
export type Verdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'stop' | 'ask'; readonly standing: Standing };

/** Judges a run by how the budgets stand. */
export function judge(standings: readonly Standing[], owner: RunOwner): Verdict {
  const over = standings.filter(
    ({ budget, used }) => budget.enabled && isWithin(budget, owner) && used >= budget.amount,
  );
  const met = over.find(({ budget }) => budget.action === 'stop') ?? over[0];
  return met === undefined ? { kind: 'within' } : { kind: met.budget.action, standing: met };
}
