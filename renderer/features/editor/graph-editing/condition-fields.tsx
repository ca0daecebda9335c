import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { t } from '../../../../preload/texts/t.ts';
import {
  type BuiltCondition,
  comparesText,
  EMPTY_ROW,
  isKeyed,
  RULE_WORDS,
  type RuleRow,
  ruleType,
} from './condition-rows.ts';

const WHEN = [
  { value: 'always', label: t('Always') },
  { value: 'all', label: t('When all of these hold') },
  { value: 'any', label: t('When any of these holds') },
  { value: 'never', label: t('Never') },
] as const;

/** A condition in rows: what is compared, how, and with what. */
export function ConditionFields(props: {
  readonly label: string;
  readonly condition: BuiltCondition;
  /** A loop that always goes round would end at its limit only. */
  readonly needed?: boolean;
  readonly onChange: (condition: BuiltCondition) => void;
}) {
  const { condition, onChange } = props;
  const { rows } = condition;
  const choices = props.needed === true ? WHEN.slice(1, 3) : WHEN;
  const asks = condition.when === 'all' || condition.when === 'any';
  const change = (index: number, row: RuleRow): void =>
    onChange({ ...condition, rows: rows.with(index, row) });
  return (
    <>
      <NativeSelect
        label={props.label}
        value={condition.when}
        data={choices.map((choice) => ({ ...choice }))}
        onChange={(event) => {
          const when =
            WHEN.find(({ value }) => value === event.currentTarget.value)?.value ?? 'always';
          onChange({ when, rows: rows.length === 0 ? [EMPTY_ROW] : rows });
        }}
      />
      {asks &&
        rows.map((row, index) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
            key={index}
            className="sw-graph-rule"
            aria-label={t('Rule {index}', { index: index + 1 })}
          >
            <Checkbox
              label={t('not')}
              checked={row.not}
              onChange={(event) => change(index, { ...row, not: event.currentTarget.checked })}
            />
            <NativeSelect
              aria-label={t('Rule')}
              value={row.type}
              data={RULE_WORDS.map((word) => ({ ...word }))}
              onChange={(event) =>
                change(index, { ...row, type: ruleType(event.currentTarget.value) ?? row.type })
              }
            />
            {isKeyed(row.type) && (
              <TextInput
                aria-label={t('Name')}
                placeholder={t('name')}
                value={row.key}
                onChange={(event) => change(index, { ...row, key: event.currentTarget.value })}
              />
            )}
            {row.type === 'status_is' ? (
              <NativeSelect
                aria-label={t('Value')}
                value={row.value}
                data={[
                  { value: '', label: t('choose') },
                  { value: 'completed', label: t('completed') },
                  { value: 'failed', label: t('failed') },
                ]}
                onChange={(event) => change(index, { ...row, value: event.currentTarget.value })}
              />
            ) : (
              <TextInput
                aria-label={t('Value')}
                placeholder={t('value')}
                value={row.value}
                onChange={(event) => change(index, { ...row, value: event.currentTarget.value })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Remove rule {index}', { index: index + 1 })}
              disabled={rows.length === 1}
              onClick={() => onChange({ ...condition, rows: rows.toSpliced(index, 1) })}
            >
              <IconX size={14} />
            </ActionIcon>
            {comparesText(row.type) && (
              <Checkbox
                className="sw-graph-case"
                label={t('compare capitals too')}
                checked={row.exact}
                onChange={(event) => change(index, { ...row, exact: event.currentTarget.checked })}
              />
            )}
          </fieldset>
        ))}
      {asks && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onChange({ ...condition, rows: [...rows, EMPTY_ROW] })}
        >
          {t('Add rule')}
        </Button>
      )}
    </>
  );
}
