import type { FlowStepSettings } from '../../contract/flow.ts';
import { difyType } from '../../items/dify-types.ts';
import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { objectsOf, parsedJson } from './values.ts';

// What an answer of a model is to the steps behind it: the fields that the node of Dify has.

const FENCE = '```';

/** The first object that a text holds as JSON, in a fence or among other words. */
function objectIn(text: string): JsonObject | undefined {
  const fenced = text.split(FENCE)[1]?.replace(/^json/, '');
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  const pieces = [text, fenced ?? '', from < 0 ? '' : text.slice(from, to + 1)];
  for (const piece of pieces) {
    const value = parsedJson(piece);
    if (isObject(value)) return value;
  }
  return undefined;
}

const EMPTY_VALUES: Readonly<Record<string, unknown>> = {
  string: '',
  select: '',
  number: 0,
  bool: false,
  boolean: false,
};

function emptyOf(type: unknown): unknown {
  const name = String(type);
  return name.startsWith('array') ? [] : (EMPTY_VALUES[name] ?? '');
}

function fits(value: unknown, type: string): boolean {
  if (type.startsWith('array')) return Array.isArray(value);
  if (type === 'number') return typeof value === 'number';
  return type.startsWith('bool') ? typeof value === 'boolean' : typeof value === 'string';
}

function converted(value: unknown, type: string): unknown {
  if (fits(value, type)) return value;
  if (type === 'number' && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
  }
  if (type.startsWith('bool') && (value === 0 || value === 1)) return value === 1;
  return undefined;
}

/** The parameters that a model found in a text. */
function extracted(parameters: JsonObject, text: string): JsonObject {
  const found = objectIn(text);
  const names = objectsOf(parameters['parameters']);
  const fields = names.flatMap(({ name, type }) => {
    const value = found?.[String(name)];
    const known = value === undefined ? undefined : converted(value, String(type));
    return [[String(name), known ?? emptyOf(type)] as const];
  });
  const isFound = found !== undefined;
  const reason = isFound ? null : 'The model answered with no JSON object.';
  return { ...Object.fromEntries(fields), __is_success: isFound ? 1 : 0, __reason: reason };
}

/** The class that a model named: its whole name, or the longest one that its answer holds. */
function classified(parameters: JsonObject, text: string): JsonObject {
  const classes = objectsOf(parameters['classes']);
  const answer = text.toLowerCase();
  const nameOf = (one: JsonObject): string => String(one['name'] ?? '');
  const named = classes
    .filter((one) => nameOf(one) !== '' && answer.includes(nameOf(one).toLowerCase()))
    .sort((one, other) => nameOf(other).length - nameOf(one).length);
  const chosen = named[0] ?? classes[0] ?? {};
  return { class_name: nameOf(chosen), class_id: String(chosen['id'] ?? ''), usage: {} };
}

function spoken(text: string): JsonObject {
  return { text, structured_output: objectIn(text) ?? {}, usage: {}, files: [], json: [] };
}

const READERS: ReadonlyMap<string, (parameters: JsonObject, text: string) => JsonObject> = new Map([
  [difyType('llm'), (_, text) => spoken(text)],
  [difyType('agent'), (_, text) => spoken(text)],
  [difyType('question-classifier'), classified],
  [difyType('parameter-extractor'), extracted],
]);

/** The values that a node gives in place of what it failed to give. */
export function defaultValues({ default_value }: JsonObject): JsonObject {
  const list = objectsOf(default_value);
  return Object.fromEntries(list.map(({ key, value }) => [String(key), value]));
}

/** The fields of an item that a step gave, as the source has them. */
export function fieldsOfText({ type, parameters }: FlowStepSettings, json: JsonObject): JsonObject {
  const read = READERS.get(type);
  if (read === undefined) return json;
  const { output } = json;
  return typeof output === 'string'
    ? read(parameters, output)
    : { ...defaultValues(parameters), ...json };
}
