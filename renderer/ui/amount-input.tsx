import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

/** What a field for an amount holds; '' is an empty field. */
export type Amount = number | '';

/** The amount that stands in a field, also while its decimals are being typed. */
function amountOf(typed: unknown): Amount {
  const text = String(typed).trim();
  const amount = Number(text);
  return text === '' || Number.isNaN(amount) ? '' : amount;
}

type Given = Pick<
  NumberInputProps,
  'label' | 'aria-label' | 'placeholder' | 'size' | 'disabled' | 'title'
> & { readonly 'data-testid'?: string };

/** A field for an amount that is not negative, with up to six decimals. */
export function AmountInput(
  props: Given & { readonly value: Amount; readonly onChange: (amount: Amount) => void },
) {
  const { value, onChange, ...given } = props;
  // "0." says 0 and is no number yet: what is typed stays while it says what is held.
  const [typed, setTyped] = useState<string | number>(value);
  return (
    <NumberInput
      {...given}
      min={0}
      decimalScale={6}
      hideControls
      value={amountOf(typed) === value ? typed : value}
      onChange={(next) => {
        const text = typeof next === 'number' ? next : String(next);
        setTyped(text);
        onChange(amountOf(text));
      }}
    />
  );
}
