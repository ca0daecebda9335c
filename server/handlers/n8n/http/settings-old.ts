import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { listIn } from '../settings.ts';
import type { Settings } from '../step-settings.ts';
import {
  type BodySettings,
  DEFAULT_TIMEOUT_MS,
  flatPairs,
  formatOf,
  formFields,
  type HttpSettings,
  jsonSetting,
} from './settings.ts';

const MOST_REDIRECTS = 21;

type Part = 'body' | 'header' | 'query';

/** A part of the request, from JSON or from pairs; an object is what its members say. */
function partOf(parameters: Settings, part: Part): unknown {
  if (parameters.value('jsonParameters') !== true)
    return flatPairs(listIn(parameters.object(`${part}ParametersUi`), 'parameter'));
  const value = parameters.value(`${part}ParametersJson`);
  if (value === undefined || value === '') return {};
  return jsonSetting(value, `${part} parameters`, true);
}

function objectPart(parameters: Settings, part: Part): JsonObject {
  const found = partOf(parameters, part);
  return isObject(found) ? found : {};
}

function jsonOrText(parameters: Settings, type: string): string {
  const raw = parameters.value('bodyParametersJson');
  if (parameters.value('jsonParameters') !== true || typeof raw !== 'string')
    return JSON.stringify(partOf(parameters, 'body'));
  return type === 'json' ? JSON.stringify(partOf(parameters, 'body')) : raw;
}

function bodyOf(parameters: Settings, options: JsonObject): BodySettings | undefined {
  const type = String(options['bodyContentType'] ?? 'json');
  if (parameters.value('sendBinaryData') === true) {
    const file = parameters.text('binaryPropertyName', 'data');
    if (type !== 'multipart-form-data') return { kind: 'file', file };
  }
  if (type === 'raw') {
    const custom = String(options['bodyContentCustomMimeType'] ?? '');
    return { kind: 'text', text: jsonOrText(parameters, type), type: custom };
  }
  if (type === 'multipart-form-data') {
    const pairs = listIn(parameters.object('bodyParametersUi'), 'parameter');
    const files = parameters.value('sendBinaryData') === true ? filesOf(parameters) : [];
    return { kind: 'multipart', fields: [...formFields(pairs), ...files] };
  }
  const value = partOf(parameters, 'body');
  if (isObject(value) && Object.keys(value).length === 0) return undefined;
  return type === 'form-urlencoded' && isObject(value)
    ? { kind: 'form', values: value }
    : { kind: 'json', value };
}

/** Files of a form: `data`, or `field:data, other:more` for several. */
function filesOf(parameters: Settings): { name: string; file: string }[] {
  return parameters
    .text('binaryPropertyName', 'data')
    .split(',')
    .map((entry) => {
      const [name = '', file = name] = entry.split(':').map((part) => part.trim());
      return { name, file };
    });
}

/** Reads the settings of versions 1 and 2 for one item. @throws FieldFailure */
export function readOldHttpSettings(parameters: Settings): HttpSettings {
  const options = parameters.object('options');
  const method = parameters.text('requestMethod', 'GET').toUpperCase();
  const isRead = method === 'GET' || method === 'HEAD';
  const follows =
    options['followAllRedirects'] === true || (isRead && options['followRedirect'] !== false);
  return {
    method,
    url: parameters.text('url').trim(),
    query: objectPart(parameters, 'query'),
    listStyle: options['useQueryString'] === true ? 'repeat' : 'indices',
    headers: objectPart(parameters, 'header'),
    body: bodyOf(parameters, options),
    format: formatOf(parameters.value('responseFormat'), 'json'),
    property: parameters.text('dataPropertyName', 'data') || 'data',
    fullResponse: options['fullResponse'] === true,
    neverError: options['ignoreResponseCode'] === true,
    splitsLists: options['splitIntoItems'] === true,
    keepsText: false,
    maxRedirects: follows ? MOST_REDIRECTS : 0,
    timeoutMs: Number(options['timeout']) || DEFAULT_TIMEOUT_MS,
    proxy: String(options['proxy'] ?? ''),
    anyCertificate: parameters.value('allowUnauthorizedCerts') === true,
  };
}
