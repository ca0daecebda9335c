import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { GapCause } from '../../../server/gaps/report/gap-causes.ts';
import { byEffort, type FileReport, isReady } from '../../../server/gaps/report/import-report.ts';
import type { BatchRow } from './import-batch-store.ts';

export const STATES = ['ready', 'blocked', 'refused'] as const;
export type RowState = (typeof STATES)[number];

export const SORTS = [
  { value: 'effort', label: t('Nearest to a run') },
  { value: 'name', label: t('Name') },
  { value: 'blocking', label: t('Most blocking gaps') },
  { value: 'nodes', label: t('Largest') },
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
  return isReady(file) ? 'ready' : 'blocked';
}

const NAMES = new Intl.Collator(locale(), { numeric: true });

/** What the table calls a file: the workflow's own name, else the file's. */
export function shownName(row: BatchRow, folder: string): string {
  return row.title ?? row.report.path.slice(folder.length);
}

type Order = (a: BatchRow, b: BatchRow) => number;

const byPath: Order = (a, b) => NAMES.compare(a.report.path, b.report.path);
/** A figure that the table shows as a dash comes last. */
const byFigure =
  (figure: 'blocking' | 'nodes'): Order =>
  (a, b) =>
    Number(a.report.status === 'refused') - Number(b.report.status === 'refused') ||
    b.report[figure] - a.report[figure] ||
    byPath(a, b);

function orderOf(sort: Sort, folder: string): Order {
  if (sort === 'effort') {
    return (a, b) => byEffort(a.report, b.report) || byPath(a, b);
  }
  return sort === 'name'
    ? (a, b) => NAMES.compare(shownName(a, folder), shownName(b, folder)) || byPath(a, b)
    : byFigure(sort);
}

/** The rows of a view, in its order. */
export function viewRows(rows: readonly BatchRow[], view: BatchView, folder: string): BatchRow[] {
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
    .toSorted(orderOf(view.sort, folder));
}

/** The folder that all files share, with `/` at its end; empty when there is none. */
export function sharedFolder(files: readonly FileReport[]): string {
  const [first] = files;
  const folder = first?.path.slice(0, first.path.indexOf('/') + 1) ?? '';
  return files.every(({ path }) => path.startsWith(folder)) ? folder : '';
}
