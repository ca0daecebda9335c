import Table from 'cli-table3';
import { harmless, paint, printLine, shortText } from './output.ts';

/** One column: its heading and what it shows of a row. */
export interface Column<R> {
  readonly head: string;
  show(row: R): unknown;
}

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left']
    .concat(['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((part) => [part, '']),
);
const MAX_CELL = 60;

function cell(value: unknown): string {
  const text = harmless(shortText(value).replaceAll(/\s+/g, ' '));
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

/** Prints rows as aligned columns without lines around them, which other programs can split. */
export function printTable<R>(rows: readonly R[], columns: readonly Column<R>[]): void {
  const table = new Table({
    head: columns.map(({ head }) => paint('bold', head)),
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(columns.map(({ show }) => cell(show(row))));
  for (const line of table.toString().split('\n')) printLine(line.trimEnd());
}
