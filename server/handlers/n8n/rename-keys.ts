import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { contextOf, type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { copyOf, fieldOf, removeField, setField } from './field-path.ts';
import { settingsByItem } from './step-settings.ts';

/** A pattern of the author runs where code runs: it may never end. */
const RENAME = `const { keys, search, flags, text } = items[0].json;
const pattern = new RegExp(search, flags);
return { names: keys.map((key) => (key.match(pattern) ? key.replace(pattern, text) : key)) };`;

interface Pattern {
  readonly search: string;
  readonly text: string;
  readonly flags: string;
  /** Levels of objects below the first; below zero for all of them. */
  readonly depth: number;
}

function patternOf(replacement: JsonObject): Pattern {
  const options = isObject(replacement['options']) ? replacement['options'] : {};
  return {
    search: String(replacement['searchRegex'] ?? ''),
    text: String(replacement['replaceRegex'] ?? ''),
    flags: options['caseInsensitive'] === true ? 'i' : '',
    depth: Number(options['depth'] ?? -1),
  };
}

function keysIn(value: unknown, keys: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inside] of Object.entries(value)) {
    if (!Array.isArray(value)) keys.add(key);
    keysIn(inside, keys);
  }
}

async function newNames(
  call: HandlerCall,
  jsons: readonly JsonObject[],
  { search, text, flags }: Pattern,
): Promise<ReadonlyMap<string, string>> {
  const found = new Set<string>();
  keysIn(jsons, found);
  const keys = [...found];
  const context = contextOf(call, [{ json: { keys, search, text, flags } }]);
  const code = { source: RENAME, mode: 'all', goesOn: false } as const;
  const { answers } = await call.evaluator.runCode(context, code);
  const [answer] = answers;
  if (answer?.kind !== 'value') throw new StepFailure(answer?.message ?? 'Unknown error');
  const names: unknown = (answer.value as { names?: unknown } | null)?.names;
  return new Map(keys.map((key, at) => [key, String(Array.isArray(names) ? names[at] : key)]));
}

/** Renames in place, the inside of a value before its own key. */
function renameInside(value: unknown, names: ReadonlyMap<string, string>, depth: number): void {
  if (Array.isArray(value)) {
    if (depth !== 0) for (const one of value) renameInside(one, names, depth - 1);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (depth !== 0) renameInside(value[key], names, depth - 1);
    const name = names.get(key) ?? key;
    if (name === key) continue;
    setField(value, name, value[key], true);
    delete value[key];
  }
}

/** Renames in place, one after another: a later pair sees what an earlier one made. */
function renameFields(json: JsonObject, pairs: readonly JsonObject[]): void {
  for (const { currentKey, newKey } of pairs) {
    const from = String(currentKey ?? '');
    const to = String(newKey ?? '');
    if (from === '' || to === '' || from === to) continue;
    const value = fieldOf(json, from, true);
    if (value === undefined) continue;
    setField(json, to, value, true);
    removeField(json, from, true);
  }
}

/** Rename Keys: by names, then by patterns. */
export const handleRenameKeys: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsByItem(call, items);
  const jsons = items.map(({ json }, at) => {
    const own = copyOf(json);
    renameFields(own, settings[at]?.list('keys.key') ?? []);
    return own;
  });
  const replacements = settings[0]?.list('additionalOptions.regexReplacement.replacements') ?? [];
  for (const pattern of replacements.map(patternOf)) {
    const names = await newNames(call, jsons, pattern);
    for (const json of jsons) renameInside(json, names, pattern.depth);
  }
  return [items.map((item, at): Item => ({ ...item, json: jsons[at] ?? item.json }))];
};
