import { Button, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { CAUSE_TEXTS, type GapCause } from '../../../server/gaps/report/gap-causes.ts';
import type { CauseCount, ImportsSummary } from '../../../server/gaps/report/import-report.ts';
import { rich } from '../../ui/rich.ts';
import { SERVICE_TEXT } from '../../ui/service-text.tsx';
import { type RowState, shownName } from './batch-model.ts';
import type { BatchRow } from './import-batch-store.ts';

export interface SummaryActions {
  onState(state: RowState): void;
  onCause(cause: GapCause | null): void;
  onOpen(path: string): void;
}

const SHOWN_CAUSES = 5;

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** What one has and what to do first, above the table. */
export function BatchSummary(props: {
  readonly summary: ImportsSummary;
  readonly start: BatchRow | undefined;
  readonly folder: string;
  readonly cause: GapCause | null;
  readonly actions: SummaryActions;
}) {
  const { summary, actions } = props;
  const blocked = summary.accepted - summary.ready;
  return (
    <section className="sw-batch-summary" aria-label={t('Summary')} data-testid="batch-summary">
      <div className="sw-batch-figures">
        <Figure
          tone="success"
          value={summary.ready}
          label={t('ready')}
          about={t('Nothing blocks them: open and run')}
          onShow={() => actions.onState('ready')}
        />
        <Figure
          tone="warning"
          value={blocked}
          label={t('need work')}
          about={t('A gap blocks them, or nothing connects their steps')}
          onShow={() => actions.onState('blocked')}
        />
        <Figure
          tone={summary.refused === 0 ? 'neutral' : 'danger'}
          value={summary.refused}
          label={t('refused')}
          about={
            summary.refused === 0 ? t('Every file became a draft') : t('Not converted; see why')
          }
          onShow={() => actions.onState('refused')}
        />
      </div>
      <Causes {...props} />
      <NextSteps {...props} />
    </section>
  );
}

function Figure(props: {
  readonly tone: 'success' | 'warning' | 'danger' | 'neutral';
  readonly value: number;
  readonly label: string;
  readonly about: string;
  readonly onShow: () => void;
}) {
  return (
    <UnstyledButton
      className="sw-batch-figure"
      data-tone={props.tone}
      onClick={props.onShow}
      disabled={props.value === 0}
      data-testid={`batch-figure-${props.label.replaceAll(' ', '-')}`}
    >
      <strong>{props.value}</strong>
      <span>{props.label}</span>
      <span className="sw-faint">{props.about}</span>
    </UnstyledButton>
  );
}

function Causes(props: {
  readonly summary: ImportsSummary;
  readonly cause: GapCause | null;
  readonly actions: SummaryActions;
}) {
  const { causes } = props.summary;
  const most = causes[0]?.files ?? 1;
  return (
    <div className="sw-batch-box">
      <h2 className="sw-section-title">{t('What blocks, in how many files')}</h2>
      {causes.length === 0 && <p className="sw-faint">{t('Nothing blocks any file.')}</p>}
      {causes.slice(0, SHOWN_CAUSES).map((cause) => (
        <CauseBar
          key={cause.cause}
          cause={cause}
          share={cause.files / most}
          chosen={props.cause === cause.cause}
          onToggle={() => props.actions.onCause(props.cause === cause.cause ? null : cause.cause)}
        />
      ))}
    </div>
  );
}

function CauseBar(props: {
  readonly cause: CauseCount;
  readonly share: number;
  readonly chosen: boolean;
  readonly onToggle: () => void;
}) {
  const { cause } = props;
  const about = t('{gaps} gaps in {files}; {alone} of them have no other cause. {advice}', {
    gaps: cause.gaps,
    files: files(cause.files),
    alone: cause.alone,
    advice: CAUSE_TEXTS[cause.cause].advice,
  });
  return (
    <Tooltip label={about} openDelay={400} multiline maw={320}>
      <UnstyledButton
        className="sw-batch-cause"
        aria-pressed={props.chosen}
        onClick={props.onToggle}
        data-testid={`batch-cause-${cause.cause}`}
      >
        <span className="sw-batch-cause-name" {...SERVICE_TEXT}>
          {cause.title}
        </span>
        <span className="sw-batch-bar" aria-hidden>
          <span style={{ width: `${Math.max(2, props.share * 100)}%` }} />
        </span>
        <span className="sw-batch-cause-count">{cause.files}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

function NextSteps(props: {
  readonly summary: ImportsSummary;
  readonly start: BatchRow | undefined;
  readonly folder: string;
  readonly actions: SummaryActions;
}) {
  const { summary, start, actions } = props;
  const alone = summary.causes.toSorted((a, b) => b.alone - a.alone)[0];
  const secrets = summary.causes.find(({ cause }) => cause === 'credential');
  return (
    <div className="sw-batch-box">
      <h2 className="sw-section-title">{t('What to do first')}</h2>
      <ol className="sw-batch-steps" data-testid="batch-next">
        {start !== undefined && (
          <li>
            <span>
              {rich('Start with {b}, the nearest to a run. {first}', {
                b: <strong>{shownName(start, props.folder)}</strong>,
                first: start.report.first,
              })}
            </span>
            <Button
              size="compact-sm"
              rightSection={<IconArrowRight size={14} />}
              onClick={() => actions.onOpen(start.report.path)}
              data-testid="batch-start"
            >
              {t('Open')}
            </Button>
          </li>
        )}
        {alone !== undefined && alone.alone > 0 && (
          <Step onShow={() => actions.onCause(alone.cause)}>
            {rich(
              '{b} {count, plural, one {waits} other {wait}} for one kind of thing only: {lowerCase}. {advice}',
              {
                b: <strong>{files(alone.alone)}</strong>,
                count: alone.alone,
                lowerCase: alone.title.toLowerCase(),
                advice: CAUSE_TEXTS[alone.cause].advice,
              },
            )}
          </Step>
        )}
        {secrets !== undefined && (
          <Step onShow={() => actions.onCause('credential')}>
            {rich(
              '{b} {count, plural, one {holds} other {hold}} a credential as plain text. It is not in the drafts; replace it where the file was shared.',
              { b: <strong>{files(secrets.files)}</strong>, count: secrets.files },
            )}
          </Step>
        )}
        {summary.refused > 0 && (
          <Step onShow={() => actions.onState('refused')}>
            {rich('See why {b} could not be read.', {
              b: <strong>{files(summary.refused)}</strong>,
            })}
          </Step>
        )}
      </ol>
    </div>
  );
}

function Step(props: { readonly children: ReactNode; readonly onShow: () => void }) {
  return (
    <li>
      <span>{props.children}</span>
      <Button size="compact-sm" variant="default" onClick={props.onShow}>
        {t('Show')}
      </Button>
    </li>
  );
}
