import { jsonOf, type Value } from '../../../expressions/port/values.ts';
import type { Item, JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { contextOf, type HandlerCall } from '../../handler.ts';
import type { HttpAnswer } from '../../http-port.ts';
import { pathOf, setPath } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { listIn, objectIn } from '../settings.ts';
import { bodyForPages } from './answer-items.ts';
import { isGood, statusFailure } from './refusal.ts';
import type { HttpSettings } from './settings.ts';

/** More pages than any request should need. */
const MOST_PAGES = 10_000;
/** So many equal answers in a row say that the paging goes nowhere. */
const MOST_EQUAL = 5;
const MOST_BYTES = 128 * 1024 * 1024;

/** How a request is paged; its expressions are evaluated before and behind each page. */
export interface Paging {
  readonly nextUrl: unknown;
  readonly parameters: readonly JsonObject[];
  readonly completeWhen: 'empty' | 'status' | 'expression';
  readonly statuses: unknown;
  readonly complete: unknown;
  readonly most: unknown;
  readonly interval: unknown;
}

const ONE_HUNDRED = 100;

/** Reads the paging of a step; undefined when it asks once. */
export function readPaging(parameters: JsonObject): Paging | undefined {
  const { pagination } = objectIn(objectIn(parameters, 'options'), 'pagination');
  if (!isObject(pagination)) return undefined;
  const mode = pagination['paginationMode'] ?? 'updateAParameterInEachRequest';
  if (mode === 'off') return undefined;
  const when = pagination['paginationCompleteWhen'] ?? 'responseIsEmpty';
  const isByUrl = mode === 'responseContainsNextURL';
  return {
    nextUrl: isByUrl ? (pagination['nextURL'] ?? '') : undefined,
    parameters: isByUrl ? [] : listIn(objectIn(pagination, 'parameters'), 'parameters'),
    completeWhen:
      when === 'other' ? 'expression' : when === 'receiveSpecificStatusCodes' ? 'status' : 'empty',
    statuses: pagination['statusCodesWhenComplete'] ?? '',
    complete: pagination['completeExpression'] ?? '',
    most: pagination['limitPagesFetched'] === true ? (pagination['maxRequests'] ?? ONE_HUNDRED) : 0,
    interval: pagination['requestInterval'] ?? 0,
  };
}

/** Sends the request that the settings describe. */
type SendPage = (settings: HttpSettings) => Promise<HttpAnswer>;

interface Pages {
  readonly call: HandlerCall;
  readonly items: readonly Item[];
  readonly at: number;
  readonly settings: HttpSettings;
  readonly paging: Paging;
  readonly send: SendPage;
}

/** What the expressions of paging see. */
function extrasOf(settings: HttpSettings, pageCount: number, answer: HttpAnswer | undefined) {
  const { url, method, headers, query, body } = settings;
  const sent = body?.kind === 'json' ? body.value : body?.kind === 'form' ? body.values : undefined;
  const response =
    answer === undefined
      ? {}
      : {
          body: bodyForPages(answer, settings),
          headers: answer.headers,
          statusCode: answer.status,
        };
  const request = { ...{ uri: url, url, method, headers }, qs: query, body: sent ?? {} };
  return { $pageCount: pageCount, $response: response, $request: request };
}

type Evaluate = (field: unknown) => Promise<unknown>;

function evaluatorOf({ call, items, at }: Pages, extras: JsonObject): Evaluate {
  return async (field) => {
    if (typeof field !== 'string' || !field.startsWith('=')) return field;
    const context = contextOf(call, items);
    const facts = { ...context.facts, extras: { ...context.facts.extras, ...extras } };
    const rows = await call.evaluator.evaluate({ ...context, facts }, [field.slice(1)], [at]);
    const value: Value = rows[0]?.[0] ?? { kind: 'undefined' };
    if (value.kind === 'failed') throw new FieldFailure(value.message);
    return jsonOf(value);
  };
}

function withBodyField(settings: HttpSettings, name: string, value: unknown): HttpSettings {
  const { body } = settings;
  if (body?.kind === 'form')
    return { ...settings, body: { kind: 'form', values: { ...body.values, [name]: value } } };
  const json = body?.kind === 'json' && isObject(body.value) ? structuredClone(body.value) : {};
  setPath(json, pathOf(name), value);
  return { ...settings, body: { kind: 'json', value: json } };
}

async function pageSettings(
  { settings, paging }: Pages,
  evaluate: Evaluate,
  isFirst: boolean,
): Promise<HttpSettings> {
  let next = settings;
  if (paging.nextUrl !== undefined && !isFirst) {
    const url = String((await evaluate(paging.nextUrl)) ?? '').trim();
    if (!/^https?:\/\//i.test(url)) throw new FieldFailure(`'${url}' is not a valid URL.`);
    next = { ...next, url, query: {} };
  }
  for (const parameter of paging.parameters) {
    const name = String((await evaluate(parameter['name'])) ?? '');
    const value = await evaluate(parameter['value']);
    if (name === '') throw new FieldFailure('A parameter of the pagination has no name');
    const type = parameter['type'] ?? 'qs';
    if (type === 'body') next = withBodyField(next, name, value);
    else if (type === 'headers') next = { ...next, headers: { ...next.headers, [name]: value } };
    else next = { ...next, query: { ...next.query, [name]: value } };
  }
  return next;
}

function isEmpty(body: unknown): boolean {
  return Array.isArray(body) ? body.length === 0 : !body;
}

async function isComplete(
  { paging, settings }: Pages,
  evaluate: Evaluate,
  answer: HttpAnswer,
): Promise<boolean> {
  switch (paging.completeWhen) {
    case 'empty':
      return isEmpty(bodyForPages(answer, settings));
    case 'status': {
      const codes = String((await evaluate(paging.statuses)) ?? '').split(',');
      return codes.some((code) => Number(code) === answer.status);
    }
    case 'expression':
      return Boolean(await evaluate(paging.complete));
  }
}

function isSame(one: HttpAnswer, other: HttpAnswer): boolean {
  const { body } = other;
  return one.body.length === body.length && one.body.every((byte, at) => byte === body[at]);
}

/** How many answers at the end are alike; more than allowed, or too much in all, is a failure. */
function refuseEndless(answers: readonly HttpAnswer[], equal: number): void {
  if (equal >= MOST_EQUAL)
    throw new FieldFailure(
      `The returned response was identical ${MOST_EQUAL}x, so requests got stopped. Check if "Complete Expression" is set correctly.`,
    );
  const bytes = answers.reduce((sum, { body }) => sum + body.length, 0);
  if (answers.length >= MOST_PAGES || bytes > MOST_BYTES)
    throw new FieldFailure(
      `The pages are more than ${MOST_PAGES}, or longer than ${MOST_BYTES / 1024 / 1024} MiB in all. Limit the pages that are fetched.`,
    );
}

/** True when no page is to follow this one. @throws StatusFailure when it was refused and is not the last */
async function isLast(pages: Pages, evaluate: Evaluate, answers: readonly HttpAnswer[]) {
  const { settings, paging } = pages;
  const answer = answers.at(-1);
  const most = Number(await evaluate(paging.most)) || 0;
  if (answer === undefined || (most > 0 && answers.length >= most)) return true;
  if (await isComplete(pages, evaluate, answer)) return true;
  if (!isGood(answer) && !settings.neverError) throw statusFailure(answer, settings);
  return false;
}

/** Asks page after page until the paging is complete; answers all of them. */
export async function fetchPages(pages: Pages): Promise<readonly HttpAnswer[]> {
  const { call, paging, send } = pages;
  const answers: HttpAnswer[] = [];
  let sent = pages.settings;
  for (let equal = 0; ; ) {
    const before = answers.at(-1);
    const early = evaluatorOf(pages, extrasOf(sent, answers.length, before));
    sent = await pageSettings(pages, early, before === undefined);
    const answer = await send(sent);
    answers.push(answer);
    const evaluate = evaluatorOf(pages, extrasOf(sent, answers.length, answer));
    if (await isLast(pages, evaluate, answers)) return answers;
    equal = before !== undefined && isSame(before, answer) ? equal + 1 : 1;
    refuseEndless(answers, equal);
    const interval = Number(await evaluate(paging.interval)) || 0;
    if (interval > 0) await call.pause(interval);
  }
}
