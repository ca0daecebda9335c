import type { DashboardDeps, Operator } from '../deps.ts';
import type { Db } from '../handle.ts';
import { objectOf, textOrNull } from '../read.ts';
import { refuse } from '../refusals.ts';
import { putSetting } from './put-setting.ts';
import { findSetting, type Setting } from './settings-repository.ts';

/** The blended price of a thousand tokens; null = unpriced. */
export interface PriceBook {
  readonly blended_per_1k: number | null;
  readonly currency: string;
  readonly is_default: boolean;
  readonly version: number;
}

const KEY = 'default';
const CURRENCY = 'USD';

function bookOf(row: Setting): PriceBook {
  const value = objectOf(row.value);
  const rate = value['blended_per_1k'];
  return {
    blended_per_1k: typeof rate === 'number' ? rate : null,
    currency: textOrNull(value['currency']) ?? CURRENCY,
    is_default: false,
    version: row.version,
  };
}

/** The stored price, else none in US dollars (contract/dashboard.md 7, OD-131). */
export async function getPriceBook(db: Db): Promise<PriceBook> {
  const row = await findSetting(db, 'pricing', KEY);
  if (row !== undefined) return bookOf(row);
  return { blended_per_1k: null, currency: CURRENCY, is_default: true, version: 0 };
}

/** Sets or clears the price. @throws Refusal `bad_request` unless it is a finite number >= 0. */
export async function putPriceBook(
  deps: DashboardDeps,
  operator: Operator,
  input: {
    readonly blended_per_1k?: number | null | undefined;
    readonly currency: string;
    readonly version: number;
  },
): Promise<PriceBook> {
  const rate = input.blended_per_1k ?? null;
  if (rate !== null && !(Number.isFinite(rate) && rate >= 0)) {
    throw refuse('bad_request', { message: 'The price must be a finite number, zero or more.' });
  }
  const row = await putSetting(deps, operator, {
    namespace: 'pricing',
    key: KEY,
    value: { blended_per_1k: rate, currency: input.currency },
    version: input.version,
  });
  return bookOf(row);
}
