import { stringify } from 'csv-stringify/sync';
import {
  type FileReport,
  summarizeImports,
  summarySentences,
} from '../../gaps/report/import-report.ts';
import { placeOf, REPORT_COLUMNS } from '../../gaps/report/report-columns.ts';
import { reportHtml } from '../../gaps/report/report-html.ts';
import { paint, printLine } from '../output.ts';
import { printTable } from '../table.ts';

/** What `import --format` can be. */
export const REPORT_FORMATS = ['json', 'csv', 'html'] as const;
/** A form of the report. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The report as text; the same files give the same bytes. */
export function reportText(files: readonly FileReport[], format: ReportFormat): string {
  if (format === 'html') return reportHtml(files);
  if (format === 'json') {
    return `${JSON.stringify({ summary: summarizeImports(files), files }, null, 2)}\n`;
  }
  const rows = files.map((file) => REPORT_COLUMNS.map(([, value]) => value(file)));
  // A cell that begins like a formula must not become one in a spreadsheet.
  return stringify([REPORT_COLUMNS.map(([head]) => head), ...rows], { escape_formulas: true });
}

function outcomeOf(file: FileReport): string {
  if (file.refusal === null) return file.first;
  const place = placeOf(file.refusal.details);
  return `refused: ${file.refusal.message}${place === '' ? '' : ` (${place})`}`;
}

/** The report for a reader at a terminal: the table, and below it what it comes to. */
export function printReport(files: readonly FileReport[]): void {
  printTable(files, [
    { head: 'file', show: (file) => file.path },
    { head: 'family', show: (file) => file.family ?? '–' },
    { head: 'steps', show: (file) => String(file.nodes) },
    { head: 'blocking', show: (file) => String(file.blocking) },
    { head: 'manual', show: (file) => String(file.manual) },
    { head: 'first thing to do', show: outcomeOf },
  ]);
  const [lead = '', ...more] = summarySentences(summarizeImports(files));
  printLine(`\n${paint('bold', lead)}`);
  for (const sentence of more) printLine(sentence);
}
