import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import { getMe } from '../../../server/contract/studio/session.ts';
import { IMPORTABLE, sourceOfFile } from '../../../server/gaps/report/source-of-file.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { type ApiError, toApiError } from '../../data/api-error.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { chooseProject } from './choose-project.tsx';
import { withCrews } from './crew-files.ts';
import { fileProblemText } from './import-model.ts';
import { importFile } from './import-queries.ts';
import { type ImportOutcome, ImportReport } from './import-report.tsx';
import { runBatch } from './run-batch.ts';

function refused(name: string, message: string): ImportOutcome {
  return { name, result: undefined, error: undefined, problem: message };
}

async function importOne(projectId: string, file: OpenedFile): Promise<ImportOutcome> {
  if (file.text === null) {
    return refused(file.name, fileProblemText(file.problem ?? 'unreadable'));
  }
  const input = { name: file.name, text: file.text };
  const source = sourceOfFile(input.name, input.text);
  if (source === undefined) {
    return refused(file.name, t('Only {IMPORTABLE}', { IMPORTABLE }));
  }
  try {
    const result = await importFile(projectId, source, input);
    writeOutput({
      level: 'info',
      message: t('Imported {name} as {path}', { name: file.name, path: result.draft.path }),
    });
    return { name: file.name, result, error: undefined, problem: undefined };
  } catch (cause) {
    const error: ApiError = toApiError(cause);
    writeOutput({
      level: 'error',
      message: t('Import of {name} was refused: {message} [{code}] {requestId}', {
        name: file.name,
        message: error.message,
        code: error.code,
        requestId: error.requestId ?? '',
      }),
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

/** Imports one file and opens its result or says why not; several get a page of their own. */
export async function runImport(projectId: string, opened: readonly OpenedFile[]): Promise<void> {
  const files = withCrews(opened);
  const [file, ...more] = files;
  if (file === undefined) {
    return;
  }
  if (more.length > 0) {
    const { projects } = await queryClient.ensureQueryData(routeQuery(getMe));
    const title = t('Import {count} files', { count: files.length });
    const chosen =
      projects.length > 1 ? await chooseProject(title, projects, projectId) : projectId;
    if (chosen !== undefined) {
      await runBatch(chosen, files);
    }
    return;
  }
  const outcome = await trackWork(
    t('Importing {name}', { name: file.name }),
    importOne(projectId, file),
  );
  if (outcome.result !== undefined) {
    // Its page says that it was imported.
    openResult(projectId, outcome.result);
    return;
  }
  modals.open({
    title: t('Import report'),
    size: 'xl',
    children: <ImportReport outcome={outcome} />,
  });
}
