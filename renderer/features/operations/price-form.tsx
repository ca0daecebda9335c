import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { getPricing, putPricing } from '../../../server/contract/dashboard/settings.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { readAgain, SaveSetting } from './save-setting.tsx';

/** One blended price of a thousand tokens; without it nothing is said to cost anything. */
export function PriceForm(props: {
  readonly stored: {
    readonly blended_per_1k: number | null;
    readonly currency: string;
    readonly version: number;
  };
  readonly hindrance: string | undefined;
}) {
  const { stored, hindrance } = props;
  const [price, setPrice] = useState<number | ''>(stored.blended_per_1k ?? '');
  const [currency, setCurrency] = useState(stored.currency);
  const asked = price === '' ? null : price;
  const changed = asked !== stored.blended_per_1k || currency.trim() !== stored.currency;
  const saving = useAction(async () => {
    try {
      await call(putPricing, {
        body: { blended_per_1k: asked, currency: currency.trim(), version: stored.version },
      });
      notifyDone(asked === null ? 'There is no price any more' : 'The price is saved');
    } finally {
      await readAgain(getPricing, getSpend);
    }
  });
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <>
      <p>
        What a thousand tokens cost, in and out alike. Spend is an estimate by this price; without
        one it is a dash, never a zero.
      </p>
      <div className="sw-operate-price">
        <NumberInput
          label="A thousand tokens"
          min={0}
          decimalScale={6}
          hideControls
          placeholder="no price"
          value={price}
          onChange={(value) => setPrice(typeof value === 'number' ? value : '')}
          {...locked}
          data-testid="price-value"
        />
        <TextInput
          label="Currency"
          maxLength={8}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
          {...locked}
        />
      </div>
      <SaveSetting
        action={saving}
        changed={changed}
        onDiscard={() => {
          setPrice(stored.blended_per_1k ?? '');
          setCurrency(stored.currency);
        }}
        testId="price"
      />
    </>
  );
}
