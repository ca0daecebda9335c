import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { deleteBudget, getBudgets, putBudget } from '../../../server/contract/dashboard/usage.ts';
import type { Budget, BudgetBody } from '../../../server/contract/platform/budgets.ts';
import { call } from '../../data/api-client.ts';
import { every } from '../../data/failure-pace.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { NewerRead } from '../../ui/newer-read.tsx';
import { notifyDone, notifyError, notifyUndo } from '../../ui/notify.tsx';
import { type BudgetDraft, BudgetForm, NEW_BUDGET } from './budget-form.tsx';
import { BudgetPrices } from './budget-prices.tsx';
import { readAgain } from './save-setting.tsx';

const NUMBERS = new Intl.NumberFormat(locale(), { maximumFractionDigits: 4 });
const SMALL = new Intl.NumberFormat(locale(), { maximumSignificantDigits: 3 });
const EVERY_MS = 60_000;
const WHOLE = 100;

interface Saved {
  readonly id: string;
  readonly body: BudgetBody;
}

async function save({ id, body }: Saved): Promise<void> {
  try {
    await call(putBudget, { params: { budget_id: id }, body });
  } finally {
    await readAgain(getBudgets);
  }
}

async function remove(id: string): Promise<void> {
  try {
    await call(deleteBudget, { params: { budget_id: id } });
  } finally {
    await readAgain(getBudgets);
  }
}

function bodyOf({ name, key, workflow, unit, amount, action, enabled }: Budget): BudgetBody {
  return { name, key, workflow, unit, amount, action, enabled };
}

function draftOf({ name, key, workflow, unit, amount, action }: Budget): BudgetDraft {
  return { name, key: key ?? '', workflow: workflow ?? '', unit, amount, action };
}

/** Budgets of the platform: how far each one is used up, and their changes. */
export function BudgetsPart() {
  const query = useQuery({ ...routeQuery(getBudgets), refetchInterval: every(EVERY_MS) });
  const [open, setOpen] = useState<string | null>(null);
  const hindrance = useHindrance('policy.write');
  const saving = useAction(async (saved: Saved) => {
    await save(saved);
    notifyDone(t('The budget is saved'));
    setOpen(null);
  });
  const { data } = query;
  const form = (id: string, first: BudgetDraft, enabled: boolean) => (
    <BudgetForm
      first={first}
      enabled={enabled}
      busy={saving.busy}
      onSave={(body) => saving.start({ id, body })}
      onLeave={() => setOpen(null)}
    />
  );
  return (
    <section className="sw-operate-section" data-testid="budgets">
      <h2 className="sw-section-title">{t('Budgets')}</h2>
      <p>
        {t(
          'What the runs of a month (UTC) may use at this platform. Beyond one that stops, no run begins and none asks a model again; beyond one that asks, a run waits among the tasks.',
        )}
      </p>
      <NewerRead query={query} rows={2} />
      {data?.available === false && (
        <p className="sw-faint">{t('This platform knows no budgets.')}</p>
      )}
      {data?.available === true && data.budgets.length === 0 && (
        <p className="sw-faint">{t('There is no budget: nothing is held back.')}</p>
      )}
      {data?.budgets.map((each) =>
        open === each.id ? (
          <div key={each.id}>{form(each.id, draftOf(each), each.enabled)}</div>
        ) : (
          <BudgetRow
            key={each.id}
            budget={each}
            currency={data.prices.currency}
            hindrance={hindrance}
            onChange={() => setOpen(each.id)}
          />
        ),
      )}
      {saving.error !== undefined && <ErrorState compact error={saving.error} />}
      {open === '' && form(crypto.randomUUID(), NEW_BUDGET, true)}
      {data?.available === true && open === null && (
        <Button
          size="xs"
          variant="default"
          disabled={hindrance !== undefined}
          title={hindrance}
          onClick={() => setOpen('')}
          data-testid="budget-add"
        >
          {t('Add a budget')}
        </Button>
      )}
      {data?.available === true && <BudgetPrices stored={data.prices} hindrance={hindrance} />}
    </section>
  );
}

/** A small sum of money is not told as nothing. */
function amountText(amount: number): string {
  return (Math.abs(amount) < 1 ? SMALL : NUMBERS).format(amount);
}

function scopeText({ key, workflow }: Budget): string {
  if (key !== null && workflow !== null) {
    return t('key {key}, workflow {workflow}', { key, workflow });
  }
  if (key !== null) return t('key {key}', { key });
  return workflow === null ? t('all runs') : t('workflow {workflow}', { workflow });
}

function BudgetRow(props: {
  readonly budget: Budget;
  readonly currency: string;
  readonly hindrance: string | undefined;
  readonly onChange: () => void;
}) {
  const { budget, currency, hindrance } = props;
  const { id, name, used, amount, unit, action, unpriced_tokens } = budget;
  const removing = useAction(async () => {
    await remove(id);
    notifyUndo(t('The budget {name} is removed', { name }), () => {
      save({ id, body: bodyOf(budget) }).catch((cause: unknown) =>
        notifyError(t('The budget was not put back'), cause),
      );
    });
  });
  const numbers = { used: amountText(used), amount: amountText(amount) };
  const sum =
    unit === 'tokens'
      ? t('{used} of {amount} tokens', numbers)
      : t('{used} of {amount} {currency}', { ...numbers, currency });
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <div className="sw-tile sw-budget" data-testid={`budget-${id}`}>
      <strong>{name}</strong>{' '}
      <small>
        {scopeText(budget)} · {action === 'stop' ? t('stops') : t('asks')}
        {!budget.enabled && ` · ${t('switched off')}`}
      </small>
      <Progress
        aria-label={sum}
        value={Math.min(WHOLE, (used / amount) * WHOLE)}
        color={used >= amount ? 'red' : 'blue'}
        my={6}
      />
      <span>{sum}</span>{' '}
      {unpriced_tokens > 0 && (
        <small>
          {t('{n} tokens of models without a price are not counted', {
            n: NUMBERS.format(unpriced_tokens),
          })}
        </small>
      )}
      {removing.error !== undefined && <ErrorState compact error={removing.error} />}
      <div>
        <Button size="compact-xs" variant="default" onClick={props.onChange} {...locked}>
          {t('Change')}
        </Button>{' '}
        <Button
          size="compact-xs"
          variant="default"
          loading={removing.busy}
          onClick={() => removing.start()}
          {...locked}
        >
          {t('Remove')}
        </Button>
      </div>
    </div>
  );
}
