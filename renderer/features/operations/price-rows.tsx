import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { type Amount, AmountInput } from '../../ui/amount-input.tsx';

type PriceRow<Side extends string> = { readonly model: string } & Readonly<Record<Side, Amount>>;

/** Prices of single models, a line each; models are added and removed. */
export function PriceRows<Side extends string>(props: {
  /** Accessible name: a page may hold several. */
  readonly label: string;
  readonly rows: readonly PriceRow<Side>[];
  /** What is filled in of each: above its column, in an empty field, and in full for a line. */
  readonly sides: readonly {
    readonly name: Side;
    readonly title: string;
    readonly empty: string;
    readonly full: (at: number) => string;
  }[];
  /** A line that was just added. */
  readonly empty: PriceRow<Side>;
  readonly locked: { readonly disabled: boolean; readonly title: string | undefined };
  readonly onChange: (rows: readonly PriceRow<Side>[]) => void;
  readonly testId: string;
}) {
  const { rows, sides, locked, onChange } = props;
  const change = (at: number, changed: PriceRow<Side>): void => onChange(rows.with(at, changed));
  return (
    <fieldset className="sw-price-models" aria-label={props.label}>
      {rows.length > 0 && (
        <div className="sw-price-model sw-price-head" aria-hidden>
          <span>{t('Model')}</span>
          {sides.map(({ name, title }) => (
            <span key={name}>{title}</span>
          ))}
        </div>
      )}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name until one is typed
        <div key={at} className="sw-price-model">
          <TextInput
            size="xs"
            aria-label={t('Model {at}', { at: at + 1 })}
            placeholder={t('name of the model')}
            maxLength={200}
            value={row.model}
            onChange={(event) => change(at, { ...row, model: event.currentTarget.value })}
            {...locked}
          />
          {sides.map(({ name, empty, full }) => (
            <AmountInput
              key={name}
              size="xs"
              aria-label={full(at + 1)}
              placeholder={empty}
              value={row[name]}
              onChange={(value) => change(at, { ...row, [name]: value })}
              {...locked}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove the price of model {at}', { at: at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
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
        onClick={() => onChange([...rows, props.empty])}
        {...locked}
        data-testid={`${props.testId}-model-add`}
      >
        {t('Price of a model')}
      </Button>
    </fieldset>
  );
}
