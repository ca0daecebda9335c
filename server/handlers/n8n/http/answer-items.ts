import type { Item, JsonObject } from '../../../items/item.ts';
import type { HttpAnswer } from '../../http-port.ts';
import { FieldFailure } from '../fields.ts';
import { fileOf, textOf } from '../files/file-reference.ts';
import type { HttpSettings, ResponseFormat } from './settings.ts';

const NO_JSON = 'Response body is not valid JSON. Change "Response Format" to "Text"';

/** Types that autodetection takes for files; the rest is text or JSON. */
const FILES = new RegExp(
  [
    ...['^image/', '^audio/', '^video/', '^font/', '^application/octet-stream', '^application/pdf'],
    ...['^application/(x-)?(gzip|zip|bzip2?|7z-compressed|rar|rar-compressed|tar|zip-compressed)'],
    ...['^application/vnd\\.(rar|ms-|openxmlformats|oasis|amazon\\.ebook|apple\\.installer)'],
    ...['^application/(epub\\+zip|msword|rtf|java-archive|x-cdf|x-abiword|x-freearc)'],
  ].join('|'),
  'i',
);

function headerOf({ headers }: HttpAnswer, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

function charsetOf(answer: HttpAnswer): string | undefined {
  return /charset="?([\w-]+)/i.exec(headerOf(answer, 'content-type'))?.[1];
}

/** The body as text. */
export function answerText(answer: HttpAnswer): string {
  return textOf(answer.body, charsetOf(answer));
}

/** What the source's client makes of a body when it may read it: JSON where it is JSON, else the text. */
export function readLoosely(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** How an answer becomes items. */
type Shown = Pick<
  HttpSettings,
  'format' | 'fullResponse' | 'property' | 'splitsLists' | 'keepsText'
>;

type Detected = Exclude<ResponseFormat, 'autodetect'>;

function detected(answer: HttpAnswer, { format }: Pick<Shown, 'format'>): Detected {
  if (format !== 'autodetect') return format;
  const type = headerOf(answer, 'content-type');
  if (type.includes('application/json')) return 'json';
  return FILES.test(type) ? 'file' : 'text';
}

/** A text that stands for JSON is read again, as the source does. */
function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new FieldFailure(NO_JSON);
  }
}

function detectedJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new FieldFailure('Invalid JSON in response body');
  }
}

function jsonBody(answer: HttpAnswer, { format }: Pick<Shown, 'format'>): unknown {
  const text = answerText(answer);
  return jsonIn(format === 'autodetect' ? detectedJson(text) : readLoosely(text));
}

function textBody(answer: HttpAnswer, { format, keepsText }: Shown): unknown {
  const text = answerText(answer);
  if (format === 'autodetect') return text === '' ? undefined : text;
  const read = readLoosely(text);
  return keepsText && typeof read === 'object' && read !== null ? JSON.stringify(read) : read;
}

function fileNameOf(answer: HttpAnswer): string {
  const disposition = headerOf(answer, 'content-disposition');
  const [, extended, quoted, plain] =
    /filename\*=(?:UTF-8|utf-8)''([^;]+)|filename="([^"]*)"|filename=([^;"\s]+)/.exec(
      disposition,
    ) ?? [];
  const named = extended ?? quoted ?? plain;
  if (named !== undefined) return decodedName(named).split(/[/\\]/).at(-1) ?? '';
  const [address = ''] = answer.url.split(/[?#]/);
  return (
    decodedName(address.replace(/^\w+:\/\/[^/]*/, ''))
      .split('/')
      .at(-1) ?? ''
  );
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The source puts an answer into an item as it is, also a list or a number. */
function itemJson(value: unknown): JsonObject {
  return (value ?? {}) as JsonObject;
}

function fullOf({ headers, status, statusText }: HttpAnswer): JsonObject {
  return { headers, statusCode: status, statusMessage: statusText };
}

function fileItem(answer: HttpAnswer, settings: Shown, from: Item): Omit<Item, 'pairedItem'> {
  const mimeType = headerOf(answer, 'content-type').split(';')[0]?.trim();
  const facts = { fileName: fileNameOf(answer), mimeType: mimeType === '' ? undefined : mimeType };
  return {
    json: settings.fullResponse ? fullOf(answer) : {},
    binary: { ...from.binary, [settings.property]: fileOf(answer.body, facts) },
  };
}

function jsonItems(value: unknown, answer: HttpAnswer, settings: Shown): JsonObject[] {
  if (settings.fullResponse) return [{ body: value, ...fullOf(answer) }];
  return settings.splitsLists && Array.isArray(value) ? value.map(itemJson) : [itemJson(value)];
}

/** The items that an answer becomes. @throws FieldFailure when it is not of the format that was asked for */
export function itemsOfAnswer(answer: HttpAnswer, settings: Shown, from: Item, at: number): Item[] {
  const pairedItem = { item: at };
  switch (detected(answer, settings)) {
    case 'file':
      return [{ ...fileItem(answer, settings, from), pairedItem }];
    case 'json':
      return jsonItems(jsonBody(answer, settings), answer, settings).map((json) => {
        return { json, pairedItem };
      });
    case 'text': {
      const text = { [settings.property]: textBody(answer, settings) };
      return [{ json: { ...text, ...(settings.fullResponse ? fullOf(answer) : {}) }, pairedItem }];
    }
  }
}

/** The body as expressions of a paged request see it. */
export function bodyForPages(answer: HttpAnswer, settings: HttpSettings): unknown {
  if (detected(answer, settings) !== 'json') return answerText(answer);
  const read = readLoosely(answerText(answer));
  return read === '' ? {} : read;
}
