import { z } from 'zod';
import { budgetBody, type PriceList, priceList } from '../../contract/platform/budgets.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';

import type { PlatformTables } from '../../store/platform-tables.ts';
import { askLater, type SyncStore } from '../../store/sync-connection.ts';
import type { KeptBudget, MonthUse } from './judge-budgets.ts';

const BUDGETS = 'usage_budgets';
const PRICES = 'usage_prices';

const kept = z.array(budgetBody.extend({ id: z.string(), updated_at: z.string() }));

/** Budgets and prices, each kept as one text, and what the month has used. */
export interface BudgetStore {
  all(): KeptBudget[];
  /** The same, asked with the next statement. */
  allLater(): () => KeptBudget[];
  replaceAll(budgets: readonly KeptBudget[]): void;
  prices(): PriceList;
  replacePrices(prices: PriceList): void;
  /** What was used in a month (YYYY-MM), by key, workflow and model. */
  usedIn(month: string): MonthUse[];
}

export function createBudgetStore(store: SyncStore<PlatformTables>, clock: Clock): BudgetStore {
  const select = store.sync.prepare<[string], { value: string }>(
    'SELECT value FROM project_metadata WHERE key = ?',
  );
  const upsert = store.sync.prepare<[string, string, string]>(
    `INSERT INTO project_metadata (key, value, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  );
  const usedIn = store.sync.prepare<[string], MonthUse>(
    `SELECT caller, workflow, model, calls, input_tokens, cached_input_tokens, output_tokens,
       reasoning_tokens, total_tokens
     FROM usage_by_month WHERE month = ?`,
  );
  const valueIn = (row: { value: string } | undefined): unknown =>
    row === undefined ? undefined : JSON.parse(row.value);
  const read = (key: string): unknown => valueIn(select.get(key));
  const write = (key: string, value: unknown): void =>
    void upsert.run(key, JSON.stringify(value), toTimestamp(clock.now()));
  return {
    all: () => kept.parse(read(BUDGETS) ?? []),
    allLater() {
      const found = askLater(select, BUDGETS);
      return () => kept.parse(valueIn(found()) ?? []);
    },
    replaceAll: (budgets) => write(BUDGETS, budgets),
    prices: () => priceList.parse(read(PRICES) ?? {}),
    replacePrices: (prices) => write(PRICES, prices),
    usedIn: (month) => usedIn.all(month),
  };
}
