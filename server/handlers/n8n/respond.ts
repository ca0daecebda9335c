import { errorsAside } from '../../items/errors-aside.ts';
import type { Item, JsonObject } from '../../items/item.ts';
import { type Handler, type HandlerCall, StepFailure } from '../handler.ts';
import { pathOf, setPath } from './field-path.ts';
import { evaluateOnce } from './fields.ts';
import { listIn, objectIn } from './settings.ts';
import { numberOf, textOf } from './typed-value.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/html; charset=utf-8';
const REDIRECT = 307;

type Read = (field: unknown) => unknown;

interface Body {
  /** Text, or what is sent as JSON; undefined for nothing at all. */
  readonly body: unknown;
  readonly type: string;
}

function underKey(value: unknown, key: unknown): unknown {
  if (typeof key !== 'string' || key === '') return value;
  const holder: JsonObject = {};
  setPath(holder, pathOf(key), value);
  return holder;
}

function jsonBody(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new StepFailure("Invalid JSON in 'Response Body' field");
  }
}

function bodyOf({ node, inputs }: HandlerCall, read: Read): Body {
  const { respondWith, responseBody } = node.parameters;
  const { responseKey } = objectIn(node.parameters, 'options');
  const items = inputs[0] ?? [];
  switch (respondWith ?? 'firstIncomingItem') {
    case 'firstIncomingItem':
      return { body: underKey(items[0]?.json ?? {}, read(responseKey)), type: JSON_TYPE };
    case 'allIncomingItems':
      return {
        body: underKey(
          items.map(({ json }) => json),
          read(responseKey),
        ),
        type: JSON_TYPE,
      };
    case 'json':
      return { body: jsonBody(read(responseBody)), type: JSON_TYPE };
    case 'text':
      return { body: textOf(read(responseBody)), type: TEXT_TYPE };
    case 'noData':
    case 'redirect':
      return { body: undefined, type: JSON_TYPE };
    case 'binary':
      throw new StepFailure('A file cannot be answered with here yet. Answer with text or JSON.');
    default:
      throw new StepFailure(`An answer of the kind '${String(respondWith)}' is not offered here.`);
  }
}

function headersOf(options: JsonObject, read: Read): Record<string, string> {
  const entries = listIn(objectIn(options, 'responseHeaders'), 'entries');
  return Object.fromEntries(
    entries.map(({ name, value }) => [textOf(read(name)).toLowerCase(), textOf(read(value))]),
  );
}

function responseOf(call: HandlerCall, read: Read): JsonObject {
  const { parameters } = call.node;
  const options = objectIn(parameters, 'options');
  const isRedirect = parameters['respondWith'] === 'redirect';
  const { body, type } = bodyOf(call, read);
  const location = isRedirect ? { location: textOf(read(parameters['redirectURL'])) } : {};
  const code = numberOf(read(options['responseCode']));
  return {
    status: Number.isInteger(code) && code > 0 ? code : isRedirect ? REDIRECT : 200,
    headers: { 'content-type': type, ...headersOf(options, read), ...location },
    ...(body === undefined ? {} : { body }),
  };
}

/** Everything in the settings that may be an expression. */
function fieldsIn({ responseBody, redirectURL, ...parameters }: JsonObject): unknown[] {
  const options = objectIn(parameters, 'options');
  const headers = listIn(objectIn(options, 'responseHeaders'), 'entries');
  return [
    ...[responseBody, redirectURL, options['responseCode'], options['responseKey']],
    ...headers.flatMap(({ name, value }) => [name, value]),
  ];
}

/** What was answered is an output of its own in version 1.3, and by a setting after it. */
function givesResponse({ version, parameters }: HandlerCall['node']): boolean {
  return version === 1.3 || (version > 1.3 && parameters['enableResponseOutput'] === true);
}

/** Respond to Webhook: the run is answered; the items go on. */
export const handleRespond: Handler = async (call) => {
  const { node } = call;
  const items = call.inputs[0] ?? [];
  const count = givesResponse(node) ? 2 : 1;
  try {
    const response = responseOf(call, await evaluateOnce(call, fieldsIn(node.parameters)));
    const { status: statusCode, headers, body } = response;
    const told: Item = { json: { response: { body, headers, statusCode } } };
    const outputs = count === 2 ? [items, [told]] : [items];
    return { outputs: errorsAside(outputs, count, items, node.onError), response };
  } catch (error) {
    if (!(error instanceof StepFailure) || node.onError === 'stop') throw error;
    const pairedItem = items.map((_, item) => ({ item }));
    const failed: Item = { json: { error: error.message }, pairedItem };
    return errorsAside([[failed]], count, items, node.onError);
  }
};
