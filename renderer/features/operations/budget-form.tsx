import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { type BudgetBody, budgetBody } from '../../../server/contract/platform/budgets.ts';
import { AmountInput } from '../../ui/amount-input.tsx';

const {
  unit: { options: UNITS },
  action: { options: ACTIONS },
} = budgetBody.shape;

/** What is filled in; empty texts stand for "all". */
export interface BudgetDraft {
  readonly name: string;
  readonly key: string;
  readonly workflow: string;
  readonly unit: BudgetBody['unit'];
  readonly amount: number | '';
  readonly action: BudgetBody['action'];
}

export const NEW_BUDGET: BudgetDraft = {
  ...{ name: '', key: '', workflow: '', amount: '', action: 'stop' },
  unit: budgetBody.shape.unit.enum.tokens,
};

/** What is stored of a draft; undefined while something is missing. */
export function budgetOf(draft: BudgetDraft, enabled: boolean): BudgetBody | undefined {
  const { name, key, workflow, amount, unit, action } = draft;
  if (name.trim() === '' || amount === '' || amount <= 0) return undefined;
  const orAll = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const scope = { key: orAll(key), workflow: orAll(workflow) };
  return { name: name.trim(), ...scope, unit, amount, action, enabled };
}

const TEXTS = [
  { name: 'name', label: t('Name'), placeholder: '' },
  { name: 'key', label: t('Key'), placeholder: t('all keys') },
  { name: 'workflow', label: t('Workflow'), placeholder: t('all workflows') },
] as const;

/** Fills in a budget; what is typed is kept until it is saved or given up. */
export function BudgetForm(props: {
  readonly first: BudgetDraft;
  readonly enabled: boolean;
  readonly busy: boolean;
  readonly onSave: (body: BudgetBody) => void;
  readonly onLeave: () => void;
}) {
  const [draft, setDraft] = useState(props.first);
  const body = budgetOf(draft, props.enabled);
  const change = (part: Partial<BudgetDraft>): void => setDraft({ ...draft, ...part });
  return (
    <form
      className="sw-operate-price"
      data-testid="budget-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== undefined) props.onSave(body);
      }}
    >
      {TEXTS.map(({ name, label, placeholder }) => (
        <TextInput
          key={name}
          label={label}
          placeholder={placeholder}
          maxLength={200}
          value={draft[name]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <Select
        label={t('Counts')}
        allowDeselect={false}
        value={draft.unit}
        onChange={(value) => change({ unit: UNITS.find((unit) => unit === value) ?? draft.unit })}
        data={[
          { value: 'tokens', label: t('tokens') },
          { value: 'cost', label: t('money, by the platform’s prices') },
        ]}
      />
      <AmountInput
        label={t('A month may use')}
        value={draft.amount}
        onChange={(amount) => change({ amount })}
      />
      <Select
        label={t('Beyond it')}
        allowDeselect={false}
        value={draft.action}
        onChange={(value) =>
          change({ action: ACTIONS.find((action) => action === value) ?? draft.action })
        }
        data={[
          { value: 'stop', label: t('runs are stopped') },
          { value: 'ask', label: t('a person is asked') },
        ]}
      />
      <Button type="submit" size="xs" disabled={body === undefined} loading={props.busy}>
        {t('Save the budget')}
      </Button>
      <Button size="xs" variant="default" onClick={props.onLeave}>
        {t('Cancel')}
      </Button>
    </form>
  );
}
