import type { FileReport } from './import-report.ts';

type Cell = string | number;

/** Where in the source a refusal points, in one text. */
export function placeOf(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function kindsOf(file: FileReport, severity: string): string {
  return file.kinds
    .filter((kind) => kind.severity === severity)
    .map(({ kind, count }) => `${kind} ${count}`)
    .join('; ');
}

/** The table of the report for spreadsheets: heading and value of each column. */
export const REPORT_COLUMNS: readonly (readonly [string, (file: FileReport) => Cell])[] = [
  ['file', (file) => file.path],
  ['source', (file) => file.source ?? ''],
  ['status', (file) => file.status],
  ['draft', (file) => file.draft ?? ''],
  ['family', (file) => file.family ?? ''],
  ['nodes', (file) => file.nodes],
  ['edges', (file) => file.edges],
  ['tools', (file) => file.tools],
  ['credentials', (file) => file.credentials],
  ['blocking', (file) => file.blocking],
  ['manual', (file) => file.manual],
  ['info', (file) => file.info],
  ['blocking_kinds', (file) => kindsOf(file, 'blocking')],
  ['manual_kinds', (file) => kindsOf(file, 'manual')],
  ['info_kinds', (file) => kindsOf(file, 'info')],
  ['first_thing', (file) => file.first],
  ['refusal', (file) => file.refusal?.code ?? ''],
  ['refusal_message', (file) => file.refusal?.message ?? ''],
  ['refusal_place', (file) => (file.refusal === null ? '' : placeOf(file.refusal.details))],
];
