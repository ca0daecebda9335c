import { TextInput } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { getBudgets, putBudgetPrices } from '../../../server/contract/dashboard/usage.ts';
import type { PriceList } from '../../../server/contract/platform/budgets.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { budgetPricesDraft, budgetPricesOf, priceProblem } from './price-model.ts';
import { PriceRows } from './price-rows.tsx';
import { readAgain, SaveSetting } from './save-setting.tsx';

const SIDES = [
  {
    name: 'input',
    title: t('Million in'),
    empty: t('no price'),
    full: (at: number) => t('A million tokens in, model {at}', { at }),
  },
  {
    name: 'cached_input',
    title: t('of these cached'),
    empty: t('as the others'),
    full: (at: number) => t('A million tokens in from a cache, model {at}', { at }),
  },
  {
    name: 'output',
    title: t('Million out'),
    empty: t('no price'),
    full: (at: number) => t('A million tokens out, model {at}', { at }),
  },
] as const;

/** What the platform keeps tells its prices apart by no version: they are their own. */
const versionOf = (prices: PriceList): string => JSON.stringify(prices);

/** The prices that budgets of money count by; those who may change budgets change them. */
export function BudgetPrices(props: {
  readonly stored: PriceList;
  readonly hindrance: string | undefined;
}) {
  const { stored, hindrance } = props;
  const edited = useEdited(
    { value: budgetPricesDraft(stored), version: versionOf(stored) },
    (left, right) => JSON.stringify(budgetPricesOf(left)) === JSON.stringify(budgetPricesOf(right)),
  );
  const { draft, setDraft, base, isChanged } = edited;
  const problem = priceProblem(draft);
  const saving = useAction(async () => {
    // The list is stored as a whole: prices that somebody else stored meanwhile are not written over.
    const now = await queryClient.fetchQuery({ ...routeQuery(getBudgets), staleTime: 0 });
    if (versionOf(now.prices) !== base.version) return;
    try {
      await call(putBudgetPrices, { body: budgetPricesOf(draft) });
      notifyDone(t('The prices are saved'));
    } finally {
      await readAgain(getBudgets);
    }
  });
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <div className="sw-budget-prices" data-testid="budget-prices">
      <h3 className="sw-section-title">{t('Prices that budgets count by')}</h3>
      <p>
        {t(
          'Money for a million tokens; without a price of their own, tokens from a cache cost as the others. Of a month the whole is counted anew when a price changes. The prices further down are those of the estimate above, and stop nothing.',
        )}
      </p>
      <TextInput
        label={t('Currency')}
        maxLength={8}
        w={120}
        value={draft.currency}
        onChange={(event) => setDraft({ ...draft, currency: event.currentTarget.value })}
        {...locked}
      />
      <PriceRows
        label={t('Prices that budgets count by')}
        rows={draft.models}
        sides={SIDES}
        empty={{ model: '', input: '', cached_input: '', output: '' }}
        locked={locked}
        onChange={(models) => setDraft({ ...draft, models })}
        testId="budget-price"
      />
      {problem !== undefined && isChanged && (
        <p role="alert" className="sw-price-problem">
          {problem}
        </p>
      )}
      <SaveSetting
        action={saving}
        edited={edited}
        ready={problem === undefined && draft.currency.trim() !== ''}
        testId="budget-price"
      />
    </div>
  );
}
