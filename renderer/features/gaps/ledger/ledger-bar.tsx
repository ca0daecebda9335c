import { Tooltip, UnstyledButton } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import type { LedgerFate, LedgerView } from '../../../../server/contract/studio/ledger.ts';
import { FATE_TEXTS, ledgerShares } from './ledger-model.ts';

function percent(share: number): string {
  return `${share > 0 && share < 0.005 ? '<1' : Math.round(share * 100)} %`;
}

/** How much of the source was carried, told, or means nothing; each part filters the list. */
export function LedgerBar(props: {
  readonly view: Pick<LedgerView, 'counts'>;
  readonly chosen: LedgerFate | null;
  readonly onChoose: (fate: LedgerFate | null) => void;
}) {
  const { chosen } = props;
  const shares = ledgerShares(props.view);
  return (
    <div className="sw-ledger-summary" data-testid="ledger-summary">
      <div className="sw-ledger-bar" aria-hidden>
        {shares.map(({ fate, share }) => (
          <span key={fate} data-fate={fate} style={{ flexGrow: share }} />
        ))}
      </div>
      <fieldset className="sw-ledger-fates" aria-label={t('Fate')}>
        {shares.map(({ fate, entries, leaves, share }) => (
          <Tooltip key={fate} label={FATE_TEXTS[fate].about} openDelay={400}>
            <UnstyledButton
              className="sw-ledger-fate"
              data-fate={fate}
              aria-pressed={chosen === fate}
              onClick={() => props.onChoose(chosen === fate ? null : fate)}
              data-testid={`ledger-${fate}`}
            >
              <i aria-hidden />
              <strong>{percent(share)}</strong>
              <span>{FATE_TEXTS[fate].label}</span>
              <span className="sw-faint">
                {t('{count, plural, one {# part} other {# parts}}', { count: entries })},{' '}
                {t('{count, plural, one {# value} other {# values}}', { count: leaves })}
              </span>
            </UnstyledButton>
          </Tooltip>
        ))}
      </fieldset>
    </div>
  );
}
