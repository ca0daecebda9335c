import { modals } from '@mantine/modals';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { type ApiError, toApiError } from '../../data/api-error.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { writeOutput } from '../../workbench/output-store.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { detectSource, fileProblemText } from './import-model.ts';
import { importFile } from './import-queries.ts';
import { type ImportOutcome, ImportReport } from './import-report.tsx';

function refused(name: string, message: string): ImportOutcome {
  return { name, result: undefined, error: undefined, problem: message };
}

async function importOne(projectId: string, file: OpenedFile): Promise<ImportOutcome> {
  if (file.text === null) {
    return refused(file.name, fileProblemText(file.problem ?? 'unreadable'));
  }
  const input = { name: file.name, text: file.text };
  const source = detectSource(input);
  if (source === undefined) {
    return refused(file.name, 'Only n8n exports (.json) and Dify apps (.yml) can be imported.');
  }
  try {
    const result = await importFile(projectId, source, input);
    writeOutput({ level: 'info', message: `Imported ${file.name} as ${result.draft.path}` });
    return { name: file.name, result, error: undefined, problem: undefined };
  } catch (cause) {
    const error: ApiError = toApiError(cause);
    writeOutput({
      level: 'error',
      message: `Import of ${file.name} was refused: ${error.message} [${error.code}] ${error.requestId ?? ''}`,
    });
    return { name: file.name, result: undefined, error, problem: undefined };
  }
}

function openResult(projectId: string, result: ImportResult): void {
  const analysisId = result.analysis_ids[0];
  navigateTo(
    analysisId === undefined
      ? paths.draft(projectId, result.draft.path)
      : paths.importResult(projectId, analysisId, result.draft.path),
  );
}

/** Imports files one after the other; one success opens its result, everything else opens a report. */
export async function runImport(projectId: string, files: readonly OpenedFile[]): Promise<void> {
  const outcomes: ImportOutcome[] = [];
  for (const [index, file] of files.entries()) {
    const title =
      files.length === 1 ? `Importing ${file.name}` : `Importing ${index + 1} of ${files.length}`;
    outcomes.push(await trackWork(title, importOne(projectId, file)));
  }
  const only = outcomes.length === 1 ? outcomes[0] : undefined;
  if (only?.result !== undefined) {
    openResult(projectId, only.result);
    notifyDone(`Imported ${only.name}`);
    return;
  }
  if (outcomes.length > 0) {
    modals.open({
      title: 'Import report',
      size: 'xl',
      children: (
        <ImportReport projectId={projectId} outcomes={outcomes} onClose={modals.closeAll} />
      ),
    });
  }
}
