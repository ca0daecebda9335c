import { DateTime } from 'luxon';
import type { StepFacts } from '../../items/facts.ts';
import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import type { Handler, HandlerCall } from '../handler.ts';

/** What the run was given; one empty item where it was given nothing. */
function givenItems({ inputs }: HandlerCall): readonly Item[] {
  const items = inputs[0] ?? [];
  return items.length === 0 ? [{ json: {}, pairedItem: { item: 0 } }] : items;
}

function isEmpty({ json }: Item): boolean {
  return Object.keys(json).length === 0;
}

/** A trigger of any other kind: the run's items are what it gives. */
export const handleTrigger: Handler = async (call) => [givenItems(call)];

function ordinal(day: number): string {
  const ending = day % 100 >= 11 && day % 100 <= 13 ? 'th' : ['th', 'st', 'nd', 'rd'][day % 10];
  return `${day}${ending ?? 'th'}`;
}

/** The moment in the words of the source. */
function scheduledAt({ now, zone }: StepFacts): JsonObject {
  const at = DateTime.fromMillis(now, { zone, locale: 'en-US' });
  const time = `${at.toFormat('h:mm:ss')} ${at.hour < 12 ? 'am' : 'pm'}`;
  return {
    timestamp: at.toISO({ includeOffset: true }),
    'Readable date': `${at.toFormat('MMMM')} ${ordinal(at.day)} ${at.toFormat('yyyy')}, ${time}`,
    'Readable time': time,
    'Day of week': at.toFormat('EEEE'),
    Year: at.toFormat('yyyy'),
    Month: at.toFormat('MMMM'),
    'Day of month': at.toFormat('dd'),
    Hour: at.toFormat('HH'),
    Minute: at.toFormat('mm'),
    Second: at.toFormat('ss'),
    Timezone: `${zone} (UTC${at.toFormat('ZZ')})`,
  };
}

/** A schedule tells when it began the run, unless the run says it. */
export const handleSchedule: Handler = async (call) => {
  const items = givenItems(call);
  return [
    items.every(isEmpty)
      ? items.map((item) => ({ ...item, json: scheduledAt(call.step.facts) }))
      : items,
  ];
};

const REQUEST_PARTS = ['headers', 'params', 'query', 'body', 'webhookUrl', 'executionMode'];

function isRequest(json: JsonObject): boolean {
  const keys = Object.keys(json);
  return (
    keys.length > 0 &&
    keys.every((key) => REQUEST_PARTS.includes(key)) &&
    ['headers', 'params', 'query'].every((key) => json[key] === undefined || isObject(json[key]))
  );
}

/** What the run was given stands for the body, unless it is a whole request. */
function requestOf(item: Item, { execution }: StepFacts): Item {
  if (isRequest(item.json)) return item;
  const executionMode = execution.mode === 'manual' ? 'test' : 'production';
  return {
    ...item,
    json: { headers: {}, params: {}, query: {}, body: item.json, executionMode },
  };
}

const WITHOUT_BODY: ReadonlySet<unknown> = new Set(['GET', 'HEAD']);

function hasBody({ json }: Item): boolean {
  const { body, headers } = json;
  if (isObject(headers) && Number(headers['content-length']) > 0) return true;
  return isObject(body) ? Object.keys(body).length > 0 : body !== undefined && body !== '';
}

/** A webhook that takes several methods has an output for each. */
export const handleWebhook: Handler = async (call) => {
  const { httpMethod, multipleMethods } = call.node.parameters;
  const items = givenItems(call).map((item) => requestOf(item, call.step.facts));
  if (multipleMethods !== true) return [items];
  const methods: readonly unknown[] = Array.isArray(httpMethod) ? httpMethod : ['GET', 'POST'];
  const outputs = methods.map((): Item[] => []);
  for (const item of items) {
    const at = methods.findIndex((method) => WITHOUT_BODY.has(method) !== hasBody(item));
    outputs[Math.max(0, at)]?.push(item);
  }
  return outputs;
};
