import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getPricing } from '../../../server/contract/dashboard/settings.ts';
import type { SpendPart, SpendView } from '../../../server/contract/dashboard/spend.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Bars } from '../../ui/bars.tsx';
import { Unread } from '../../ui/unread.tsx';
import { BudgetsPart } from './budgets-part.tsx';
import { OperatePage } from './operate-page.tsx';
import { PriceForm } from './price-form.tsx';
import { SpendTile, SpendWindow, useSpend } from './spend-sum.tsx';
import { UsagePartTable } from './usage-part.tsx';

const NUMBERS = new Intl.NumberFormat(locale());
const MONEY = new Intl.NumberFormat(locale(), { maximumFractionDigits: 4 });

/** What runs cost by day, workflow and model, and the prices that say so. */
export function SpendPage() {
  const [window, setWindow] = useState('7d');
  const query = useSpend(window, true);
  const price = useQuery({ ...routeQuery(getPricing), staleTime: 0, refetchOnWindowFocus: false });
  const hindrance = useHindrance('settings.write');
  const { data } = query;
  return (
    <OperatePage
      title={t('Spend')}
      sub={t(
        'What runs used and, by your prices, what that cost. An estimate of the newest runs, never a bill',
      )}
      testId="spend-page"
    >
      <section className="sw-operate-section">
        <SpendWindow value={window} onChange={setWindow} />
        <Unread query={query} rows={3} />
        {data !== undefined && (
          <>
            <SpendTile spend={data} />
            {data.counted > 0 && <Days spend={data} budget={price.data?.budget_per_day} />}
          </>
        )}
      </section>
      {data !== undefined && (
        <div className="sw-operate-halves">
          <Parts
            title={t('By workflow')}
            parts={data.by_workflow ?? []}
            spend={data}
            unnamed={t('no workflow')}
            linkOf={(workflow) => paths.runs({ workflow })}
          />
          <Parts
            title={t('By model')}
            parts={data.by_model ?? []}
            spend={data}
            unnamed={t('several, or not told')}
          />
        </div>
      )}
      <UsagePartTable window={window} />
      <BudgetsPart />
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Prices')}</h2>
        {hindrance !== undefined && <p>{hindrance}</p>}
        <Unread query={price} rows={1} />
        {price.data !== undefined && <PriceForm stored={price.data} hindrance={hindrance} />}
      </section>
    </OperatePage>
  );
}

function Days(props: { readonly spend: SpendView; readonly budget: number | undefined }) {
  const { spend, budget } = props;
  const money = spend.priced;
  const days = spend.by_day ?? [];
  if (days.every(({ tokens, cost_usd }) => tokens === 0 && (cost_usd ?? 0) === 0)) {
    return <p className="sw-faint">{t('No run of this time told that it used tokens.')}</p>;
  }
  const line =
    budget === undefined || !money
      ? {}
      : { line: { at: budget, label: t('{MONEY} a day', { MONEY: MONEY.format(budget) }) } };
  return (
    <Bars
      title={money ? t('{currency} by day', { currency: spend.currency }) : t('Tokens by day')}
      rows={days.map(({ key, tokens, cost_usd }) => ({
        label: key,
        values: { amount: money ? (cost_usd ?? 0) : tokens },
      }))}
      series={[
        {
          key: 'amount',
          label: money ? spend.currency : t('tokens'),
          color: 'var(--sw-accent-fill)',
        },
      ]}
      text={(value) => MONEY.format(value)}
      decimals={money}
      height={200}
      {...line}
    />
  );
}

function Parts(props: {
  readonly title: string;
  readonly parts: readonly SpendPart[];
  readonly spend: SpendView;
  /** What stands where no name is told. */
  readonly unnamed: string;
  readonly linkOf?: (key: string) => string;
}) {
  const { parts, spend, linkOf } = props;
  return (
    <section>
      <h2 className="sw-section-title">{props.title}</h2>
      {parts.length === 0 ? (
        <p className="sw-faint">{t('No run in this time.')}</p>
      ) : (
        <table className="sw-plain-table" aria-label={props.title}>
          <thead>
            <tr>
              <th scope="col">{t('Name')}</th>
              <th scope="col" data-align="right">
                {t('Runs')}
              </th>
              <th scope="col" data-align="right">
                {t('Tokens')}
              </th>
              <th scope="col" data-align="right">
                {spend.priced ? `≈ ${spend.currency}` : t('Cost')}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ key, name, runs, tokens, cost_usd }) => (
              <tr key={`${key} ${name}`}>
                <td>
                  {key === '' ? (
                    <Unnamed name={name} unnamed={props.unnamed} />
                  ) : linkOf === undefined ? (
                    key
                  ) : (
                    <AppLink to={linkOf(key)}>{key}</AppLink>
                  )}
                </td>
                <td data-align="right">{NUMBERS.format(runs)}</td>
                <td data-align="right">{NUMBERS.format(tokens)}</td>
                <td data-align="right">{cost_usd === null ? '–' : MONEY.format(cost_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Runs without the word that they are parted by are told by their own name, where they have one. */
function Unnamed(props: { readonly name: string | undefined; readonly unnamed: string }) {
  return (
    <>
      {props.name} <span className="sw-faint">{props.unnamed}</span>
    </>
  );
}
