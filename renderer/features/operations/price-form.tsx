import { TextInput } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { getPricing, putPricing } from '../../../server/contract/dashboard/settings.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { AmountInput } from '../../ui/amount-input.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import {
  type PriceDraft,
  priceDraft,
  priceProblem,
  pricesOf,
  type StoredPrices,
} from './price-model.ts';
import { PriceRows } from './price-rows.tsx';
import { readAgain, SaveSetting } from './save-setting.tsx';

interface Fields {
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  readonly locked: { readonly disabled: boolean; readonly title: string | undefined };
}

/** Prices of tokens, of all models and of single ones; without any nothing is said to cost anything. */
export function PriceForm(props: {
  readonly stored: StoredPrices;
  readonly hindrance: string | undefined;
}) {
  const { stored, hindrance } = props;
  const edited = useEdited<PriceDraft, number>(
    { value: priceDraft(stored), version: stored.version },
    (left, right) => JSON.stringify(left) === JSON.stringify(right),
  );
  const { draft, setDraft, base, isChanged: changed } = edited;
  const problem = priceProblem(draft);
  const saving = useAction(async () => {
    try {
      await call(putPricing, { body: { ...pricesOf(draft), version: base.version } });
      notifyDone(t('The prices are saved'));
    } finally {
      await readAgain(getPricing, getSpend);
    }
  });
  const fields: Fields = {
    draft,
    onChange: setDraft,
    locked: { disabled: hindrance !== undefined, title: hindrance },
  };
  return (
    <>
      <p>
        {t(
          'What a thousand tokens cost. A run of one model is counted by the price of that model, every other run by the one price for all. Cached and reasoning tokens are not told apart for a run, so they count as what they are part of. Without a price there is a dash, never a zero.',
        )}
      </p>
      <General {...fields} />
      <PriceRows
        label={t('Prices of models')}
        rows={draft.models}
        sides={SIDES}
        empty={{ model: '', input: '', output: '' }}
        locked={fields.locked}
        onChange={(models) => setDraft({ ...draft, models })}
        testId="price"
      />
      {problem !== undefined && changed && (
        <p role="alert" className="sw-price-problem">
          {problem}
        </p>
      )}
      <SaveSetting action={saving} edited={edited} ready={problem === undefined} testId="price" />
    </>
  );
}

function General({ draft, onChange, locked }: Fields) {
  return (
    <div className="sw-operate-price">
      <AmountInput
        label={t('A thousand tokens, all models')}
        placeholder={t('no price')}
        value={draft.blended}
        onChange={(value) => onChange({ ...draft, blended: value })}
        {...locked}
        data-testid="price-value"
      />
      <TextInput
        label={t('Currency')}
        maxLength={8}
        value={draft.currency}
        onChange={(event) => onChange({ ...draft, currency: event.currentTarget.value })}
        {...locked}
      />
      <AmountInput
        label={t('Budget of a day')}
        placeholder={t('no line')}
        value={draft.budget}
        onChange={(value) => onChange({ ...draft, budget: value })}
        {...locked}
        data-testid="price-budget"
      />
    </div>
  );
}

const SIDES = [
  {
    name: 'input',
    title: t('1,000 in'),
    empty: t('no price'),
    full: (at: number) => t('A thousand tokens in, model {at}', { at }),
  },
  {
    name: 'output',
    title: t('1,000 out'),
    empty: t('no price'),
    full: (at: number) => t('A thousand tokens out, model {at}', { at }),
  },
] as const;
