import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import type { HandlerNode } from '../../handler.ts';
import { pathOf, setPath } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { listIn, objectIn } from '../settings.ts';
import type { Settings } from '../step-settings.ts';
import type { ListStyle } from './query-text.ts';

/** A field of a form: its value, or the name of a file of the item. */
export type FormField =
  | { readonly name: string; readonly value: unknown }
  | { readonly name: string; readonly file: string; readonly fileName?: string };

/** What a request carries. */
export type BodySettings =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly values: JsonObject }
  | { readonly kind: 'multipart'; readonly fields: readonly FormField[] }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'file'; readonly file: string };

export type ResponseFormat = 'autodetect' | 'json' | 'text' | 'file';

/** The settings of one request, the same for all versions of the step. */
export interface HttpSettings {
  readonly method: string;
  readonly url: string;
  readonly query: JsonObject;
  readonly listStyle: ListStyle;
  readonly headers: JsonObject;
  readonly body: BodySettings | undefined;
  readonly format: ResponseFormat;
  /** The field of the item that holds a text or a file. */
  readonly property: string;
  readonly fullResponse: boolean;
  readonly neverError: boolean;
  /** A list becomes items, one for each member. */
  readonly splitsLists: boolean;
  /** A text is given as it came, also where it is JSON. */
  readonly keepsText: boolean;
  readonly maxRedirects: number;
  readonly timeoutMs: number;
  readonly proxy: string;
  readonly anyCertificate: boolean;
}

export const DEFAULT_TIMEOUT_MS = 300_000;
const MOST_REDIRECTS = 21;

/** JSON of a setting; an object that an expression gave is JSON already where `objects` are taken. */
export function jsonSetting(value: unknown, label: string, takesObjects: boolean): unknown {
  if (takesObjects && typeof value === 'object' && value !== null) return value;
  try {
    return JSON.parse(String(value)) as unknown;
  } catch {
    throw new FieldFailure(`The value in the "${label}" field is not valid JSON`);
  }
}

/** As jsonSetting, for an object. @throws FieldFailure */
function jsonObject(value: unknown, label: string): JsonObject {
  const found = jsonSetting(value, label, false);
  if (isObject(found)) return found;
  throw new FieldFailure(`The value in the "${label}" field is not a JSON object`);
}

/** Pairs as an object: the last one of a name wins. */
export function flatPairs(pairs: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(pairs.map(({ name, value }) => [String(name ?? ''), value]));
}

function nestedPairs(pairs: readonly JsonObject[]): JsonObject {
  const target: JsonObject = {};
  for (const { name, value } of pairs) setPath(target, pathOf(String(name ?? '')), value);
  return target;
}

function formValues(pairs: readonly JsonObject[]): JsonObject {
  const byName = Map.groupBy(pairs, ({ name }) => String(name ?? ''));
  return Object.fromEntries(
    [...byName].map(([name, [first, ...more]]) => [
      name,
      more.length === 0 ? first?.['value'] : [first, ...more].map((pair) => pair?.['value']),
    ]),
  );
}

/** The fields of a form with files, as its pairs say it. */
export function formFields(pairs: readonly JsonObject[]): FormField[] {
  return pairs.map(({ name: given, value, parameterType, inputDataFieldName }) => {
    const name = String(given ?? '');
    return parameterType === 'formBinaryData'
      ? { name, file: String(inputDataFieldName ?? '') }
      : { name, value };
  });
}

function jsonBody(node: HandlerNode, parameters: Settings, pairs: readonly JsonObject[]) {
  if (parameters.text('specifyBody', 'keypair') !== 'json')
    return node.version >= 4 ? nestedPairs(pairs) : flatPairs(pairs);
  const value = parameters.value('jsonBody');
  return value === undefined ? {} : jsonSetting(value, 'JSON Body', true);
}

function bodyOf(node: HandlerNode, parameters: Settings): BodySettings | undefined {
  if (parameters.value('sendBody') !== true) return undefined;
  const pairs = listIn(parameters.object('bodyParameters'), 'parameters');
  switch (parameters.text('contentType', 'json')) {
    case 'form-urlencoded': {
      const type = 'application/x-www-form-urlencoded';
      if (parameters.text('specifyBody', 'keypair') === 'string')
        return { kind: 'text', text: parameters.text('body'), type };
      return { kind: 'form', values: formValues(pairs) };
    }
    case 'multipart-form-data':
      return { kind: 'multipart', fields: formFields(pairs) };
    case 'binaryData':
      return { kind: 'file', file: parameters.text('inputDataFieldName', 'data') };
    case 'raw':
      return {
        kind: 'text',
        text: parameters.text('body'),
        type: parameters.text('rawContentType'),
      };
    default:
      return { kind: 'json', value: jsonBody(node, parameters, pairs) };
  }
}

function headersOf(parameters: Settings): JsonObject {
  if (parameters.value('sendHeaders') !== true) return {};
  if (parameters.text('specifyHeaders', 'keypair') === 'json')
    return jsonObject(parameters.text('jsonHeaders', '{}'), 'JSON Headers');
  return flatPairs(listIn(parameters.object('headerParameters'), 'parameters'));
}

function queryOf(parameters: Settings): JsonObject {
  if (parameters.value('sendQuery') !== true) return {};
  if (parameters.text('specifyQuery', 'keypair') === 'json')
    return jsonObject(parameters.text('jsonQuery', '{}'), 'JSON Query Parameters');
  return flatPairs(listIn(parameters.object('queryParameters'), 'parameters'));
}

const LIST_STYLES: readonly unknown[] = ['indices', 'brackets', 'repeat'] satisfies ListStyle[];
const FORMATS: readonly unknown[] = [
  'autodetect',
  'json',
  'text',
  'file',
] satisfies ResponseFormat[];

/** The style that an option names, or that without one. */
export function listStyleOf(named: unknown): ListStyle {
  return LIST_STYLES.includes(named) ? (named as ListStyle) : 'indices';
}

/** The format that a setting names. */
export function formatOf(named: unknown, standard: ResponseFormat): ResponseFormat {
  if (named === 'string') return 'text';
  return FORMATS.includes(named) ? (named as ResponseFormat) : standard;
}

function redirectsOf({ version }: HandlerNode, options: JsonObject): number {
  const redirect = objectIn(objectIn(options, 'redirect'), 'redirect');
  const isFollowed = redirect['followRedirects'] ?? (version >= 4 || undefined);
  if (isFollowed !== true) return 0;
  return Math.max(0, Number(redirect['maxRedirects'] ?? MOST_REDIRECTS)) || 0;
}

/** Reads the settings of versions 3 and 4 for one item. @throws FieldFailure */
export function readHttpSettings(node: HandlerNode, parameters: Settings): HttpSettings {
  const options = parameters.object('options');
  const response = objectIn(objectIn(options, 'response'), 'response');
  return {
    method: parameters.text('method', 'GET').toUpperCase(),
    url: parameters.text('url').trim(),
    query: queryOf(parameters),
    listStyle: listStyleOf(options['queryParameterArrays']),
    headers: headersOf(parameters),
    body: bodyOf(node, parameters),
    format: formatOf(response['responseFormat'], 'autodetect'),
    property: String(response['outputPropertyName'] ?? 'data') || 'data',
    fullResponse: response['fullResponse'] === true,
    neverError: response['neverError'] === true,
    splitsLists: true,
    keepsText: true,
    maxRedirects: redirectsOf(node, options),
    timeoutMs: Number(options['timeout']) || DEFAULT_TIMEOUT_MS,
    proxy: String(options['proxy'] ?? ''),
    anyCertificate: options['allowUnauthorizedCerts'] === true,
  };
}
