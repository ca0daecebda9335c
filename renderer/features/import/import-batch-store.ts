import type { FileCause, SourceFacts } from '../../../server/contract/studio/estate.ts';
import type { FileReport } from '../../../server/gaps/report/import-report.ts';
import { keptRecords } from '../../desktop/kept-records.ts';
import { createStore } from '../../ui/store.ts';
import { dropFiles } from './batch-files.ts';

/** One file of an import of several: its report, and where its draft and gaps are. */
export interface BatchRow {
  readonly report: FileReport;
  /** What the source calls the workflow; for this window only. */
  readonly title: string | null;
  readonly analysisId: string | null;
  /** The draft as it was imported. */
  readonly revision: string | null;
  /** The draft was there before: an equal file was imported earlier. */
  readonly existed: boolean;
  /** Whom it calls and what it signs in with. */
  readonly facts: SourceFacts;
  readonly causes: readonly FileCause[];
  readonly requestId: string | null;
}

/** What survives a reload. */
interface BatchRecord {
  readonly projectId: string;
  readonly total: number;
  /** `interrupted`: the window was closed or loaded again while it ran. */
  readonly phase: 'running' | 'done' | 'cancelled' | 'interrupted' | 'undone';
  readonly rows: readonly BatchRow[];
  /** Paths of the drafts that were there before it began. */
  readonly before: readonly string[];
}

/** An import of several files, while it runs and afterwards. */
export interface ImportBatch extends BatchRecord {
  cancel(): void;
}

/** The latest import of several files in this window. */
export const importBatchStore = createStore<ImportBatch | null>(null);

/** Raise when the shape of `BatchRecord` changes: older records are not shown. */
const VERSION = 2;
/** A running import is written at most this often. */
const WRITE_EVERY_MS = 1_500;

const keyOf = (projectId: string): string => `import-batch/${VERSION}/${projectId}`;

function isRecord(value: unknown): value is BatchRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'rows' in value &&
    Array.isArray(value.rows) &&
    'before' in value &&
    'phase' in value
  );
}

let writing: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  clearTimeout(writing);
  writing = undefined;
  const batch = importBatchStore.get();
  if (batch !== null) {
    const { cancel: _, ...record } = batch;
    void keptRecords.set(keyOf(batch.projectId), record);
  }
}

importBatchStore.subscribe(() => {
  if (importBatchStore.get()?.phase === 'running') {
    writing ??= setTimeout(write, WRITE_EVERY_MS);
  } else {
    write();
  }
});

/** The latest import of several files into a project, also of an earlier window; null when there is none. */
export async function findBatch(projectId: string): Promise<ImportBatch | null> {
  const current = importBatchStore.get();
  if (current?.projectId === projectId) {
    return current;
  }
  const record = await keptRecords.get(keyOf(projectId));
  if (!isRecord(record) || importBatchStore.get()?.phase === 'running') {
    return null;
  }
  const phase = record.phase === 'running' ? 'interrupted' : record.phase;
  const batch: ImportBatch = { ...record, phase, cancel: () => undefined };
  importBatchStore.set(batch);
  return batch;
}

/** Forgets the list of an import; its drafts and gaps stay. */
export async function clearBatch(projectId: string): Promise<void> {
  await Promise.all([dropFiles(projectId), keptRecords.remove(keyOf(projectId))]);
  importBatchStore.set((batch) => (batch?.projectId === projectId ? null : batch));
}
