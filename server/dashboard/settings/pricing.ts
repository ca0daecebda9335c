import { type ModelPrice, priceBook } from '../../contract/dashboard/settings.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import type { Db } from '../handle.ts';
import { objectOf, textOrNull } from '../read.ts';
import { refuse } from '../refusals.ts';
import { putSetting } from './put-setting.ts';
import { findSetting, type Setting } from './settings-repository.ts';

/** The blended price of a thousand tokens (null = unpriced) and those of single models. */
export interface PriceBook {
  readonly blended_per_1k: number | null;
  readonly currency: string;
  readonly models: ModelPrice[];
  readonly budget_per_day: number | null;
  readonly is_default: boolean;
  readonly version: number;
}

const KEY = 'default';
const CURRENCY = 'USD';

const modelPrices = priceBook.shape.models.unwrap();

function bookOf(row: Setting): PriceBook {
  const value = objectOf(row.value);
  const rate = value['blended_per_1k'];
  const budget = value['budget_per_day'];
  const models = modelPrices.safeParse(value['models']);
  return {
    blended_per_1k: typeof rate === 'number' ? rate : null,
    currency: textOrNull(value['currency']) ?? CURRENCY,
    models: models.success ? models.data : [],
    budget_per_day: typeof budget === 'number' ? budget : null,
    is_default: false,
    version: row.version,
  };
}

/** The stored price, else none in US dollars (contract/dashboard.md 7, OD-131). */
export async function getPriceBook(db: Db): Promise<PriceBook> {
  const row = await findSetting(db, 'pricing', KEY);
  if (row !== undefined) return bookOf(row);
  return {
    blended_per_1k: null,
    currency: CURRENCY,
    models: [],
    budget_per_day: null,
    is_default: true,
    version: 0,
  };
}

/** Sets or clears the price. @throws Refusal `bad_request` unless it is a finite number >= 0. */
export async function putPriceBook(
  deps: DashboardDeps,
  operator: Operator,
  input: {
    readonly blended_per_1k?: number | null | undefined;
    readonly currency: string;
    readonly models?: readonly ModelPrice[] | undefined;
    readonly budget_per_day?: number | null | undefined;
    readonly version: number;
  },
): Promise<PriceBook> {
  const rate = input.blended_per_1k ?? null;
  if (rate !== null && !(Number.isFinite(rate) && rate >= 0)) {
    throw refuse('bad_request', { message: 'The price must be a finite number, zero or more.' });
  }
  const held = await getPriceBook(deps.db);
  const { models = held.models, budget_per_day = held.budget_per_day } = input;
  const row = await putSetting(deps, operator, {
    namespace: 'pricing',
    key: KEY,
    value: {
      blended_per_1k: rate,
      currency: input.currency,
      models: models.map((price) => ({ ...price })),
      budget_per_day,
    },
    version: input.version,
  });
  return bookOf(row);
}

/** The prices as they are told: models and the budget only where there are such. */
export function toPriceView({ models, budget_per_day, ...book }: PriceBook) {
  return {
    ...book,
    ...(models.length === 0 ? {} : { models }),
    ...(budget_per_day === null ? {} : { budget_per_day }),
  };
}
