import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { Unread } from '../../ui/unread.tsx';
import { UsageTable } from '../../ui/usage-table.tsx';
import { rateText, usageText } from './run-model.ts';
import { useRunUsage } from './run-queries.ts';

/** So many rows stand there at once; a run may have hundreds of steps. */
const FEW = 6;

/** What the models of a run used by step, beside what that cost; nothing where none was used. */
export function RunUsage(props: {
  readonly run: Pick<RunDetail, 'run_id' | 'agent_name' | 'usage'>;
}) {
  const { run } = props;
  const { isUsed, query, steps, isUnknown } = useRunUsage(run);
  const [isWhole, setIsWhole] = useState(false);
  if (!isUsed) {
    return null;
  }
  const shown = isWhole ? steps : steps.slice(0, FEW);
  const cost = run.usage?.cost_usd ?? undefined;
  const total = run.usage?.total_tokens ?? 0;
  return (
    <section className="sw-run-section" data-testid="run-usage-steps">
      <h2 className="sw-section-title">{t('Tokens')}</h2>
      <p title={rateText(run)}>{usageText(run)}</p>
      {isUnknown ? (
        <p className="sw-faint">
          {t(
            'By step and model this platform does not tell them: it is an older version. What its trace tells stands below the timeline.',
          )}
        </p>
      ) : (
        <Unread query={query} rows={2} compact />
      )}
      {query.data?.available === true && steps.length === 0 && (
        <p className="sw-faint">{t('By step they are no longer known.')}</p>
      )}
      {shown.length > 0 && (
        <UsageTable
          label={t('Tokens by step and model')}
          titles={[t('Step'), t('Model')]}
          currency={cost === undefined ? undefined : run.usage?.currency}
          rows={shown.map(({ step, provider: _provider, model, ...counts }) => ({
            // A run without a workflow has no steps: its agent asked.
            names: [step || run.agent_name, model],
            ...counts,
            // The run's own cost, shared out by tokens.
            ...(cost === undefined ? {} : { cost: (cost * counts.total_tokens) / total }),
          }))}
        />
      )}
      {shown.length < steps.length && (
        <Button mt="xs" size="compact-xs" variant="default" onClick={() => setIsWhole(true)}>
          {t('Show all {count}', { count: steps.length })}
        </Button>
      )}
    </section>
  );
}
