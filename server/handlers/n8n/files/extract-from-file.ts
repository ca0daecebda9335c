import type { Item, JsonObject } from '../../../items/item.ts';
import type { Handler } from '../../handler.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { copyOf, pathOf, setPath } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import type { Settings } from '../step-settings.ts';
import { unsupportedFormat } from './convert-to-file.ts';
import { bytesOf, fileNamed, textOf } from './file-reference.ts';
import { type ReadRows, readDelimited, readHtmlTable } from './rows.ts';

/** The file of the settings as text. @throws FieldFailure when there is none */
function textIn({ item, settings }: OneItem, keepsMark: boolean): string {
  const file = fileNamed(item, settings.text('binaryPropertyName', 'data') || 'data');
  return textOf(bytesOf(file), settings.text('options.encoding', 'utf-8') || 'utf-8', keepsMark);
}

/** How the settings want rows to be read. */
export function readingOf(settings: Settings): ReadRows {
  return {
    delimiter: settings.text('options.delimiter', ',') || ',',
    hasHeader: settings.value('options.headerRow', true) === true,
    keepsEmpty: settings.isOn('options.includeEmptyCells'),
    leavesMark: !settings.isOn('options.enableBOM'),
    fromLine: Number(settings.value('options.fromLine', 1)) || 1,
    most: Number(settings.value('options.maxRowCount', 0)) || 0,
    relaxesQuotes: settings.isOn('options.relaxQuotes'),
    skipsBroken: settings.value('options.skipRecordsWithErrors') !== undefined,
  };
}

/** The rows of a file as fields. @throws StepFailure when the format is not supported */
export function rowsOf(one: OneItem, format: string): JsonObject[] {
  const how = readingOf(one.settings);
  if (format === 'csv') return readDelimited(textIn(one, true), how);
  if (format === 'html') return readHtmlTable(textIn(one, false), how);
  throw unsupportedFormat(format);
}

function jsonOfFile(one: OneItem): unknown {
  const text = textIn(one, false);
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new FieldFailure('The file content is not valid JSON');
  }
}

function base64Of({ item, settings }: OneItem): string {
  return bytesOf(fileNamed(item, settings.text('binaryPropertyName', 'data') || 'data')).toBase64();
}

const VALUES: Readonly<Record<string, (one: OneItem) => unknown>> = {
  fromJson: jsonOfFile,
  text: (one) => textIn(one, one.settings.value('options.stripBOM', true) !== true),
  xml: (one) => textIn(one, one.settings.value('options.stripBOM', true) !== true),
  binaryToPropery: base64Of,
};

/** The item with what was in its file, and what of it the settings keep. */
function itemWith(one: OneItem, value: unknown): Item {
  const { item, at, settings } = one;
  const kept = settings.text('options.keepSource');
  const json = kept === 'json' || kept === 'both' ? copyOf(item.json) : {};
  setPath(json, pathOf(settings.text('destinationKey', 'data') || 'data'), value);
  const keepsBinary = (kept === 'binary' || kept === 'both') && item.binary !== undefined;
  return { json, ...(keepsBinary ? { binary: item.binary } : {}), pairedItem: { item: at } };
}

/** A handler that gives an item for each row of a file. */
export function forEachRow(formatOf: (one: OneItem) => string): Handler {
  return forEachItem((one) =>
    rowsOf(one, formatOf(one)).map((json): Item => ({ json, pairedItem: { item: one.at } })),
  );
}

/** Extract from File: rows, JSON, text, a calendar or bytes in base64. */
export const handleExtractFromFile: Handler = (call) => {
  const operation = String(call.node.parameters['operation'] ?? 'csv');
  const read = VALUES[operation];
  if (read === undefined) return forEachRow(() => operation)(call);
  return forEachItem((one) => [itemWith(one, read(one))])(call);
};
