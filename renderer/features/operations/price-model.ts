import type { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import type { priceBook } from '../../../server/contract/dashboard/settings.ts';
import type { PriceList } from '../../../server/contract/platform/budgets.ts';

export type StoredPrices = z.output<typeof priceBook>;

/** Prices as they stand in the fields; '' is an empty field. */
export interface PriceDraft {
  readonly blended: number | '';
  readonly currency: string;
  readonly budget: number | '';
  readonly models: readonly {
    readonly model: string;
    readonly input: number | '';
    readonly output: number | '';
  }[];
}

/** The fields for what is stored. */
export function priceDraft(stored: StoredPrices): PriceDraft {
  return {
    blended: stored.blended_per_1k ?? '',
    currency: stored.currency,
    budget: stored.budget_per_day ?? '',
    models: (stored.models ?? []).map(({ model, input_per_1k, output_per_1k }) => ({
      model,
      input: input_per_1k,
      output: output_per_1k,
    })),
  };
}

/** Why the fields cannot be saved as they are; undefined when they can. */
export function priceProblem({ models }: Pick<PriceDraft, 'models'>): string | undefined {
  const names = models.map(({ model }) => model.trim());
  if (models.some(({ input, output }, at) => names[at] === '' || input === '' || output === '')) {
    return t('Each model needs its name and both prices, or its line goes.');
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? undefined : t('{twice} has two prices: remove one.', { twice });
}

/** What is stored of the fields. */
export function pricesOf({ blended, currency, budget, models }: PriceDraft) {
  return {
    blended_per_1k: blended === '' ? null : blended,
    currency: currency.trim(),
    budget_per_day: budget === '' ? null : budget,
    models: models.map(({ model, input, output }) => ({
      model: model.trim(),
      input_per_1k: input === '' ? 0 : input,
      output_per_1k: output === '' ? 0 : output,
    })),
  };
}

/** The platform's prices as they stand in the fields; an empty one of a cache is that of the others. */
export interface BudgetPriceDraft {
  readonly currency: string;
  readonly models: readonly {
    readonly model: string;
    readonly input: number | '';
    readonly cached_input: number | '';
    readonly output: number | '';
  }[];
}

/** The fields for what the platform keeps. */
export function budgetPricesDraft({ currency, prices }: PriceList): BudgetPriceDraft {
  return {
    currency,
    models: prices.map(({ model, input, cached_input, output }) => ({
      model,
      input,
      cached_input: cached_input ?? '',
      output,
    })),
  };
}

/** What the platform stores of the fields. */
export function budgetPricesOf({ currency, models }: BudgetPriceDraft): PriceList {
  return {
    currency: currency.trim(),
    prices: models.map(({ model, input, cached_input, output }) => ({
      model: model.trim(),
      input: input === '' ? 0 : input,
      cached_input: cached_input === '' ? null : cached_input,
      output: output === '' ? 0 : output,
    })),
  };
}
