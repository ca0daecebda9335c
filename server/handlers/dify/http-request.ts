import { secretsOf } from '../../contract/credentials.ts';
import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { REDACTED } from '../../kernel/redact.ts';
import { replaceEach } from '../../kernel/replace-each.ts';
import { StepFailure } from '../handler.ts';
import { type HttpAnswer, HttpFailure, type HttpRequest } from '../http-port.ts';
import { authorized, boundCredential } from '../n8n/http/authorize.ts';
import { multipartBody } from '../n8n/http/multipart.ts';
import { withQuery } from '../n8n/http/query-text.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { handlesFailures } from './failures.ts';
import { objectsOf, parsedJson, textOfValue } from './values.ts';

const TYPES: Readonly<Record<string, string>> = {
  basic: 'httpBasicAuth',
  bearer: 'httpBearerAuth',
  custom: 'httpHeaderAuth',
};
const BOUNDARY_BYTES = 18;
const DEFAULT_SECONDS = 60;
const MAX_REDIRECTS = 20;

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Lines of a name, a colon and a value. */
function pairsIn(text: unknown, { pool }: DifyCall): Pair[] {
  if (typeof text !== 'string') return [];
  return text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    const name = pool.fill((colon < 0 ? line : line.slice(0, colon)).trim());
    if (name === '') return [];
    return [{ name, value: colon < 0 ? '' : pool.fill(line.slice(colon + 1).trim()) }];
  });
}

interface Body {
  readonly bytes: Uint8Array;
  readonly type: string;
}

function encoded(text: string, type: string): Body {
  return { bytes: new TextEncoder().encode(text), type };
}

function formPairs(data: unknown, call: DifyCall): Pair[] {
  if (!Array.isArray(data)) return pairsIn(data, call);
  return objectsOf(data).map(({ key, value, type }) => {
    if (type === 'file')
      throw new StepFailure(
        `'${call.node.name}' sends files, which requests of Dify do not do here.`,
      );
    return { name: call.pool.fill(textOfValue(key)), value: call.pool.fill(textOfValue(value)) };
  });
}

function rawText(data: unknown, { pool }: DifyCall): string {
  const [first] = objectsOf(data);
  return pool.fill(Array.isArray(data) ? textOfValue(first?.['value']) : textOfValue(data));
}

function bodyOf(call: DifyCall): Body | undefined {
  const body = call.data['body'];
  const { type, data } = isObject(body) ? body : {};
  switch (type) {
    case 'json': {
      const text = rawText(data, call);
      if (text.trim() === '') return undefined;
      if (parsedJson(text) === undefined)
        throw new StepFailure(`'${call.node.name}': its body is no JSON: ${text.slice(0, 200)}`);
      return encoded(text, 'application/json');
    }
    case 'raw-text':
      return encoded(rawText(data, call), 'text/plain');
    case 'x-www-form-urlencoded': {
      const form = new Map(formPairs(data, call).map(({ name, value }) => [name, value]));
      return encoded(queryOf([...form]), 'application/x-www-form-urlencoded');
    }
    case 'form-data': {
      const boundary = `form-${call.crypto.randomBytes(BOUNDARY_BYTES).toHex()}`;
      const parts = formPairs(data, call).map(({ name, value }) => ({ name, content: value }));
      const bytes = multipartBody(parts, boundary);
      return { bytes, type: `multipart/form-data; boundary=${boundary}` };
    }
    case 'binary':
      throw new StepFailure(
        `'${call.node.name}' sends a file, which requests of Dify do not do here.`,
      );
    default:
      return undefined;
  }
}

function queryOf(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function secondsOf(timeout: unknown): number {
  const { connect, read, write } = isObject(timeout) ? timeout : {};
  const seconds = [connect, read, write].map(Number).filter((one) => one > 0);
  return seconds.length === 0 ? DEFAULT_SECONDS : seconds.reduce((sum, one) => sum + one, 0);
}

function requestOf(call: DifyCall): HttpRequest {
  const { data, pool } = call;
  const url = pool.fill(textOfValue(data['url'])).trim();
  if (!/^https?:\/\//i.test(url))
    throw new StepFailure(`'${call.node.name}': its address must begin with http:// or https://`);
  const body = bodyOf(call);
  const given = pairsIn(data['headers'], call).map(({ name, value }) => [
    name.toLowerCase(),
    value,
  ]);
  const params = pairsIn(data['params'], call).map(({ name, value }) => [name, value] as const);
  return {
    method: String(data['method'] ?? 'get').toUpperCase(),
    url: withQuery(url, queryOf(params)),
    headers: {
      ...(body === undefined ? {} : { 'content-type': body.type }),
      ...Object.fromEntries(given),
    },
    ...(body === undefined ? {} : { body: body.bytes }),
    maxRedirects: MAX_REDIRECTS,
    timeoutMs: secondsOf(data['timeout']) * 1000,
  };
}

function authorization(call: DifyCall): { type: string; key: string; header: string } | undefined {
  const asked = call.data['authorization'];
  if (!isObject(asked) || asked['type'] !== 'api-key' || !isObject(asked['config']))
    return undefined;
  const { type, api_key, header } = asked['config'];
  const name = typeof header === 'string' && header !== '' ? header : 'Authorization';
  return { type: String(type ?? 'basic'), key: textOfValue(api_key), header: call.pool.fill(name) };
}

function headerValue(type: string, key: string): string {
  if (type === 'bearer') return `Bearer ${key}`;
  if (type !== 'basic') return key;
  const pair = key.includes(':') ? new TextEncoder().encode(key).toBase64() : key;
  return `Basic ${pair}`;
}

interface Sent {
  readonly request: HttpRequest;
  readonly secrets: readonly string[];
}

/** The request with what authorizes it: a variable of the app, or what the step is bound to. */
async function withAuthorization(call: DifyCall, request: HttpRequest): Promise<Sent> {
  const asked = authorization(call);
  if (asked === undefined) return { request, secrets: [] };
  if (asked.key.includes('{{#')) {
    const key = call.pool.fill(asked.key);
    const name = asked.header.toLowerCase();
    const headers = { ...request.headers, [name]: headerValue(asked.type, key) };
    return { request: { ...request, headers, guarded: [name] }, secrets: [key] };
  }
  const credential = await boundCredential(call, TYPES[asked.type] ?? 'httpHeaderAuth');
  return { request: authorized(request, credential), secrets: secretsOf(credential) };
}

function fieldsOf(answer: HttpAnswer): JsonObject {
  return {
    body: new TextDecoder().decode(answer.body),
    status_code: answer.status,
    headers: answer.headers,
    files: [],
  };
}

/** HTTP request: a status that is no success fails only where the step says what to do then. */
export const handleHttpRequest: DifyHandler = async (call) => {
  const { request, secrets } = await withAuthorization(call, requestOf(call));
  try {
    const answer = await call.http(request);
    const isGood = answer.status >= 200 && answer.status < 300;
    if (!isGood && handlesFailures(call))
      throw new StepFailure(`Request failed with status code ${answer.status}`);
    return gives(fieldsOf(answer));
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw new StepFailure(replaceEach(error.message, secrets, REDACTED));
  }
};
