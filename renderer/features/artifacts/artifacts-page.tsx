import './artifacts.css';
import { IconPackage } from '@tabler/icons-react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useArtifacts } from '../../data/studio.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';

const COLUMNS: readonly DataColumn<AuthoredArtifact>[] = [
  {
    id: 'base',
    header: 'Draft',
    cell: (row) => <span title={row.base.path}>{fileName(row.base.path)}</span>,
  },
  {
    id: 'revision',
    header: 'Revision',
    width: '110px',
    room: 'wide',
    cell: (row) => <span className="sw-mono">{row.base.revision.slice(0, 8)}</span>,
  },
  { id: 'alias', header: 'Alias', width: '120px', room: 'wide', cell: (row) => row.alias },
  {
    id: 'state',
    header: 'Source analysis',
    width: '160px',
    room: 'middle',
    cell: (row) => <StatusBadge status={row.source_analysis_state} />,
  },
  {
    id: 'open',
    header: 'Open gaps',
    width: '100px',
    align: 'right',
    cell: (row) => row.unresolved_blocking_gaps.length + row.unacknowledged_manual_gaps.length,
  },
  {
    id: 'created',
    header: 'Created',
    width: '140px',
    cell: (row) => <TimeAgo at={row.created_at} />,
  },
];

const rowId = (row: AuthoredArtifact): string => row.id;

/** Artifacts of a project, newest first. */
export function ArtifactsPage(props: { readonly projectId: string }) {
  const artifacts = useArtifacts(props.projectId);
  return (
    <Page
      title="Artifacts"
      sub="Frozen drafts that can be checked, exported and run"
      flush={(artifacts.data?.length ?? 0) > 0}
      testId="artifacts-page"
    >
      <Unread query={artifacts} />
      {artifacts.data?.length === 0 && (
        <EmptyState icon={<IconPackage size={32} stroke={1.25} />} title="No artifacts yet">
          Open a draft and create an artifact from it.
        </EmptyState>
      )}
      {artifacts.data !== undefined && artifacts.data.length > 0 && (
        <DataTable
          label="Artifacts"
          columns={COLUMNS}
          rows={artifacts.data}
          rowId={rowId}
          onOpen={(row) => navigateTo(paths.artifact(props.projectId, row.id))}
        />
      )}
    </Page>
  );
}
