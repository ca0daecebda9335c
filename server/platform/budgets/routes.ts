import {
  type Budget,
  deleteBudget,
  getPrices,
  listBudgets,
  MAX_BUDGETS,
  putBudget,
  putPrices,
} from '../../contract/platform/budgets.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { currentMonth, standings } from './hold-to-budgets.ts';
import type { KeptBudget, Standing } from './judge-budgets.ts';

function toBudget({ budget, used, unpriced_tokens }: Standing): Budget {
  return { ...budget, used, unpriced_tokens };
}

function auditFacts({ updated_at: _at, ...budget }: KeptBudget): JsonObject {
  return { ...budget };
}

/** Adds or replaces one budget, in the caller's transaction. @throws Refusal invalid_request */
function saveBudget(deps: PlatformDeps, made: KeptBudget, actor: string): Budget {
  const before = deps.budgets.all();
  const others = before.filter(({ id }) => id !== made.id);
  if (others.length >= MAX_BUDGETS) {
    throw refuse('invalid_request', { message: `There are ${MAX_BUDGETS} budgets; remove one.` });
  }
  const previous = before.find(({ id }) => id === made.id);
  deps.budgets.replaceAll([...others, made].sort((a, b) => (a.id < b.id ? -1 : 1)));
  deps.recordAudit({
    event_type: 'budget.changed',
    actor,
    metadata: {
      previous: previous === undefined ? null : auditFacts(previous),
      current: auditFacts(made),
    },
  });
  const standing = standings(deps).find(({ budget }) => budget.id === made.id);
  if (standing === undefined) throw new TypeError('a budget that was just stored stands somewhere');
  return toBudget(standing);
}

function removeBudget(deps: PlatformDeps, id: string, actor: string): { id: string } {
  const before = deps.budgets.all();
  const removed = before.find((each) => each.id === id);
  if (removed === undefined) throw refuse('not_found');
  deps.budgets.replaceAll(before.filter((each) => each !== removed));
  const metadata = { previous: auditFacts(removed) };
  deps.recordAudit({ event_type: 'budget.removed', actor, metadata });
  return { id };
}

/** Budgets of the month, and the prices that those of money count by. */
export function registerBudgetRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listBudgets, () => {
    const budgets = standings(deps).map(toBudget);
    return { budgets, count: budgets.length, month: currentMonth(deps) };
  });
  app.implement(putBudget, ({ params, body }, { principal }) => {
    const updated_at = toTimestamp(deps.clock.now());
    const made = { ...body, id: params.budget_id, updated_at };
    return deps.commits.add(() => saveBudget(deps, made, principal.name));
  });
  app.implement(deleteBudget, ({ params }, { principal }) =>
    deps.commits.add(() => removeBudget(deps, params.budget_id, principal.name)),
  );
  app.implement(getPrices, () => deps.budgets.prices());
  app.implement(putPrices, ({ body }, { principal }) =>
    deps.commits.add(() => {
      const previous = deps.budgets.prices().prices.map((price) => ({ ...price }));
      deps.budgets.replacePrices(body);
      const current = body.prices.map((price) => ({ ...price }));
      deps.recordAudit({
        event_type: 'prices.changed',
        actor: principal.name,
        metadata: { currency: body.currency, previous, current },
      });
      return body;
    }),
  );
}
