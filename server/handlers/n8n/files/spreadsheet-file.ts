import type { Handler } from '../../handler.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { fileOfRows, inOneFile } from './convert-to-file.ts';
import { forEachRow, rowsOf } from './extract-from-file.ts';
import { fileNamed } from './file-reference.ts';
import { typedCell } from './rows.ts';

/** The format that the settings name, or that of the file. */
function formatOf({ item, settings }: OneItem): string {
  const named = settings.text('fileFormat', 'autodetect') || 'autodetect';
  if (named !== 'autodetect') return named;
  const file = fileNamed(item, settings.text('binaryPropertyName', 'data') || 'data');
  if (/csv|text\/plain/.test(file.mimeType)) return 'csv';
  return /html/.test(file.mimeType) ? 'html' : (file.fileExtension ?? file.mimeType);
}

/** In version 1 numbers of a text with delimiters are numbers. */
const readTyped = forEachItem((one) =>
  rowsOf(one, formatOf(one)).map((row) => {
    const cells = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? typedCell(value) : value,
    ]);
    return { json: Object.fromEntries(cells), pairedItem: { item: one.at } };
  }),
);

/** Spreadsheet File for texts: CSV and HTML in and out. */
export const handleSpreadsheetFile: Handler = (call) => {
  const { parameters, version } = call.node;
  if (parameters['operation'] === 'toFile') {
    const format = String(parameters['fileFormat'] ?? 'xls');
    return inOneFile(call, (items, settings) => fileOfRows(items, settings, format));
  }
  return version < 2 ? readTyped(call) : forEachRow(formatOf)(call);
};
