import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { REDACTED } from '../../kernel/redact.ts';
import { replaceEach } from '../../kernel/replace-each.ts';
import type { Service, ServiceRequest } from '../../services/service.ts';
import type { Template } from '../../services/template.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';
import { type HttpAnswer, HttpFailure } from '../http-port.ts';
import { getPath } from '../n8n/field-path.ts';
import { answerText, readLoosely } from '../n8n/http/answer-items.ts';
import { isGood } from '../n8n/http/refusal.ts';
import { requestOf } from '../n8n/http/request.ts';
import { type BodySettings, DEFAULT_TIMEOUT_MS, type HttpSettings } from '../n8n/http/settings.ts';
import type { ServiceAccess } from './credential.ts';
import { FilePart, type Maker } from './make-value.ts';

const MOST_REDIRECTS = 5;
const MOST_TOLD = 1_000;

/** One item whose row asks a service. */
export interface Asking {
  readonly call: HandlerCall;
  readonly service: Service;
  readonly access: ServiceAccess;
  readonly item: Item;
  readonly maker: Maker;
}

/** What is sent beside what the row says: the place of a page. */
export interface Extra {
  readonly query?: JsonObject;
  readonly json?: JsonObject;
  /** In place of the row's address. */
  readonly address?: string;
}

function partsOf(values: JsonObject) {
  return Object.entries(values).map(([name, value]) =>
    value instanceof FilePart ? value.under(name) : { name, value },
  );
}

function bodyOf(request: ServiceRequest, maker: Maker, extra: Extra): BodySettings | undefined {
  const { json, form, multipart, bytes } = request;
  if (form !== undefined) return { kind: 'form', values: maker.object(form) };
  if (multipart !== undefined)
    return { kind: 'multipart', fields: partsOf(maker.object(multipart)) };
  if (bytes !== undefined)
    return { kind: 'file', file: String(maker.make(`$${bytes.path}`) ?? bytes.or) };
  if (json === undefined) return undefined;
  const value = maker.make(json);
  return { kind: 'json', value: isObject(value) ? { ...value, ...extra.json } : value };
}

/** Method and address of a request; what fills a brace cannot leave its place in the path. */
function addressOf(call: string, { access, maker }: Asking): { method: string; url: string } {
  const [method = 'GET', path = ''] = call.split(' ');
  const [, whole] = /^\{([^{}]+)\}$/.exec(path) ?? [];
  if (whole !== undefined) return { method, url: wholeAddress(maker.filled(path)) };
  const address = /^https?:/.test(path) ? path : `${access.server}${path}`;
  return { method, url: maker.filled(address, pathPart) };
}

/** An address that a setting or a credential is. */
function wholeAddress(url: string): string {
  if (/^https?:\/\//i.test(url)) return url.trim();
  throw new StepFailure(
    'What stands in the place of the address is none: it begins with https://.',
  );
}

const PLAIN_PART = /^[\w.~:@-]+(?:\/[\w.~:@-]+)*$/;

function pathPart(value: string): string {
  const isPlain = PLAIN_PART.test(value) && !value.split('/').includes('..');
  return isPlain ? value : encodeURIComponent(value.toWellFormed());
}

function settingsOf(asking: Asking, request: ServiceRequest, extra: Extra): HttpSettings {
  const { maker, service } = asking;
  const { method, url } = addressOf(request.call, asking);
  const headers = { ...maker.object(service.headers), ...maker.object(request.headers) };
  return {
    method,
    url: extra.address ?? url,
    query: extra.address === undefined ? { ...maker.object(request.query), ...extra.query } : {},
    listStyle: 'repeat',
    headers: { accept: 'application/json', ...headers },
    body: bodyOf(request, maker, extra),
    format: 'json',
    property: 'data',
    fullResponse: false,
    neverError: false,
    splitsLists: true,
    keepsText: true,
    maxRedirects: MOST_REDIRECTS,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    proxy: '',
    anyCertificate: false,
  };
}

function toldIn(body: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = getPath(body, path.split('.'));
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

/** The failure that an answer tells, in a sentence. */
function refusal({ service, access }: Asking, answer: HttpAnswer, body: unknown): StepFailure {
  const told = toldIn(body, service.message ?? []) ?? answerText(answer).slice(0, MOST_TOLD);
  const words = told === '' ? '.' : `: ${told}`;
  const message = `${service.name} answered with status ${answer.status}${words}`;
  return new StepFailure(replaceEach(message, access.secrets, REDACTED));
}

/** What an answer holds: what its JSON says, or its text. */
function bodyIn(answer: HttpAnswer): unknown {
  const text = answerText(answer);
  return text === '' ? undefined : readLoosely(text);
}

function tellsFailure({ failure }: Service, body: unknown): boolean {
  if (failure === undefined) return false;
  return getPath(body, failure.at.split('.')) === failure.is;
}

async function sent({ call, access, service }: Asking, settings: HttpSettings, item: Item) {
  try {
    const request = requestOf(settings, item, call);
    const own = isObject(service.headers) ? Object.keys(service.headers) : [];
    const guarded = [...(request.guarded ?? []), ...own.map((name) => name.toLowerCase())];
    return await call.http(access.admit({ ...request, guarded }));
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const words = `${service.name} gave no answer: ${error.message}`;
    throw new StepFailure(replaceEach(words, access.secrets, REDACTED));
  }
}

/** An answer of a service that is none of a failure. */
export interface Answered {
  readonly answer: HttpAnswer;
  readonly body: unknown;
}

/** Sends one request of a row. @throws StepFailure when the service refuses it */
export async function ask(
  asking: Asking,
  request: ServiceRequest,
  { isFile = false, extra = {} }: { readonly isFile?: boolean; readonly extra?: Extra } = {},
): Promise<Answered> {
  const settings = settingsOf(asking, request, extra);
  const answer = await sent(asking, settings, asking.item);
  if (!isGood(answer)) throw refusal(asking, answer, bodyIn(answer));
  if (isFile) return { answer, body: undefined };
  const body = bodyIn(answer);
  if (tellsFailure(asking.service, body)) throw refusal(asking, answer, body);
  return { answer, body };
}

/** The text that a template makes; the other one where it makes none. */
export function madeText(maker: Maker, template: Template, or: string): string {
  const made = maker.make(template);
  return made === undefined || made === null || made === '' ? or : String(made);
}
