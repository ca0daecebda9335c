import { stringify } from 'csv-stringify/sync';
import type { LedgerEntry } from '../../importers/ledger/ledger.ts';
import { printDocument } from '../output.ts';
import { writeNewFile } from '../write-file.ts';

const COLUMNS = [
  ...['locator', 'what', 'element', 'label', 'fate', 'draft', 'form', 'gaps', 'reason', 'leaves'],
];
function table(ledger: readonly LedgerEntry[]): string {
  const rows = ledger.map((entry) => [
    ...[entry.locator, entry.what, entry.element, entry.label, entry.fate],
    ...[entry.draft, entry.form, entry.gaps.join(' '), entry.reason, entry.leaves],
  ]);
  // A cell that begins like a formula must not become one in a spreadsheet.
  return stringify([COLUMNS, ...rows], { escape_formulas: true });
}

/**
 * Writes what became of every part of a source: to a new file, a table when it is called `.csv`, or
 * to standard output (`-`).
 */
export function writeLedger(target: string, ledger: readonly LedgerEntry[]): void {
  const isTable = /\.csv$/i.test(target);
  const text = isTable ? table(ledger) : `${JSON.stringify(ledger, null, 2)}\n`;
  if (target === '-') printDocument(text);
  else writeNewFile(target, text);
}
