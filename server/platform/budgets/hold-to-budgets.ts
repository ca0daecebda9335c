import type { HoldQuestion } from '../../engine/event.ts';
import type { RunError } from '../../engine/failure.ts';
import { utcDay } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';
import {
  judge,
  type KeptBudget,
  monthOf,
  type RunOwner,
  type Standing,
  standingOf,
  type Verdict,
} from './judge-budgets.ts';

type Deps = Pick<PlatformDeps, 'budgets' | 'clock'>;

/** The month that is counted now. */
export function currentMonth({ clock }: Pick<Deps, 'clock'>): string {
  return monthOf(utcDay(clock.now()));
}

/** True where there is anything to hold runs to. */
export function hasBudgets({ budgets }: Pick<Deps, 'budgets'>): boolean {
  return budgets.all().length > 0;
}

/** How all budgets stand; nothing is summed up where there is none. */
export function standings(deps: Deps, budgets = deps.budgets.all()): Standing[] {
  if (budgets.length === 0) return [];
  const month = deps.budgets.usedIn(currentMonth(deps));
  const prices = deps.budgets.prices();
  return budgets.map((budget) => standingOf(budget, month, prices));
}

function verdictOn(deps: Deps, owner: RunOwner, budgets?: KeptBudget[]): Verdict {
  return judge(standings(deps, budgets), owner);
}

/** Two decimals, and of less than one that many digits that tell something. */
function amountText(value: number): string {
  return String(value < 1 ? Number(value.toPrecision(2)) : Math.round(value * 100) / 100);
}

function inWords(deps: Deps, { budget, used }: Standing): string {
  const unit = budget.unit === 'tokens' ? 'tokens' : deps.budgets.prices().currency;
  return `The budget '${budget.name}' of ${currentMonth(deps)} is used up: ${amountText(used)} of ${budget.amount} ${unit}.`;
}

const WHAT_TO_DO =
  'Somebody who may change policies can raise it; else it begins anew with the next month (UTC).';

/** @throws Refusal budget_exceeded for a new run beyond a budget that stops */
export function refuseOverBudget(
  deps: Deps & Pick<PlatformDeps, 'metrics'>,
  owner: RunOwner,
): void {
  const verdict = verdictOn(deps, owner);
  if (verdict.kind !== 'stop') return;
  deps.metrics.add('runs_rejected');
  const { budget, used } = verdict.standing;
  throw refuse('budget_exceeded', {
    message: `${inWords(deps, verdict.standing)} ${WHAT_TO_DO}`,
    details: { budget_id: budget.id, unit: budget.unit, amount: budget.amount, used },
  });
}

/** Why a run may make no further call of a model; undefined where it may. */
export function endsBeyondBudget(deps: Deps, owner: RunOwner): RunError | undefined {
  const verdict = verdictOn(deps, owner);
  if (verdict.kind !== 'stop') return undefined;
  return { type: 'BudgetExceeded', message: `${inWords(deps, verdict.standing)} ${WHAT_TO_DO}` };
}

/** What a person is asked before a run begins; undefined where it may begin. `budgets` where they were read. */
export function questionBeyondBudget(
  deps: Deps,
  owner: RunOwner,
  budgets?: KeptBudget[],
): HoldQuestion | undefined {
  const verdict = verdictOn(deps, owner, budgets);
  if (verdict.kind !== 'ask') return undefined;
  const { budget, used } = verdict.standing;
  return {
    title: 'Run beyond a budget',
    prompt: `${inWords(deps, verdict.standing)} Approve to let this run begin all the same; reject to cancel it.`,
    context: {
      budget_id: budget.id,
      budget: budget.name,
      unit: budget.unit,
      amount: budget.amount,
      used,
      key: owner.caller,
      workflow: owner.workflow,
    },
  };
}
