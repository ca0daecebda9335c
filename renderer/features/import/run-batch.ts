import { getAnalysisCanvas } from '../../../server/contract/studio/analyses.ts';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import { acceptedFile, refusedFile } from '../../../server/gaps/report/import-report.ts';
import { sourceOfFile } from '../../../server/gaps/report/source-of-file.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { toApiError } from '../../data/api-error.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { type BatchRow, type ImportBatch, importBatchStore } from './import-batch-store.ts';
import { fileProblemText, type ImportFile, ownName } from './import-model.ts';
import { sendImport } from './import-queries.ts';
import { type RelatedFile, relatedFiles } from './import-relations.ts';
import { type KeptSummary, rememberSummaries } from './import-summary-store.ts';

/** Requests under way at a time: enough that the service never waits for the window. */
const AT_ONCE = 4;
/** Rows are shown in groups, so that the table is not drawn for each. */
const SHOW_EVERY_MS = 120;

type SourceTypes = (id: string) => string | undefined;

/** The source's type names of its elements, read when a blocking gap needs one to be told apart. */
async function readTypes(projectId: string, result: ImportResult): Promise<SourceTypes> {
  const analysisId = result.analysis_ids[0];
  const blocked = result.gaps.some(({ severity }) => severity === 'blocking');
  if (!blocked || analysisId === undefined) {
    return () => undefined;
  }
  const canvas = await call(getAnalysisCanvas, {
    params: { project_id: projectId, analysis_id: analysisId },
  });
  const types = new Map(canvas.nodes.map((node) => [node.source_id, node.type]));
  return (id) => types.get(id);
}

function refusedRow(path: string, source: string | null, code: string, message: string): BatchRow {
  const report = refusedFile({ path, source }, { code, message, details: {} });
  return { report, title: null, analysisId: null, requestId: null };
}

async function importRow(
  projectId: string,
  file: OpenedFile,
  related: readonly RelatedFile[],
  kept: Map<string, KeptSummary>,
): Promise<BatchRow> {
  const path = file.name;
  if (file.text === null) {
    const problem = file.problem ?? 'unreadable';
    return refusedRow(path, null, problem, fileProblemText(problem));
  }
  const source = sourceOfFile(path, file.text);
  if (source === undefined) {
    const said = 'Only n8n exports (.json) and Dify apps (.yml) can be imported.';
    return refusedRow(path, null, 'source_unknown', said);
  }
  try {
    const result = await sendImport(projectId, source, { name: path, text: file.text }, related);
    const analysisId = result.analysis_ids[0] ?? null;
    if (analysisId !== null) {
      kept.set(analysisId, { summary: result.summary, fileName: path });
    }
    const types = await readTypes(projectId, result);
    const report = acceptedFile({ path, source, draft: result.draft.path }, result, types);
    return { report, title: ownName(source, file.text), analysisId, requestId: null };
  } catch (cause) {
    const error = toApiError(cause);
    const refusal = { code: error.code, message: error.message, details: error.details };
    return {
      report: refusedFile({ path, source }, refusal),
      title: null,
      analysisId: null,
      requestId: error.requestId,
    };
  }
}

interface RowCollector {
  add(row: BatchRow): void;
  flush(): void;
}

/** Shows rows as they come, in groups; those of an import that another replaced are dropped. */
function rowCollector(isShown: (batch: ImportBatch) => boolean): RowCollector {
  let waiting: BatchRow[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    importBatchStore.set((batch) =>
      batch !== null && isShown(batch) ? { ...batch, rows: [...batch.rows, ...rows] } : batch,
    );
  };
  return {
    add(row) {
      waiting.push(row);
      timer ??= setTimeout(flush, SHOW_EVERY_MS);
    },
    flush,
  };
}

async function importAll(
  projectId: string,
  files: readonly OpenedFile[],
  signal: AbortSignal,
  rows: RowCollector,
): Promise<void> {
  const readable = new Map<OpenedFile, ImportFile>();
  for (const file of files) {
    if (file.text !== null) {
      readable.set(file, { name: file.name, text: file.text });
    }
  }
  const related = relatedFiles([...readable.values()]);
  const kept = new Map<string, KeptSummary>();
  const queue = files.values();
  const work = async (): Promise<void> => {
    for (const file of queue) {
      if (signal.aborted) {
        return;
      }
      const own = readable.get(file);
      const others = own === undefined ? [] : (related.get(own) ?? []);
      rows.add(await importRow(projectId, file, others, kept));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  rows.flush();
  rememberSummaries(kept);
  await invalidateAuthoring();
}

/**
 * Imports several files and shows them on a page of their own as they come. Cancelling lets the
 * files under way finish; what is imported stays.
 */
export async function runBatch(projectId: string, files: readonly OpenedFile[]): Promise<void> {
  importBatchStore.get()?.cancel();
  const controller = new AbortController();
  const batch: ImportBatch = {
    projectId,
    total: files.length,
    phase: 'running',
    rows: [],
    cancel: () => controller.abort(),
  };
  importBatchStore.set(batch);
  navigateTo(paths.importBatch(projectId));
  const isShown = (now: ImportBatch): boolean => now.cancel === batch.cancel;
  const work = importAll(projectId, files, controller.signal, rowCollector(isShown));
  await trackWork(`Importing ${files.length} files`, work);
  const phase = controller.signal.aborted ? 'cancelled' : 'done';
  importBatchStore.set((now) => (now !== null && isShown(now) ? { ...now, phase } : now));
  if (phase === 'done') {
    notifyDone(`Imported ${files.length} files`);
  }
}
