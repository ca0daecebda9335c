import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconFileImport, IconFolder, IconPlayerPlay } from '@tabler/icons-react';
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
        Files…
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolder size={16} />}
        onClick={() => runCommand('file.import-folder')}
        data-testid="batch-folder"
      >
        Folder…
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
          'The import cannot go on by itself',
          new Error('Its files were not kept. Choose them again: what is imported is not doubled.'),
        );
      }
    } catch (error) {
      notifyError('The import did not go on', error);
    }
  });
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} />}
      loading={resumption.busy}
      onClick={() => resumption.start()}
      data-testid="batch-continue"
    >
      Import the other {batch.total - batch.rows.length}
    </Button>
  );
}

export function batchTitle(batch: ImportBatch, summary: ImportsSummary): string {
  if (batch.phase === 'running') {
    return `Importing ${batch.rows.length} of ${batch.total} files`;
  }
  return batch.phase === 'undone'
    ? 'Import undone'
    : `${summary.accepted} of ${batch.total} files imported`;
}

function phaseText({ phase, rows, total }: ImportBatch, project: string): string {
  if (phase === 'cancelled') {
    return `Cancelled after ${rows.length} of ${total}; what was imported stays`;
  }
  if (phase === 'interrupted') {
    return `Interrupted after ${rows.length} of ${total}, since the window was closed or loaded again; what was imported stays`;
  }
  if (phase === 'undone') {
    return rows.length === 0 ? 'Its drafts are removed' : 'These drafts of it stayed';
  }
  return `Each file became a draft of ${project}`;
}

function askToClear(projectId: string): void {
  modals.openConfirmModal({
    title: 'Clear the results of this import?',
    children: 'The list of files goes. Their drafts, gaps and reports that you saved stay.',
    labels: { confirm: 'Clear results', cancel: 'Keep them' },
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
    askToUndo(batch).catch((error) => notifyError('The import was not read', error));
  };
  return (
    <>
      {phaseText(batch, project ?? 'this project')}
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
              Undo import…
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            ml={6}
            onClick={() => askToClear(projectId)}
            data-testid="batch-clear"
          >
            Clear results…
          </Button>
        </>
      )}
    </>
  );
}
