import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { getPricing, putPricing } from '../../../server/contract/dashboard/settings.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { notifyDone } from '../../ui/notify.tsx';
import {
  type PriceDraft,
  priceDraft,
  priceProblem,
  pricesOf,
  type StoredPrices,
} from './price-model.ts';
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
      <Models {...fields} />
      {problem !== undefined && changed && (
        <p role="alert" className="sw-price-problem">
          {problem}
        </p>
      )}
      <SaveSetting action={saving} edited={edited} ready={problem === undefined} testId="price" />
    </>
  );
}

const PRICE = { min: 0, decimalScale: 6, hideControls: true } as const;

function amountOf(value: string | number): number | '' {
  return typeof value === 'number' ? value : '';
}

function General({ draft, onChange, locked }: Fields) {
  return (
    <div className="sw-operate-price">
      <NumberInput
        label={t('A thousand tokens, all models')}
        {...PRICE}
        placeholder={t('no price')}
        value={draft.blended}
        onChange={(value) => onChange({ ...draft, blended: amountOf(value) })}
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
      <NumberInput
        label={t('Budget of a day')}
        {...PRICE}
        placeholder={t('no line')}
        value={draft.budget}
        onChange={(value) => onChange({ ...draft, budget: amountOf(value) })}
        {...locked}
        data-testid="price-budget"
      />
    </div>
  );
}

const SIDES = [
  { name: 'input', label: t('in') },
  { name: 'output', label: t('out') },
] as const;

function Models({ draft, onChange, locked }: Fields) {
  const change = (at: number, part: Partial<PriceDraft['models'][number]>): void =>
    onChange({
      ...draft,
      models: draft.models.map((row, index) => (index === at ? { ...row, ...part } : row)),
    });
  return (
    <div className="sw-price-models">
      {draft.models.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name until one is typed
        <div key={at} className="sw-price-model">
          <TextInput
            size="xs"
            aria-label={t('Model {at}', { at: at + 1 })}
            placeholder={t('name of the model')}
            maxLength={200}
            value={row.model}
            onChange={(event) => change(at, { model: event.currentTarget.value })}
            {...locked}
          />
          {SIDES.map(({ name, label }) => (
            <NumberInput
              key={name}
              size="xs"
              {...PRICE}
              aria-label={t('A thousand tokens {label}, model {at}', { label, at: at + 1 })}
              placeholder={t('1,000 {label}', { label })}
              value={row[name]}
              onChange={(value) => change(at, { [name]: amountOf(value) })}
              {...locked}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove the price of model {at}', { at: at + 1 })}
            onClick={() =>
              onChange({ ...draft, models: draft.models.filter((_, index) => index !== at) })
            }
            {...locked}
          >
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() =>
          onChange({ ...draft, models: [...draft.models, { model: '', input: '', output: '' }] })
        }
        {...locked}
        data-testid="price-model-add"
      >
        {t('Price of a model')}
      </Button>
    </div>
  );
}
