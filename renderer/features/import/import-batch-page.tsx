import { t } from '../../../preload/texts/t.ts';
import './import.css';
import { Button, Progress, Select, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFileImport, IconSearch } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { estateOf } from '../../../server/gaps/estate/estate.ts';
import {
  type ImportsSummary,
  summarizeImports,
} from '../../../server/gaps/report/import-report.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { batchColumns } from './batch-columns.tsx';
import { BatchSubtitle, batchTitle, ContinueButton, ImportButtons } from './batch-header.tsx';
import {
  type BatchView,
  type RowState,
  SORTS,
  STATES,
  sharedFolder,
  shownName,
  stateOf,
  viewRows,
  WHOLE_BATCH,
} from './batch-model.ts';
import { BatchSummary } from './batch-summary.tsx';
import { BatchViews } from './estate/batch-views.tsx';
import { estateFiles } from './estate/estate-files.ts';
import { EstateCalls, EstateCauses, EstateCredentials } from './estate/estate-view.tsx';
import { RepairsAgain } from './estate/repairs-again.tsx';
import type { BatchRow, ImportBatch } from './import-batch-store.ts';
import { ReportMenu } from './report-menu.tsx';
import { useBatch } from './use-batch.ts';

const LABELS: Readonly<Record<RowState, string>> = {
  ready: t('Ready'),
  blocked: t('Need work'),
  refused: t('Refused'),
};

const rowId = (row: BatchRow): string => row.report.path;

/** The latest import of several files: what one has, what to do first, and every file. */
export function ImportBatchPage(props: {
  readonly projectId: string;
  /** What of the import is shown; its files when nothing is said. */
  readonly view: string | undefined;
}) {
  const batch = useBatch(props.projectId);
  if (batch === undefined) {
    return (
      <Page title={t('Import')} testId="import-batch">
        <ListSkeleton rows={8} />
      </Page>
    );
  }
  if (batch === null) {
    return (
      <Page title={t('Import')} actions={<ImportButtons />} testId="import-batch">
        <EmptyState
          icon={<IconFileImport size={36} stroke={1.25} aria-hidden />}
          title={t('Drop files, a folder or a zip archive anywhere on this window')}
        >
          {t(
            'n8n exports (.json) and Dify apps (.yml) become drafts of this project, and as an experiment Flowise flows and CrewAI projects. You see what each became, what is missing, and where to start.',
          )}
        </EmptyState>
      </Page>
    );
  }
  return <BatchPage batch={batch} part={partOf(props.view)} />;
}

function openRow(projectId: string, row: BatchRow | undefined): void {
  if (row?.analysisId !== null && row?.report.draft != null) {
    navigateTo(paths.importResult(projectId, row.analysisId, row.report.draft));
  }
}

const PARTS = ['files', 'calls', 'credentials', 'causes'] as const;
type BatchPart = (typeof PARTS)[number];

function partOf(view: string | undefined): BatchPart {
  return PARTS.find((part) => part === view) ?? 'files';
}

function BatchPage(props: { readonly batch: ImportBatch; readonly part: BatchPart }) {
  const { batch, part } = props;
  const { projectId, rows, total, phase, cancel } = batch;
  const files = useMemo(() => rows.map(({ report }) => report), [rows]);
  const summary = useMemo(() => summarizeImports(files), [files]);
  const folder = useMemo(() => sharedFolder(files), [files]);
  const estate = useMemo(() => estateOf(estateFiles(rows)), [rows]);
  const byPath = useMemo(() => new Map(rows.map((row) => [row.report.path, row])), [rows]);
  const nameOf = useCallback(
    (path: string) => {
      const row = byPath.get(path);
      return row === undefined ? path : shownName(row, folder);
    },
    [byPath, folder],
  );
  const repairPath = useCallback((id: string) => paths.repair(projectId, id), [projectId]);
  const open = (path: string): void => openRow(projectId, byPath.get(path));
  return (
    <Page
      title={batchTitle(batch, summary)}
      sub={<BatchSubtitle batch={batch} />}
      flush
      testId="import-batch"
      actions={
        phase === 'running' ? (
          <Button variant="default" onClick={cancel} data-testid="batch-cancel">
            {t('Cancel')}
          </Button>
        ) : (
          <>
            {phase === 'interrupted' && <ContinueButton batch={batch} />}
            <ImportButtons />
            <ReportMenu files={files} />
          </>
        )
      }
    >
      <div className="sw-batch" data-testid={`batch-${phase}`}>
        {phase === 'running' && (
          <Progress
            value={(rows.length / total) * 100}
            size="sm"
            aria-label={t('{count} of {total} files', { count: rows.length, total })}
          />
        )}
        {rows.length > 0 && <BatchViews projectId={projectId} part={part} estate={estate} />}
        {part === 'files' && phase === 'done' && <RepairsAgain projectId={projectId} rows={rows} />}
        {part === 'calls' && <EstateCalls estate={estate} nameOf={nameOf} onOpen={open} />}
        {part === 'credentials' && (
          <EstateCredentials estate={estate} nameOf={nameOf} onOpen={open} />
        )}
        {part === 'causes' && <EstateCauses estate={estate} repairPath={repairPath} />}
        {part === 'files' && (
          <BatchFiles
            projectId={projectId}
            rows={rows}
            summary={summary}
            folder={folder}
            onOpen={open}
          />
        )}
      </div>
    </Page>
  );
}

function BatchFiles(props: {
  readonly projectId: string;
  readonly rows: readonly BatchRow[];
  readonly summary: ImportsSummary;
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}) {
  const { projectId, rows, summary, folder, onOpen } = props;
  const narrow = useMediaQuery('(max-width: 1180px)') ?? false;
  const [view, setView] = useState<BatchView>(WHOLE_BATCH);
  const change = (part: Partial<BatchView>): void => setView((now) => ({ ...now, ...part }));
  const columns = useMemo(
    () => batchColumns(projectId, folder, narrow),
    [projectId, folder, narrow],
  );
  const shown = useMemo(() => viewRows(rows, view, folder), [rows, view, folder]);
  return (
    <>
      <BatchSummary
        summary={summary}
        start={rows.find(({ report }) => report.path === summary.start_with)}
        folder={folder}
        cause={view.cause}
        actions={{
          onState: (state) => change({ states: [state], cause: null }),
          onCause: (cause) => change({ cause, states: [] }),
          onOpen,
        }}
      />
      <BatchFilter rows={rows} view={view} shown={shown.length} onChange={change} />
      {shown.length === 0 && rows.length > 0 ? (
        <EmptyState compact title={t('No file matches')}>
          <Button variant="default" size="compact-sm" onClick={() => setView(WHOLE_BATCH)}>
            {t('Show all files')}
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          label={t('Imported files')}
          columns={columns}
          rows={shown}
          rowId={rowId}
          onOpen={({ report }) => onOpen(report.path)}
        />
      )}
    </>
  );
}

function isState(value: string): value is RowState {
  return STATES.some((state) => state === value);
}

function BatchFilter(props: {
  readonly rows: readonly BatchRow[];
  readonly view: BatchView;
  readonly shown: number;
  readonly onChange: (part: Partial<BatchView>) => void;
}) {
  const { rows, view, onChange } = props;
  const facets = STATES.map((state) => ({
    value: state,
    label: LABELS[state],
    count: rows.filter(({ report }) => stateOf(report) === state).length,
  }));
  return (
    <div className="sw-batch-filter">
      <FacetChips
        label={t('State')}
        facets={facets.filter(({ count }) => count > 0)}
        selected={view.states}
        onChange={(states) => onChange({ states: states.filter(isState) })}
      />
      <span className="sw-faint" role="status" data-testid="batch-shown">
        {props.shown === rows.length
          ? t('{count} files', { count: rows.length })
          : t('{shown} of {count}', { shown: props.shown, count: rows.length })}
      </span>
      <TextInput
        size="xs"
        aria-label={t('Find a file')}
        placeholder={t('Find a file')}
        leftSection={<IconSearch size={14} />}
        value={view.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <Select
        size="xs"
        aria-label={t('Order')}
        data={[...SORTS]}
        value={view.sort}
        allowDeselect={false}
        onChange={(value) =>
          onChange({ sort: SORTS.find((s) => s.value === value)?.value ?? 'effort' })
        }
      />
    </div>
  );
}
