import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconFileImport, IconFolder, IconPlayerPlay } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { ImportsSummary } from '../../../server/gaps/report/import-report.ts';
import { runCommand } from '../../app/commands.ts';
import { useMe } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { notifyError } from '../../ui/notify.tsx';
import { clearBatch, type ImportBatch } from './import-batch-store.ts';
import { resumeBatch } from './run-batch.ts';
import { askToUndo } from './undo-batch.tsx';

export function ImportButtons() {
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} />}
        onClick={() => runCommand('file.import')}
        data-testid="batch-files"
      >
        {t('Files…')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolder size={16} />}
        onClick={() => runCommand('file.import-folder')}
        data-testid="batch-folder"
      >
        {t('Folder…')}
      </Button>
    </>
  );
}

/** Goes on with an import that a reload interrupted. */
export function ContinueButton(props: { readonly batch: ImportBatch }) {
  const { batch } = props;
  const resumption = useAction(async () => {
    try {
      if (!(await resumeBatch(batch))) {
        notifyError(
          t('The import cannot go on by itself'),
          new Error(
            t('Its files were not kept. Choose them again: what is imported is not doubled.'),
          ),
        );
      }
    } catch (error) {
      notifyError(t('The import did not go on'), error);
    }
  });
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} />}
      loading={resumption.busy}
      onClick={() => resumption.start()}
      data-testid="batch-continue"
    >
      {t('Import the other {total}', { total: batch.total - batch.rows.length })}
    </Button>
  );
}

export function batchTitle(batch: ImportBatch, summary: ImportsSummary): string {
  if (batch.phase === 'running') {
    return t('Importing {count} of {total} files', {
      count: batch.rows.length,
      total: batch.total,
    });
  }
  return batch.phase === 'undone'
    ? t('Import undone')
    : t('{accepted} of {total} files imported', { accepted: summary.accepted, total: batch.total });
}

function phaseText({ phase, rows, total }: ImportBatch, project: string): string {
  if (phase === 'cancelled') {
    return t('Cancelled after {count} of {total}; what was imported stays', {
      count: rows.length,
      total,
    });
  }
  if (phase === 'interrupted') {
    return t(
      'Interrupted after {count} of {total}, since the window was closed or loaded again; what was imported stays',
      { count: rows.length, total },
    );
  }
  if (phase === 'undone') {
    return rows.length === 0 ? t('Its drafts are removed') : t('These drafts of it stayed');
  }
  return t('Each file became a draft of {project}', { project });
}

function askToClear(projectId: string): void {
  modals.openConfirmModal({
    title: t('Clear the results of this import?'),
    children: t('The list of files goes. Their drafts, gaps and reports that you saved stay.'),
    labels: { confirm: t('Clear results'), cancel: t('Keep them') },
    confirmProps: { 'data-autofocus': true },
    onConfirm: () => void clearBatch(projectId),
  });
}

/** How the import went, and what can be done with all of it. */
export function BatchSubtitle(props: { readonly batch: ImportBatch }) {
  const { batch } = props;
  const { projectId, phase, rows } = batch;
  const project = useMe().data?.projects.find(({ id }) => id === projectId)?.name;
  const undo = (): void => {
    askToUndo(batch).catch((error) => notifyError(t('The import was not read'), error));
  };
  return (
    <>
      {phaseText(batch, project ?? t('this project'))}
      {phase !== 'running' && (
        <>
          {rows.some(({ report }) => report.draft !== null) && phase !== 'undone' && (
            <Button
              size="compact-xs"
              variant="subtle"
              ml={6}
              onClick={undo}
              data-testid="batch-undo"
            >
              {t('Undo import…')}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            ml={6}
            onClick={() => askToClear(projectId)}
            data-testid="batch-clear"
          >
            {t('Clear results…')}
          </Button>
        </>
      )}
    </>
  );
}
