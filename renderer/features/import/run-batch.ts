import { t } from '../../../preload/texts/t.ts';
import { getAnalysisCanvas } from '../../../server/contract/studio/analyses.ts';
import { listDrafts } from '../../../server/contract/studio/drafts.ts';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import { fileCauses, type TypeOf } from '../../../server/gaps/estate/shared-causes.ts';
import { NO_FACTS, sourceFacts } from '../../../server/gaps/estate/source-facts.ts';
import {
  acceptedFile,
  type ReportRefusal,
  refusedFile,
} from '../../../server/gaps/report/import-report.ts';
import {
  IMPORTABLE,
  type KnownSource,
  sourceOfFile,
} from '../../../server/gaps/report/source-of-file.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { toApiError } from '../../data/api-error.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { dropFiles, keepFiles, keptFiles } from './batch-files.ts';
import { type BatchRow, type ImportBatch, importBatchStore } from './import-batch-store.ts';
import { fileProblemText } from './import-model.ts';
import { sendImport } from './import-queries.ts';
import { type RelatableFile, relatedFiles } from './import-relations.ts';
import { type KeptSummary, rememberSummaries } from './import-summary-store.ts';

/** Requests under way at a time: enough that the service never waits for the window. */
const AT_ONCE = 4;
/** Rows are shown in groups, so that the table is not drawn for each. */
const SHOW_EVERY_MS = 120;
/** Files that are read for what they say of others before the window is drawn again. */
const READ_AT_ONCE = 20;

/** The source's type names of its elements, read when a gap needs one to be told apart. */
async function readTypes(projectId: string, result: ImportResult): Promise<TypeOf> {
  const analysisId = result.analysis_ids[0];
  const wanted = result.gaps.some(({ severity }) => severity !== 'info');
  if (!wanted || analysisId === undefined) {
    return () => undefined;
  }
  const canvas = await call(getAnalysisCanvas, {
    params: { project_id: projectId, analysis_id: analysisId },
  });
  const types = new Map(canvas.nodes.map((node) => [node.source_id, node.type]));
  return (id) => types.get(id);
}

function refusedRow(
  path: string,
  source: string | null,
  refusal: ReportRefusal,
  requestId: string | null = null,
): BatchRow {
  return {
    report: refusedFile({ path, source }, refusal),
    title: null,
    analysisId: null,
    revision: null,
    existed: false,
    facts: NO_FACTS,
    causes: [],
    requestId,
  };
}

/** One file of an import, read as far as its own text goes. */
type ReadFile =
  | { readonly row: BatchRow }
  | { readonly source: KnownSource; readonly file: RelatableFile };

function readFile({ name, text, problem }: OpenedFile): ReadFile {
  if (text === null) {
    const code = problem ?? 'unreadable';
    return { row: refusedRow(name, null, { code, message: fileProblemText(code), details: {} }) };
  }
  const source = sourceOfFile(name, text);
  if (source === undefined) {
    const message = t('Only {IMPORTABLE}', { IMPORTABLE });
    return { row: refusedRow(name, null, { code: 'source_unknown', message, details: {} }) };
  }
  return { source, file: { name, text, facts: sourceFacts(source, text) } };
}

/** Reads every file for itself, with room for the window between. */
async function readFiles(files: readonly OpenedFile[], signal: AbortSignal): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const [index, file] of files.entries()) {
    if (signal.aborted) {
      break;
    }
    read.push(readFile(file));
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) {
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return read;
}

interface BatchWork {
  readonly projectId: string;
  readonly related: ReturnType<typeof relatedFiles>;
  readonly before: ReadonlySet<string>;
  /** What only the answers say, for the pages of the results. */
  readonly kept: Map<string, KeptSummary>;
}

async function importRow(
  work: BatchWork,
  { source, file }: Extract<ReadFile, { file: unknown }>,
): Promise<BatchRow> {
  const { projectId, kept } = work;
  const { name: path, facts } = file;
  try {
    const result = await sendImport(projectId, source, file, { related: work.related(file) });
    const analysisId = result.analysis_ids[0] ?? null;
    if (analysisId !== null) {
      kept.set(analysisId, { summary: result.summary, fileName: path });
    }
    const types = await readTypes(projectId, result);
    return {
      report: acceptedFile({ path, source, draft: result.draft.path }, result, types),
      title: facts.name,
      analysisId,
      revision: result.draft.revision,
      existed: work.before.has(result.draft.path),
      facts,
      causes: fileCauses(result.gaps, types),
      requestId: null,
    };
  } catch (cause) {
    const { code, message, details, requestId } = toApiError(cause);
    const row = refusedRow(path, source, { code, message, details }, requestId);
    return { ...row, title: facts.name, facts };
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
  batch: ImportBatch,
  files: readonly OpenedFile[],
  signal: AbortSignal,
  rows: RowCollector,
): Promise<void> {
  const { projectId } = batch;
  const read = await readFiles(files, signal);
  const related = relatedFiles(read.flatMap((one) => ('file' in one ? [one.file] : [])));
  const kept = new Map<string, KeptSummary>();
  const work: BatchWork = { projectId, related, before: new Set(batch.before), kept };
  const done = new Set(batch.rows.map(({ report }) => report.path));
  const queue = read
    .filter((one) => !done.has('row' in one ? one.row.report.path : one.file.name))
    .values();
  const worker = async (): Promise<void> => {
    for (const one of queue) {
      if (signal.aborted) {
        return;
      }
      rows.add('row' in one ? one.row : await importRow(work, one));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  rows.flush();
  rememberSummaries(kept);
  await invalidateAuthoring();
}

/** Runs an import that is already shown; `files` are all of it, those with a row are left out. */
async function run(
  record: Omit<ImportBatch, 'cancel' | 'phase'>,
  files: readonly OpenedFile[],
): Promise<void> {
  const controller = new AbortController();
  const batch: ImportBatch = { ...record, phase: 'running', cancel: () => controller.abort() };
  importBatchStore.set(batch);
  const isShown = (now: ImportBatch): boolean => now.cancel === batch.cancel;
  const work = importAll(batch, files, controller.signal, rowCollector(isShown));
  await trackWork(t('Importing {count} files', { count: files.length }), work);
  const phase = controller.signal.aborted ? 'cancelled' : 'done';
  importBatchStore.set((now) => (now !== null && isShown(now) ? { ...now, phase } : now));
  const shown = importBatchStore.get();
  if (shown !== null && isShown(shown)) {
    await dropFiles(batch.projectId);
  }
  if (phase === 'done') {
    notifyDone(t('Imported {count} files', { count: files.length }));
  }
}

/** Equal paths with a number: the same file may be offered twice. */
function withOwnPaths(files: readonly OpenedFile[]): readonly OpenedFile[] {
  const seen = new Map<string, number>();
  return files.map((file) => {
    const count = (seen.get(file.name) ?? 0) + 1;
    seen.set(file.name, count);
    return count === 1 ? file : { ...file, name: `${file.name} (${count})` };
  });
}

/**
 * Imports several files and shows them on a page of their own as they come. Cancelling lets the
 * files under way finish; what is imported stays. After a reload it can go on.
 */
export async function runBatch(projectId: string, opened: readonly OpenedFile[]): Promise<void> {
  importBatchStore.get()?.cancel();
  const files = withOwnPaths(opened);
  const drafts = await call(listDrafts, { params: { project_id: projectId } });
  const before = drafts.map(({ ref }) => ref);
  navigateTo(paths.importBatch(projectId));
  void keepFiles(projectId, files);
  await run({ projectId, total: files.length, rows: [], before }, files);
}

/** Goes on with an import that a reload interrupted; false when its files were not kept. */
export async function resumeBatch(batch: ImportBatch): Promise<boolean> {
  const files = await keptFiles(batch.projectId);
  if (files.length < batch.total) {
    return false;
  }
  const { cancel: _, ...record } = batch;
  await run(record, files);
  return true;
}
