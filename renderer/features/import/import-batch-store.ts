import type { FileReport } from '../../../server/contract/studio/import-report/import-report.ts';
import { createStore } from '../../ui/store.ts';

/** One file of an import of several: its report, and where its draft and gaps are. */
export interface BatchRow {
  readonly report: FileReport;
  /** What the source calls the workflow; for this window only. */
  readonly title: string | null;
  readonly analysisId: string | null;
  readonly requestId: string | null;
}

/** An import of several files, while it runs and afterwards. */
export interface ImportBatch {
  readonly projectId: string;
  readonly total: number;
  readonly phase: 'running' | 'done' | 'cancelled';
  readonly rows: readonly BatchRow[];
  cancel(): void;
}

/** The latest import of several files in this window. */
export const importBatchStore = createStore<ImportBatch | null>(null);
