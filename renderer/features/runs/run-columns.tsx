import type { ReactNode } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { RunSort } from './run-filter-model.ts';
import { rowDuration, TOOK_MEANS } from './run-model.ts';
import { RunWords } from './run-words.tsx';
import { MIDDLE, WIDE } from './use-table-room.ts';

const NUMBERS = new Intl.NumberFormat(locale());

/** A column of the run list. */
export interface RunColumn {
  readonly id: string;
  readonly header: string;
  /** What the header means, where it does not say all. */
  readonly title?: string;
  readonly sort?: RunSort;
  /** CSS width; the rest goes to the columns without one. */
  readonly width?: string;
  readonly align?: 'right';
  /** Width of the window below which it is left out, unless it was chosen. */
  readonly least?: number;
  /** Shown only when it is chosen. */
  readonly extra?: boolean;
  /** Cannot be left out. */
  readonly fixed?: boolean;
  readonly cell: (run: RunRow, origin: RunOrigin | undefined) => ReactNode;
}

function Took(props: { readonly run: RunRow }) {
  const ms = rowDuration(props.run);
  return ms === null ? '–' : durationText(ms);
}

export const COLUMNS: readonly RunColumn[] = [
  {
    id: 'status',
    fixed: true,
    header: t('Status'),
    sort: 'status',
    width: '164px',
    cell: (run) => (
      <>
        <StatusBadge status={run.status} />{' '}
        {run.stuck && (
          <span title={run.stuck_reason ?? t('No progress')}>
            <Badge tone="warning">{t('stuck')}</Badge>
          </span>
        )}
      </>
    ),
  },
  {
    id: 'workflow',
    fixed: true,
    header: t('Workflow'),
    sort: 'workflow',
    cell: (run, origin) => <RunWords run={run} origin={origin} />,
  },
  {
    id: 'kind',
    header: t('Kind'),
    width: '110px',
    extra: true,
    cell: (run) => run.workflow_kind || '–',
  },
  {
    id: 'step',
    header: t('At'),
    width: '12%',
    least: WIDE,
    cell: (run) => run.current_node_id ?? run.current_step_id ?? '–',
  },
  {
    id: 'took',
    header: t('Took'),
    least: MIDDLE,
    title: TOOK_MEANS,
    width: '84px',
    align: 'right',
    cell: (run) => <Took run={run} />,
  },
  {
    id: 'tokens',
    header: t('Tokens'),
    least: MIDDLE,
    sort: 'tokens',
    width: '84px',
    align: 'right',
    cell: (run) =>
      run.usage?.total_tokens === null || run.usage === null
        ? '–'
        : NUMBERS.format(run.usage.total_tokens),
  },
  {
    id: 'cost',
    header: t('Cost'),
    width: '92px',
    align: 'right',
    least: WIDE,
    cell: ({ usage }) =>
      usage === null || usage.cost_usd === null
        ? '–'
        : `${usage.cost_approximate ? '≈ ' : ''}${usage.cost_usd.toFixed(4)} ${usage.currency}`,
  },
  {
    id: 'run',
    header: t('Run'),
    width: '104px',
    cell: (run) => (
      <CopyCode value={run.run_id} shown={shortRunId(run.run_id)} label={t('Copy run id')} inRow />
    ),
  },
  {
    id: 'created',
    header: t('Created'),
    sort: 'created',
    width: '138px',
    least: WIDE,
    cell: (run) => <TimeAgo at={run.created_at} inRow />,
  },
  {
    id: 'updated',
    header: t('Updated'),
    least: MIDDLE,
    sort: 'updated',
    width: '138px',
    cell: (run) => <TimeAgo at={run.updated_at} inRow />,
  },
];

/** Pixels of the box that selects a row, and the least that a run's words need. */
const BOX = 52;
const WORDS = 150;

/** The width below which the table scrolls sideways instead of squeezing the words of its runs. */
export function leastWidth(columns: readonly RunColumn[]): number {
  return columns.reduce(
    (sum, { width }) => sum + (width?.endsWith('px') === true ? Number.parseInt(width, 10) : WORDS),
    BOX,
  );
}
