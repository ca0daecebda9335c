import type { Item, Outputs } from '../../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../../handler.ts';
import { forEachItem, type HandleItem } from '../each-item.ts';
import { getPath, pathOf } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { outputsOf } from '../on-error.ts';
import { type Settings, settingsOfFirst } from '../step-settings.ts';
import { encodedText } from './encoded-text.ts';
import { fileOf } from './file-reference.ts';
import { writeDelimited, writeHtmlTable } from './rows.ts';

/** Why a format is not made or read here. */
export function unsupportedFormat(name: string): StepFailure {
  return new StepFailure(
    `Files of the format '${name}' are not supported here. Use CSV, JSON, text or HTML instead.`,
  );
}

interface Named {
  readonly settings: Settings;
  readonly standard: string;
  readonly mimeType: string;
}

/** One item with one file and no fields. */
function itemWith(
  bytes: Uint8Array,
  { settings, standard, mimeType }: Named,
): Omit<Item, 'pairedItem'> {
  const fileName = settings.text('options.fileName') || standard;
  const name = settings.text('binaryPropertyName', 'data') || 'data';
  return { json: {}, binary: { [name]: fileOf(bytes, { fileName, mimeType }) } };
}

/** A text in bytes, as the options of a step ask for it. */
export function bytesOfText(text: string, settings: Settings): Uint8Array {
  const mark = settings.isOn('options.addBOM') ? '\ufeff' : '';
  return encodedText(`${mark}${text}`, settings.text('options.encoding', 'utf8'));
}

/** All items in one file of rows. @throws StepFailure when the format is not supported */
export function fileOfRows(items: readonly Item[], settings: Settings, format: string) {
  const jsons = items.map(({ json }) => json);
  const hasHeader = settings.value('options.headerRow', true) === true;
  const encoder = new TextEncoder();
  switch (format) {
    case 'csv': {
      const delimiter = settings.text('options.delimiter', ',') || ',';
      const bytes = encoder.encode(writeDelimited(jsons, delimiter, hasHeader));
      return itemWith(bytes, { settings, standard: 'File.csv', mimeType: 'text/csv' });
    }
    case 'html': {
      const bytes = encoder.encode(writeHtmlTable(jsons, hasHeader));
      return itemWith(bytes, { settings, standard: 'File.html', mimeType: 'text/html' });
    }
    default:
      throw unsupportedFormat(format);
  }
}

const JSON_FILE = { standard: 'file.json', mimeType: 'application/json' };

function jsonFile(value: unknown, settings: Settings): Omit<Item, 'pairedItem'> {
  const text = JSON.stringify(value, null, settings.isOn('options.format') ? 2 : 0);
  return itemWith(bytesOfText(text, settings), { settings, ...JSON_FILE });
}

/** One file of all items: what it is made of is all of them. */
export async function inOneFile(
  call: HandlerCall,
  make: (items: readonly Item[], settings: Settings) => Omit<Item, 'pairedItem'>,
): Promise<Outputs> {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  const pairedItem = items.map((_, item) => ({ item }));
  return outputsOf(items, [[{ ...make(items, settings), pairedItem }]], call.node.onError);
}

function sourceOf(item: Item, settings: Settings): unknown {
  const name = settings.text('sourceProperty');
  const value = getPath(item.json, pathOf(name));
  if (value === undefined || value === null)
    throw new FieldFailure(`The value in '${name}' is not set`);
  return value;
}

const textFile: HandleItem = ({ item, at, settings }) => {
  const value = sourceOf(item, settings);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const bytes = bytesOfText(text, settings);
  const made = itemWith(bytes, { settings, standard: 'file.txt', mimeType: 'text/plain' });
  return [{ ...made, pairedItem: { item: at } }];
};

function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text.replace(/^data:[^,]*;base64,/, ''));
  } catch {
    throw new FieldFailure('The text is not in base64');
  }
}

const binaryFile: HandleItem = ({ item, at, settings }) => {
  const value = sourceOf(item, settings);
  const isBase64 = settings.value('options.dataIsBase64', true) === true;
  const bytes = isBase64 ? base64Bytes(String(value)) : bytesOfText(String(value), settings);
  const named = settings.text('options.mimeType');
  const fileName = settings.text('options.fileName') || 'file';
  const mimeType = named === '' ? undefined : named;
  const name = settings.text('binaryPropertyName', 'data') || 'data';
  const file = fileOf(bytes, { fileName, mimeType });
  return [{ json: {}, binary: { [name]: file }, pairedItem: { item: at } }];
};

const eachJson: HandleItem = ({ item, at, settings }) => [
  { ...jsonFile(item.json, settings), pairedItem: { item: at } },
];

/** Convert to File: rows, JSON, a text or bytes in base64. */
export const handleConvertToFile: Handler = (call) => {
  const operation = String(call.node.parameters['operation'] ?? 'csv');
  switch (operation) {
    case 'toText':
      return forEachItem(textFile)(call);
    case 'toBinary':
      return forEachItem(binaryFile)(call);
    case 'toJson':
      if (call.node.parameters['mode'] === 'each') return forEachItem(eachJson)(call);
      return inOneFile(call, (items, settings) =>
        jsonFile(
          items.map(({ json }) => json),
          settings,
        ),
      );
    default:
      return inOneFile(call, (items, settings) => fileOfRows(items, settings, operation));
  }
};
