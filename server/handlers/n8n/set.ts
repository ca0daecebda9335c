import { splitTemplate } from '../../expressions/compile/split-template.ts';
import { jsonOf } from '../../expressions/port/values.ts';
import type { Item, JsonObject } from '../../items/item.ts';
import { type Handler, itemsOf } from '../handler.ts';
import { copyOf, getPath, pathOf, removePath, setPath } from './field-path.ts';
import { evaluateFields, FieldFailure, type ItemFields } from './fields.ts';
import { NoJson, parseLoosely } from './loose-json.ts';
import { type ItemOutcome, outputsOf } from './on-error.ts';
import { readSetSettings, type SetSettings } from './set-settings.ts';
import { typedValue } from './typed-value.ts';

const RAW = "The 'JSON Output' in item";

/** The raw text is resolved expression by expression: what is set into it is JSON again. */
function rawExpressions(raw: unknown): readonly string[] {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
  return splitTemplate(raw.slice(1)).flatMap((part) =>
    'code' in part ? [`={{${part.code}}}`] : [],
  );
}

function rawText(raw: string, fields: ItemFields): string {
  return splitTemplate(raw.slice(1))
    .map((part) => {
      if ('text' in part) return part.text;
      const value = fields.json(`={{${part.code}}}`);
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
    })
    .join('');
}

function rawValue(raw: unknown, fields: ItemFields): unknown {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
  const parts = splitTemplate(raw.slice(1));
  const isOne = parts.length === 1 && parts.every((part) => 'code' in part);
  return isOne ? fields.json(rawExpressions(raw)[0]) : rawText(raw, fields);
}

function rawObject(raw: unknown, fields: ItemFields, item: number): JsonObject {
  let value = rawValue(raw, fields);
  if (value === null || value === undefined)
    throw new FieldFailure('Cannot convert undefined or null to object');
  if (typeof value === 'string') {
    try {
      value = parseLoosely(value);
    } catch (error) {
      if (error instanceof NoJson) throw new FieldFailure(`${RAW} ${item} contains invalid JSON`);
      throw error;
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldFailure(`${RAW} ${item} does not contain a valid JSON object`);
  return value as JsonObject;
}

function namesIn(list: unknown): string[] {
  return String(list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** What the new item has before any field is set. */
function startOf(settings: SetSettings, { json }: Item, fields: ItemFields): JsonObject {
  const pathsOf = (list: unknown): (readonly string[])[] =>
    namesIn(list).map((name) => (settings.dotNotation ? pathOf(name) : [name]));
  switch (settings.include) {
    case 'none':
      return {};
    case 'all':
      return copyOf(json);
    case 'except': {
      const kept = copyOf(json);
      for (const path of pathsOf(fields.json(settings.excepted))) removePath(kept, path);
      return kept;
    }
    case 'selected': {
      const kept: JsonObject = {};
      for (const path of pathsOf(fields.json(settings.selected))) {
        const value = getPath(json, path);
        if (value !== undefined) setPath(kept, path.slice(-1), copyOf(value));
      }
      return kept;
    }
  }
}

function setFields(
  settings: SetSettings,
  target: JsonObject,
  fields: ItemFields,
  item: number,
): void {
  for (const field of settings.fields) {
    const name = String(fields.json(field.name) ?? '');
    const value = fields.value(field.value);
    if (value.kind === 'failed') throw new FieldFailure(value.message);
    const json =
      field.type === null
        ? jsonOf(value)
        : typedValue(name, field.type, value, item, settings.ignoresConversionErrors);
    if (json === undefined) continue;
    setPath(target, settings.dotNotation ? pathOf(name) : [name], copyOf(json));
  }
}

function itemFrom(settings: SetSettings, item: Item, fields: ItemFields, at: number): Item[] {
  const json = startOf(settings, item, fields);
  if (settings.mode === 'raw') Object.assign(json, rawObject(settings.raw, fields, at));
  else setFields(settings, json, fields, at);
  const made: Item = {
    json,
    ...(settings.keepsBinary && item.binary !== undefined ? { binary: item.binary } : {}),
    pairedItem: { item: at },
  };
  const copies = Math.max(0, Math.floor(Number(fields.json(settings.copies)) || 0));
  return Array.from({ length: 1 + copies }, () => made);
}

/** Set and Edit Fields, all versions, by fields or as JSON. */
export const handleSet: Handler = async (call) => {
  const settings = readSetSettings(call.node);
  const items = itemsOf(call);
  const fields = await evaluateFields(call, items, [
    ...(settings.mode === 'raw'
      ? rawExpressions(settings.raw)
      : settings.fields.flatMap(({ name, value }) => [name, value])),
    ...[settings.selected, settings.excepted, settings.copies],
  ]);
  const outcomes = items.map((item, at): ItemOutcome => {
    const own = fields[at];
    try {
      return own === undefined ? [] : itemFrom(settings, item, own, at);
    } catch (error) {
      if (error instanceof FieldFailure) return { failed: error.message };
      throw error;
    }
  });
  return outputsOf(items, outcomes, call.node.onError);
};
