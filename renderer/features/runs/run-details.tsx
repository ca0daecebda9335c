import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { rich } from '../../ui/rich.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { isRehearsal, type RunFacts } from './run-facts.ts';
import { droppedText, rateText, usageText } from './run-model.ts';
import { RunText } from './run-text.tsx';

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

function Times(props: { readonly run: RunDetail }) {
  const { run } = props;
  return (
    <>
      <Fact name={t('Created')}>
        <TimeAgo at={run.created_at} />
      </Fact>
      <Fact name={t('Started')}>
        <TimeAgo at={run.started_at} />
      </Fact>
      {run.is_terminal && (
        <Fact name={t('Ended')}>
          <TimeAgo at={run.completed_at} />
        </Fact>
      )}
    </>
  );
}

/** Input, identity, times and use of a run. */
export function RunDetails(props: {
  readonly run: RunDetail;
  readonly facts?: RunFacts | undefined;
}) {
  const { run, facts } = props;
  const dropped = droppedText(run);
  const own = Object.entries(facts?.metadata ?? {}).filter(
    ([name]) => name !== 'recording' && name !== 'rehearsal',
  );
  return (
    <div data-testid="run-details">
      <section className="sw-run-section">
        <h3 className="sw-section-title">
          {rich('Input {badge}', {
            badge: run.input_redacted && <Badge tone="info">{t('redacted')}</Badge>,
          })}
        </h3>
        <RunText text={run.input_text ?? ''} testId="run-input-text" />
      </section>
      <dl className="sw-facts">
        <Fact name={t('Run')}>
          <CopyCode value={run.run_id} label={t('Copy run id')} />
        </Fact>
        {run.workflow_name !== '' && <Fact name={t('Workflow')}>{run.workflow_name}</Fact>}
        {facts?.workflowType != null && <Fact name={t('Kind')}>{facts.workflowType}</Fact>}
        {run.agent_name !== '' && <Fact name={t('Agent')}>{run.agent_name}</Fact>}
        {facts?.specPath != null && (
          <Fact name={t('Spec')}>
            <CopyCode value={facts.specPath} label={t('Copy path')} />
          </Fact>
        )}
        <Fact name={t('Environment')}>{facts?.environment ?? t('none')}</Fact>
        <Times run={run} />
        <Fact name={t('Use')}>
          <span title={rateText(run)}>{usageText(run) ?? t('no model reported any')}</span>
        </Fact>
        {facts !== undefined && isRehearsal(facts) && (
          <Fact name={t('Rehearsed')}>
            {Object.entries(facts.answeredBy)
              .map(([step, by]) => `${step}: ${by}`)
              .join(', ')}
          </Fact>
        )}
        {dropped !== null && (
          <Fact name={t('Trace')}>
            {t(
              '{dropped}: a platform keeps as many of a run as its setting SERV_TRACE_MAX_EVENTS says',
              { dropped },
            )}
          </Fact>
        )}
        {own.map(([name, value]) => (
          <Fact key={name} name={name}>
            <span className="sw-mono">
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </span>
          </Fact>
        ))}
      </dl>
    </div>
  );
}
