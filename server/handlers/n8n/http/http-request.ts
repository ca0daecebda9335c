import { credentialTypeOf, secretsOf } from '../../../contract/credentials.ts';
import { errorsAside } from '../../../items/errors-aside.ts';
import type { Item, JsonObject } from '../../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf } from '../../handler.ts';
import type { HttpAnswer } from '../../http-port.ts';
import { type ItemOutcome, outputsOf } from '../on-error.ts';
import { objectIn } from '../settings.ts';
import { type Settings, settingsByItem } from '../step-settings.ts';
import { itemsOfAnswer } from './answer-items.ts';
import { authorized, boundCredential } from './authorize.ts';
import { fetchPages, type Paging, readPaging } from './pages.ts';
import { isGood, outcomeOf, statusFailure } from './refusal.ts';
import { requestOf } from './request.ts';
import { type HttpSettings, readHttpSettings } from './settings.ts';
import { readOldHttpSettings } from './settings-old.ts';

/** Requests of one step that are under way at once. */
const AT_ONCE = 20;

type Bound = Awaited<ReturnType<typeof boundCredential>>;

interface Step {
  readonly call: HandlerCall;
  readonly items: readonly Item[];
  readonly credential: Bound | undefined;
  readonly paging: Paging | undefined;
}

/** Expressions of paging see answers that are not there yet: they are evaluated on their own. */
function withoutPaging(parameters: JsonObject): JsonObject {
  const { pagination: _, ...options } = objectIn(parameters, 'options');
  return { ...parameters, options };
}

function settingsOf({ node }: HandlerCall, parameters: Settings): HttpSettings {
  return node.version < 3 ? readOldHttpSettings(parameters) : readHttpSettings(node, parameters);
}

async function answersOf(
  { call, items, credential, paging }: Step,
  settings: HttpSettings,
  item: Item,
  at: number,
): Promise<readonly HttpAnswer[]> {
  const send = (page: HttpSettings): Promise<HttpAnswer> => {
    const request = requestOf(page, item, call);
    return call.http(credential === undefined ? request : authorized(request, credential));
  };
  if (paging !== undefined) return fetchPages({ ...{ call, items, at, settings, paging }, send });
  const answer = await send(settings);
  if (!isGood(answer) && !settings.neverError) throw statusFailure(answer, settings);
  return [answer];
}

async function itemOutcome(
  step: Step,
  parameters: Settings,
  item: Item,
  at: number,
): Promise<ItemOutcome> {
  try {
    const settings = settingsOf(step.call, parameters);
    const answers = await answersOf(step, settings, item, at);
    return answers.flatMap((answer) => itemsOfAnswer(answer, settings, item, at));
  } catch (error) {
    return outcomeOf(error, step.credential === undefined ? [] : secretsOf(step.credential));
  }
}

interface Batches {
  readonly size: number;
  readonly intervalMs: number;
}

const NO_BATCHES: Batches = { size: 0, intervalMs: 0 };
const DEFAULT_BATCH_SIZE = 50;
const DEFAULT_BATCH_MS = 1000;

function batchesOf({ node }: HandlerCall, first: Settings | undefined): Batches {
  const options = first?.object('options') ?? {};
  const { batching } = options;
  const { batchSize, batchInterval } = node.version < 3 ? options : objectIn(batching, 'batch');
  const isAsked = node.version < 3 ? batchSize !== undefined : batching !== undefined;
  if (!isAsked) return NO_BATCHES;
  const size = Math.floor(Number(batchSize ?? DEFAULT_BATCH_SIZE)) || 1;
  return { size, intervalMs: Number(batchInterval ?? DEFAULT_BATCH_MS) || 0 };
}

/** Begins one piece of work after another, a few at once and batch by batch; answers in order. */
async function inBatches<Answer>(
  call: HandlerCall,
  { size, intervalMs }: Batches,
  work: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const open = new Set<Promise<unknown>>();
  for (const [at, begin] of work.entries()) {
    if (at > 0 && size > 0 && intervalMs > 0 && at % size === 0) await call.pause(intervalMs);
    if (open.size >= AT_ONCE) await Promise.race(open);
    const begun = begin();
    const ended: Promise<unknown> = begun.then(
      () => open.delete(ended),
      () => open.delete(ended),
    );
    open.add(ended);
    answers.push(begun);
  }
  return Promise.all(answers);
}

/** HTTP Request, all versions: one request for each item, or one for each of its pages. */
export const handleHttpRequest: Handler = async (call) => {
  const items = itemsOf(call);
  if (items.length === 0) return outputsOf(items, [], call.node.onError);
  const { parameters } = call.node;
  const type = credentialTypeOf(call.node);
  const asked = { ...call, node: { ...call.node, parameters: withoutPaging(parameters) } };
  const evaluated = await settingsByItem(asked, items);
  const step: Step = {
    ...{ call, items },
    credential: type === undefined ? undefined : await boundCredential(call, type),
    paging: call.node.version < 4 ? undefined : readPaging(parameters),
  };
  const work = evaluated.map(
    (own, at) => () => itemOutcome(step, own, items[at] ?? { json: {} }, at),
  );
  const outcomes = await inBatches(call, batchesOf(call, evaluated[0]), work);
  const { onError } = call.node;
  const outputs = outputsOf(items, outcomes, onError === 'stop' ? onError : 'regular_output');
  return errorsAside(outputs, 1, items, onError);
};
