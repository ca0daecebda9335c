import type { GapCause } from '../../../server/gaps/report/gap-causes.ts';
import { byEffort, type FileReport } from '../../../server/gaps/report/import-report.ts';
import type { BatchRow } from './import-batch-store.ts';

export const STATES = ['ready', 'blocked', 'refused'] as const;
export type RowState = (typeof STATES)[number];

export const SORTS = [
  { value: 'effort', label: 'Nearest to a run' },
  { value: 'name', label: 'Name' },
  { value: 'blocking', label: 'Most blocking gaps' },
  { value: 'nodes', label: 'Largest' },
] as const;
export type Sort = (typeof SORTS)[number]['value'];

/** What of the table is shown, and in which order. */
export interface BatchView {
  readonly states: readonly RowState[];
  readonly cause: GapCause | null;
  readonly text: string;
  readonly sort: Sort;
}

export const WHOLE_BATCH: BatchView = { states: [], cause: null, text: '', sort: 'effort' };

/** Whether a file is ready, has blocking gaps, or was refused. */
export function stateOf(file: FileReport): RowState {
  if (file.status === 'refused') {
    return 'refused';
  }
  return file.blocking === 0 ? 'ready' : 'blocked';
}

const NAMES = new Intl.Collator('en', { numeric: true });

const ORDERS: Readonly<Record<Sort, (a: FileReport, b: FileReport) => number>> = {
  effort: byEffort,
  name: (a, b) => NAMES.compare(a.path, b.path),
  blocking: (a, b) => b.blocking - a.blocking || NAMES.compare(a.path, b.path),
  nodes: (a, b) => b.nodes - a.nodes || NAMES.compare(a.path, b.path),
};

/** The rows of a view, in its order. */
export function viewRows(rows: readonly BatchRow[], view: BatchView): BatchRow[] {
  const text = view.text.trim().toLowerCase();
  return rows
    .filter(({ report }) => view.states.length === 0 || view.states.includes(stateOf(report)))
    .filter(
      ({ report }) =>
        view.cause === null || report.causes.some(({ cause }) => cause === view.cause),
    )
    .filter(
      ({ report, title }) =>
        text === '' || `${report.path}\n${title ?? ''}`.toLowerCase().includes(text),
    )
    .toSorted((a, b) => ORDERS[view.sort](a.report, b.report));
}

/** The folder that all files share, with `/` at its end; empty when there is none. */
export function sharedFolder(files: readonly FileReport[]): string {
  const [first] = files;
  const folder = first?.path.slice(0, first.path.indexOf('/') + 1) ?? '';
  return files.every(({ path }) => path.startsWith(folder)) ? folder : '';
}
