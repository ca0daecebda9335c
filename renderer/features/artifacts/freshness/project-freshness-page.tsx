import { t } from '../../../../preload/texts/t.ts';
import './freshness.css';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { FreshnessRow } from '../../../../server/contract/studio/freshness.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { fileName } from '../../../data/draft-names.ts';
import { type DataColumn, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FacetChips } from '../../../ui/facet-chips.tsx';
import { Page } from '../../../ui/page.tsx';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { OFFERS, OUTCOMES } from './freshness-model.ts';
import { useProjectFreshness } from './freshness-queries.ts';

const COLUMNS: readonly DataColumn<FreshnessRow>[] = [
  {
    id: 'base',
    header: t('Draft'),
    cell: (row) => <span title={row.base_ref}>{fileName(row.base_ref)}</span>,
  },
  {
    id: 'artifact',
    header: t('Artifact'),
    width: '110px',
    room: 'wide',
    cell: (row) => <span className="sw-mono">{row.artifact_id.slice(0, 8)}</span>,
  },
  {
    id: 'outcome',
    header: t('Freshness'),
    width: '150px',
    cell: (row) => (
      <span title={OUTCOMES[row.outcome].about}>
        <Badge tone={OUTCOMES[row.outcome].tone}>{OUTCOMES[row.outcome].label}</Badge>
      </span>
    ),
  },
  {
    id: 'readiness',
    header: t('Source analysis'),
    width: '150px',
    room: 'middle',
    cell: (row) => <StatusBadge status={row.readiness} />,
  },
  {
    id: 'offers',
    header: t('Offered'),
    room: 'wide',
    cell: (row) => row.offers.map((kind) => OFFERS[kind].label.replace('…', '')).join(', '),
  },
  {
    id: 'created',
    header: t('Created'),
    width: '130px',
    cell: (row) => <TimeAgo at={row.created_at} />,
  },
];

const rowId = (row: FreshnessRow): string => row.artifact_id;

/** Which artifacts of a project carry an analysis that has aged; advice, all of it. */
export function ProjectFreshnessPage(props: { readonly projectId: string }) {
  const { projectId } = props;
  const freshness = useProjectFreshness(projectId);
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const rows = freshness.data?.artifacts;
  const facets = useMemo(() => {
    const counts = Map.groupBy(rows ?? [], ({ outcome }) => outcome);
    return Object.entries(OUTCOMES).flatMap(([value, { label }]) => {
      const count = [...counts].find(([outcome]) => outcome === value)?.[1].length;
      return count === undefined ? [] : [{ value, label, count }];
    });
  }, [rows]);
  const shown = useMemo(
    () => (rows ?? []).filter(({ outcome }) => outcomes.length === 0 || outcomes.includes(outcome)),
    [rows, outcomes],
  );
  const aged = (rows ?? []).filter(({ offers }) => offers.length > 0).length;
  return (
    <Page
      title={t('Freshness')}
      sub={
        freshness.data === undefined
          ? t('Whether the analyses of the artifacts are still the latest word')
          : t(
              '{count, plural, one {# artifact} other {# artifacts}} with something to renew · running analyzer {running_analyzer_version}. Advice: it refuses no export.',
              { count: aged, running_analyzer_version: freshness.data.running_analyzer_version },
            )
      }
      flush={(rows?.length ?? 0) > 0}
      testId="project-freshness-page"
    >
      <Unread query={freshness} />
      {rows?.length === 0 && (
        <EmptyState icon={<IconRefresh size={32} stroke={1.25} />} title={t('No artifacts yet')}>
          {t(
            'Open a draft and create an artifact from it; here it shows when its analysis has aged.',
          )}
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className="sw-fresh-list">
          {facets.length > 1 && (
            <div className="sw-fresh-filter">
              <FacetChips
                label={t('Freshness')}
                facets={facets}
                selected={outcomes}
                onChange={setOutcomes}
              />
            </div>
          )}
          <DataTable
            label={t('Freshness of the artifacts')}
            columns={COLUMNS}
            rows={shown}
            rowId={rowId}
            onOpen={(row) => navigateTo(paths.artifactFreshness(projectId, row.artifact_id))}
          />
        </div>
      )}
    </Page>
  );
}
