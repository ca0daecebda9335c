import type { Item } from '../../../items/item.ts';
import { type HandlerCall, StepFailure } from '../../handler.ts';
import type { HttpRequest } from '../../http-port.ts';
import { FieldFailure } from '../fields.ts';
import { bytesOf, fileNamed } from '../files/file-reference.ts';
import { type FormPart, multipartBody } from './multipart.ts';
import { queryText, withQuery } from './query-text.ts';
import type { BodySettings, FormField, HttpSettings } from './settings.ts';

const ACCEPTED = 'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9';
const ACCEPT: Readonly<Record<HttpSettings['format'], string>> = {
  json: 'application/json,text/*;q=0.99',
  text: `${ACCEPTED}, */*;q=0.1`,
  file: `${ACCEPTED}, image/*;q=0.8, */*;q=0.7`,
  autodetect: `${ACCEPTED}, image/*;q=0.8, */*;q=0.7`,
};
/** What servers were told by the source: some answer otherwise to a name that they do not know. */
const USER_AGENT = 'n8n';
const BOUNDARY_BYTES = 18;

interface Carried {
  readonly bytes: Uint8Array;
  readonly type: string;
}

function fieldText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value ?? '');
}

function partOf(field: FormField, item: Item): FormPart {
  if ('value' in field) return { name: field.name, content: fieldText(field.value) };
  const file = fileNamed(item, field.file);
  const { fileName = field.file, mimeType: type } = file;
  return { name: field.name, content: bytesOf(file), fileName: field.fileName ?? fileName, type };
}

function carriedBody(body: BodySettings, item: Item, call: HandlerCall): Carried {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  switch (body.kind) {
    case 'json':
      return { bytes: encode(JSON.stringify(body.value) ?? ''), type: 'application/json' };
    case 'form': {
      const type = 'application/x-www-form-urlencoded';
      return { bytes: encode(queryText(body.values, 'repeat')), type };
    }
    case 'text':
      return { bytes: encode(body.text), type: body.type };
    case 'file': {
      const file = fileNamed(item, body.file);
      return { bytes: bytesOf(file), type: file.mimeType };
    }
    case 'multipart': {
      const boundary = `form-${call.crypto.randomBytes(BOUNDARY_BYTES).toHex()}`;
      const parts = body.fields.map((field) => partOf(field, item));
      const type = `multipart/form-data; boundary=${boundary}`;
      return { bytes: multipartBody(parts, boundary), type };
    }
  }
}

function headersOf(settings: HttpSettings, type: string): Record<string, string> {
  const given = Object.entries(settings.headers).flatMap(([name, value]) =>
    value === undefined || value === null || name.trim() === ''
      ? []
      : [[name.trim().toLowerCase(), fieldText(value)] as const],
  );
  return {
    'user-agent': USER_AGENT,
    accept: ACCEPT[settings.format],
    ...(type === '' ? {} : { 'content-type': type }),
    ...Object.fromEntries(given),
  };
}

/** What a step asks for and this program does not do. */
function refuseUnsupported({ url, proxy, anyCertificate }: HttpSettings): void {
  if (proxy !== '')
    throw new StepFailure(
      'The step wants a proxy of its own, which is not supported here. Remove the proxy from its options.',
    );
  if (anyCertificate && /^https:/i.test(url))
    throw new StepFailure(
      'The step wants to trust any certificate. Certificates are always checked here: give the server one that this machine trusts, and remove the option.',
    );
}

/** The request of one item. @throws FieldFailure, or StepFailure when it wants what is not supported */
export function requestOf(settings: HttpSettings, item: Item, call: HandlerCall): HttpRequest {
  refuseUnsupported(settings);
  if (!/^https?:\/\//i.test(settings.url))
    throw new FieldFailure(`Invalid URL: ${settings.url}. URL must start with "http" or "https".`);
  const { method, url, query, listStyle, body, maxRedirects, timeoutMs } = settings;
  const carried = body === undefined ? undefined : carriedBody(body, item, call);
  return {
    method,
    url: withQuery(url, queryText(query, listStyle)),
    headers: headersOf(settings, carried?.type ?? ''),
    ...(carried === undefined ? {} : { body: carried.bytes }),
    ...{ maxRedirects, timeoutMs },
  };
}
