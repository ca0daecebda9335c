import { t } from '../../../preload/texts/t.ts';
import { placeOf } from '../../../server/gaps/report/report-columns.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import type { DataColumn } from '../../ui/data-table.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { shownName, stateOf } from './batch-model.ts';
import type { BatchRow } from './import-batch-store.ts';

const BADGES = { ready: 'ready', blocked: 'blocked', refused: 'failed' } as const;
const WORDS = { ready: t('ready'), blocked: t('needs work'), refused: t('refused') } as const;
const FAMILIES = { sequential: t('sequence'), graph: t('graph') } as const;

function count(row: BatchRow, value: number): string {
  return row.report.status === 'refused' ? '–' : String(value);
}

function First(props: { readonly row: BatchRow }) {
  const { report } = props.row;
  if (report.refusal === null) {
    return report.first;
  }
  const place = placeOf(report.refusal.details);
  return (
    <span title={report.refusal.code}>
      <ServiceText>{report.refusal.message}</ServiceText> <span className="sw-faint">{place}</span>
    </span>
  );
}

/** Where a row leads: its draft and its gaps. */
function Ways(props: { readonly projectId: string; readonly row: BatchRow }) {
  const { report, analysisId } = props.row;
  if (report.draft === null || analysisId === null) {
    return null;
  }
  return (
    <span className="sw-batch-ways">
      <AppLink to={paths.draft(props.projectId, report.draft)}>{t('Draft')}</AppLink>
      <AppLink to={paths.gaps(props.projectId, analysisId, { ref: report.draft })}>
        {t('Gaps')}
      </AppLink>
    </span>
  );
}

/** Left out where there is no room for them. */
const NARROW_WITHOUT: ReadonlySet<string> = new Set(['family', 'nodes', 'manual']);

/** The columns of the table of imported files; `folder` stands before every name and is left out. */
export function batchColumns(
  projectId: string,
  folder: string,
  narrow: boolean,
): readonly DataColumn<BatchRow>[] {
  const columns: readonly DataColumn<BatchRow>[] = [
    {
      id: 'state',
      header: t('State'),
      width: '128px',
      cell: ({ report }) => {
        const state = stateOf(report);
        return <StatusBadge status={BADGES[state]}>{WORDS[state]}</StatusBadge>;
      },
    },
    {
      id: 'file',
      header: t('Workflow'),
      cell: (row) => (
        <span title={`${row.title ?? ''}\n${row.report.path}`.trim()}>
          <strong>{shownName(row, folder)}</strong>{' '}
          {row.title !== null && (
            <span className="sw-faint">{row.report.path.slice(folder.length)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'first',
      header: t('First thing to do'),
      width: narrow ? '38%' : '30%',
      cell: (row) => <First row={row} />,
    },
    {
      id: 'family',
      header: t('Family'),
      width: '86px',
      cell: ({ report }) => (report.family === null ? '–' : FAMILIES[report.family]),
    },
    {
      id: 'nodes',
      header: t('Steps'),
      width: '64px',
      align: 'right',
      cell: (row) => count(row, row.report.nodes),
    },
    {
      id: 'blocking',
      header: t('Blocking'),
      width: '78px',
      align: 'right',
      cell: (row) => count(row, row.report.blocking),
    },
    {
      id: 'manual',
      header: t('To review'),
      width: '92px',
      align: 'right',
      cell: (row) => count(row, row.report.manual),
    },
    {
      id: 'ways',
      header: t('Open'),
      width: '104px',
      cell: (row) => <Ways projectId={projectId} row={row} />,
    },
  ];
  return columns.filter(({ id }) => !narrow || !NARROW_WITHOUT.has(id));
}
