import * as contract from '../../contract/dashboard/usage.ts';
import {
  budget,
  deleteBudget,
  getPrices,
  listBudgets,
  priceList,
  putBudget,
  putPrices,
} from '../../contract/platform/budgets.ts';
import { getUsage, usageReport } from '../../contract/platform/usage.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { utcDay } from '../../kernel/timestamp.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readWhole } from '../read-whole.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

const DAY_MS = 86_400_000;
const DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;

const readReport = readWhole(usageReport, 'the usage report');
const readBudget = readWhole(budget, 'the budget');
const readBudgets = readWhole(listBudgets.responses[200], 'the list of budgets');
const readPrices = readWhole(priceList, 'the prices');

/** Usage and budgets of the platform; the budgets are its own, and so are their rules. */
export function registerUsageRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getUsageParts, async ({ query }, { principal, signal }) => {
    const to = deps.clock.now();
    const from = utcDay(to - (DAYS[query.window] - 1) * DAY_MS);
    const asked = { query: { from, to: utcDay(to), group_by: [query.by] } };
    const report = await unlessNotFound(
      principal.platform().read(getUsage, readReport, asked, { signal }),
    );
    const rows = (report?.rows ?? []).map(
      ({ day, key, workflow, step, provider: _provider, model, ...counts }) => ({
        ...counts,
        name: { day, key, workflow, step, model }[query.by] ?? '',
      }),
    );
    return { available: report !== undefined, rows, truncated: report?.truncated ?? false };
  });

  app.implement(contract.getBudgets, async (_input, { principal, signal }) => {
    const platform = principal.platform();
    const list = await unlessNotFound(platform.read(listBudgets, readBudgets, {}, { signal }));
    const prices = { currency: '', prices: [] };
    if (list === undefined) return { available: false, month: '', prices, budgets: [] };
    return {
      available: true,
      month: list.month,
      prices: await platform.read(getPrices, readPrices, {}, { signal }),
      budgets: list.budgets,
    };
  });

  app.implement(contract.putBudget, ({ params, body }, { principal }) => {
    const facts = {
      action: 'budget.put' as const,
      target: params.budget_id,
      environment: principal.environment,
    };
    return audited(deps.audit, principal, facts, () =>
      principal.platform().read(putBudget, readBudget, { params, body }),
    );
  });

  app.implement(contract.putBudgetPrices, ({ body }, { principal }) => {
    const { environment } = principal;
    const facts = { action: 'budget.prices.put' as const, target: 'prices', environment };
    return audited(deps.audit, principal, facts, () =>
      principal.platform().read(putPrices, readPrices, { body }),
    );
  });

  app.implement(contract.deleteBudget, ({ params }, { principal }) => {
    const facts = {
      action: 'budget.delete' as const,
      target: params.budget_id,
      environment: principal.environment,
    };
    return audited(deps.audit, principal, facts, async () => {
      await principal.platform().call(deleteBudget, { params });
      return { id: params.budget_id };
    });
  });
}
