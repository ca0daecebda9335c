import type { BinaryReference, Item, JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { copyOf, getPath, pathOf, removePath, setPath } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { bytesOfText } from './convert-to-file.ts';
import { bytesOf, fileOf, textOf } from './file-reference.ts';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new FieldFailure('The content of the file is not valid JSON');
  }
}

function contentOf({ settings }: OneItem, bytes: Uint8Array): unknown {
  if (settings.isOn('options.keepAsBase64')) return bytes.toBase64();
  const keepsMark = settings.value('options.stripBOM', true) !== true;
  const text = textOf(bytes, settings.text('options.encoding', 'utf-8') || 'utf-8', keepsMark);
  return settings.isOn('options.jsonParse') ? parsed(text) : text;
}

function withoutFile(item: Item, name: string): Pick<Item, 'binary'> {
  const { [name]: _, ...rest } = item.binary ?? {};
  return Object.keys(rest).length === 0 ? {} : { binary: rest };
}

function toJson(one: OneItem): Item[] {
  const { item, at, settings } = one;
  const name = settings.text('sourceKey', 'data');
  const file: BinaryReference | undefined = item.binary?.[name];
  if (file === undefined) return [];
  const bytes = bytesOf(file);
  let json: JsonObject = {};
  if (settings.value('setAllData', true) === true) {
    const all = parsed(textOf(bytes, settings.text('options.encoding', 'utf-8') || 'utf-8'));
    // The source puts a list into the item as it is.
    json = all as JsonObject;
  } else {
    json = copyOf(item.json);
    setPath(json, pathOf(settings.text('destinationKey', 'data')), contentOf(one, bytes));
  }
  const kept = settings.isOn('options.keepSource')
    ? { binary: item.binary ?? {} }
    : withoutFile(item, name);
  return [{ json, ...kept, pairedItem: { item: at } }];
}

function bytesFrom({ call, settings }: OneItem, value: unknown): Uint8Array {
  const { version } = call.node;
  const option = version < 1.1 ? 'options.useRawData' : 'options.dataIsBase64';
  const isBase64 =
    version >= 1.1 && settings.value(option, true) === true && typeof value === 'string';
  if (isBase64) {
    try {
      return Uint8Array.fromBase64(value);
    } catch {
      throw new FieldFailure('The text is not in base64');
    }
  }
  const isRaw = settings.isOn(option) && typeof value === 'string';
  return bytesOfText(isRaw ? value : JSON.stringify(value), settings);
}

function toFile(one: OneItem): Item[] {
  const { item, at, settings } = one;
  const isAll = settings.value('convertAllData', true) === true;
  const path = pathOf(settings.text('sourceKey', 'data'));
  const value = isAll ? item.json : getPath(item.json, path);
  if (value === undefined) return [];
  const mimeType = settings.text('options.mimeType', 'application/json') || 'application/json';
  const bytes = isAll ? bytesOfText(JSON.stringify(value), settings) : bytesFrom(one, value);
  const file = fileOf(bytes, { fileName: settings.text('options.fileName'), mimeType });
  let json: JsonObject = {};
  if (settings.isOn('options.keepSource')) json = item.json;
  else if (!isAll) {
    json = copyOf(item.json);
    removePath(json, path);
  }
  const name = settings.text('destinationKey', 'data');
  return [{ json, binary: { ...item.binary, [name]: file }, pairedItem: { item: at } }];
}

/** Move Binary Data, the older way between files and fields. */
export const handleMoveBinaryData = forEachItem((one) => {
  const isToFile = one.settings.text('mode', 'binaryToJson') === 'jsonToBinary';
  if (!isObject(one.item.json)) throw new FieldFailure('The item has no fields');
  return isToFile ? toFile(one) : toJson(one);
});
