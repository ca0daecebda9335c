import stringWidth from 'string-width';
import { harmless, paint, printLine, shortText } from './output.ts';

/** One column: its heading and what it shows of a row. */
export interface Column<R> {
  readonly head: string;
  show(row: R): unknown;
}

const MAX_CELL = 60;
const BETWEEN = '  ';

function cell(value: unknown): string {
  const text = harmless(shortText(value).replaceAll(/\s+/g, ' '));
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

/** Prints rows as aligned columns without lines around them, which other programs can split. */
export function printTable<R>(rows: readonly R[], columns: readonly Column<R>[]): void {
  const lines = [
    columns.map(({ head }) => paint('bold', head)),
    ...rows.map((row) => columns.map(({ show }) => cell(show(row)))),
  ];
  const widths = columns.map((_, at) =>
    lines.reduce((most, line) => Math.max(most, stringWidth(line[at] ?? '')), 0),
  );
  for (const line of lines) {
    const padded = line.map((text, at) => text + ' '.repeat((widths[at] ?? 0) - stringWidth(text)));
    printLine(padded.join(BETWEEN).trimEnd());
  }
}
