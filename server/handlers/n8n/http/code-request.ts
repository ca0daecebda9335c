import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import type { HttpAnswer, HttpRequest, SendHttp } from '../../http-port.ts';
import { objectIn } from '../settings.ts';
import { answerText, readLoosely } from './answer-items.ts';
import { queryText, withQuery } from './query-text.ts';
import { isGood } from './refusal.ts';
import { DEFAULT_TIMEOUT_MS } from './settings.ts';

const MOST_REDIRECTS = 21;

interface Carried {
  readonly text: string;
  readonly type: string;
}

function carriedOf({ body, form }: JsonObject): Carried | undefined {
  if (isObject(form))
    return { text: queryText(form, 'repeat'), type: 'application/x-www-form-urlencoded' };
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return { text: body, type: 'text/plain' };
  return { text: JSON.stringify(body), type: 'application/json' };
}

function urlOf({ url, uri, baseURL, qs }: JsonObject): string {
  const address = String(url ?? uri ?? '');
  const isWhole = /^https?:/i.test(address) || typeof baseURL !== 'string';
  const whole = isWhole ? address : `${baseURL.replace(/\/$/, '')}/${address.replace(/^\//, '')}`;
  return withQuery(whole, isObject(qs) ? queryText(qs, 'indices') : '');
}

function requestOf(options: JsonObject): HttpRequest {
  const carried = carriedOf(options);
  const given = Object.entries(objectIn(options, 'headers')).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    method: String(options['method'] ?? 'GET').toUpperCase(),
    url: urlOf(options),
    headers: {
      accept: 'application/json,text/*;q=0.99',
      ...(carried === undefined ? {} : { 'content-type': carried.type }),
      ...Object.fromEntries(given),
    },
    ...(carried === undefined ? {} : { body: new TextEncoder().encode(carried.text) }),
    maxRedirects: options['disableFollowRedirect'] === true ? 0 : MOST_REDIRECTS,
    timeoutMs: Number(options['timeout']) || DEFAULT_TIMEOUT_MS,
  };
}

function answerOf(answer: HttpAnswer, options: JsonObject): unknown {
  const body = readLoosely(answerText(answer));
  if (options['returnFullResponse'] !== true && options['resolveWithFullResponse'] !== true)
    return body;
  const { headers, status, statusText } = answer;
  return { body, headers, statusCode: status, statusMessage: statusText };
}

/** Answers `helpers.httpRequest` of code: the body, read where it is JSON. It fails as the source does. */
export function requestsOfCode(http: SendHttp): (argument: unknown) => Promise<unknown> {
  return async (argument) => {
    const options = isObject(argument) ? argument : { url: argument };
    const answer = await http(requestOf(options));
    const isTaken = options['ignoreHttpStatusErrors'] === true || options['simple'] === false;
    if (!isGood(answer) && !isTaken)
      throw new Error(`Request failed with status code ${answer.status}`);
    return answerOf(answer, options);
  };
}
