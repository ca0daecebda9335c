import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { StepFailure } from '../handler.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { objectsOf, parsedJson, textOfValue } from './values.ts';

/** Members of a run's input that are about the run, beside the fields that the app asks for. */
const SYSTEM: readonly string[] = ['query', 'files', 'conversation_id', 'user', 'user_id'];
const TEXTS: ReadonlySet<string> = new Set(['text-input', 'paragraph', 'select', 'string']);

function nameOf({ variable }: JsonObject): string {
  return String(variable ?? '');
}

function asNumber(value: unknown, name: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new StepFailure(`${name} in input form must be a valid number`);
}

function optionsOf({ options }: JsonObject): string[] {
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  return list.map((one) => textOfValue(isObject(one) ? one['value'] : one));
}

function checkText(text: string, asked: JsonObject, name: string): string {
  const { max_length: most, type } = asked;
  if (typeof most === 'number' && most > 0 && text.length > most && type !== 'select')
    throw new StepFailure(`${name} in input form must be less than ${most} characters`);
  const options = type === 'select' ? optionsOf(asked) : [];
  if (text !== '' && options.length > 0 && !options.includes(text))
    throw new StepFailure(`${name} in input form must be one of: ${options.join(', ')}`);
  return text;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

type Read = (value: unknown, asked: JsonObject) => unknown;

const asText: Read = (value, asked) => checkText(textOfValue(value), asked, nameOf(asked));
const asData: Read = (value) => (typeof value === 'string' ? parsedJson(value) : value);

const READERS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries([...TEXTS].map((type) => [type, asText])),
  number: (value, asked) => asNumber(value, nameOf(asked)),
  checkbox: (value) => value === true || value === 'true',
  json: asData,
  json_object: asData,
  'file-list': (value) => (Array.isArray(value) ? value : [value]),
};

/** What a field is that nobody filled. */
function emptyOf(type: string): unknown {
  if (type === 'checkbox') return false;
  if (TEXTS.has(type)) return '';
  return type.endsWith('list') ? [] : null;
}

/** A field of the form as the app takes it. @throws StepFailure when it is missing or wrong */
function fieldOf(asked: JsonObject, given: unknown): unknown {
  const value = isGiven(given) ? given : asked['default'];
  const type = String(asked['type'] ?? 'text-input');
  if (isGiven(value)) return READERS[type]?.(value, asked) ?? value;
  if (asked['required'] === true)
    throw new StepFailure(`${nameOf(asked)} is required in input form`);
  return emptyOf(type);
}

interface Told {
  readonly inputs: JsonObject;
  readonly system: JsonObject;
}

/** A text is the question of a chat, and the one text that a workflow asks for. */
function saidInputs(said: string, asked: readonly JsonObject[], isChat: boolean): JsonObject {
  if (isChat) return {};
  const texts = asked.filter(({ type }) => TEXTS.has(String(type)));
  const [first] = texts.filter(({ required }) => required === true).concat(texts);
  return first === undefined ? {} : { [nameOf(first)]: said };
}

function toldOf({ inputs: [items], dify }: DifyCall, asked: readonly JsonObject[]): Told {
  const given = items?.[0]?.json ?? {};
  const said = given['chatInput'];
  const isAsked = (name: string): boolean => asked.some((one) => nameOf(one) === name);
  if (typeof said === 'string' && !isAsked('chatInput')) {
    const { chatInput: _, ...rest } = given;
    const inputs = { ...saidInputs(said, asked, dify.flow.mode !== 'workflow'), ...rest };
    return { inputs, system: { query: said } };
  }
  const own = isObject(given['inputs']) && !isAsked('inputs') ? given['inputs'] : undefined;
  const named = SYSTEM.filter(
    (name) => given[name] !== undefined && !(own === undefined && isAsked(name)),
  );
  const system = Object.fromEntries(named.map((name) => [name, given[name]]));
  return { inputs: own ?? given, system };
}

function systemFields(
  call: DifyCall,
  { query, files, conversation_id, user, user_id }: JsonObject,
) {
  const { dify, step } = call;
  const isChat = dify.flow.mode !== 'workflow';
  const fields = {
    files: files ?? [],
    user_id: user_id ?? user ?? 'specwright',
    app_id: '',
    workflow_id: '',
    workflow_run_id: step.facts.execution.id,
    timestamp: Math.floor(step.facts.now / 1000),
    ...(isChat
      ? { query: query ?? '', conversation_id: conversation_id ?? '', dialogue_count: 1 }
      : {}),
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`sys.${name}`, value]));
}

/** The fields of the form: of a graph's start, or of an app without a graph, by their kinds. */
function formOf({ variables, user_input_form }: JsonObject): JsonObject[] {
  const listed = objectsOf(user_input_form).flatMap((one) =>
    Object.entries(one).flatMap(([type, field]) => (isObject(field) ? [{ ...field, type }] : [])),
  );
  return [...objectsOf(variables), ...listed];
}

/** Start: what the run was given, as the app's form asks for it, and what is known of the run. */
export const handleStart: DifyHandler = (call) => {
  const asked = formOf(call.data);
  const { inputs, system } = toldOf(call, asked);
  const fields = asked.map((one) => [nameOf(one), fieldOf(one, inputs[nameOf(one)])] as const);
  return gives({ ...Object.fromEntries(fields), ...systemFields(call, system) });
};

/** A trigger: the run's input is what came. */
export const handleTrigger: DifyHandler = (call) => {
  const given = call.inputs[0]?.[0]?.json ?? {};
  return gives({ ...given, ...systemFields(call, {}) });
};
