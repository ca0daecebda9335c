import type { Item, JsonObject, Outputs } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { type OnError, StepFailure } from '../handler.ts';

/** What became of one item: new items, or why there are none. */
export type ItemOutcome =
  | readonly Item[]
  /** `error` stands in the item where the source tells more than the message. */
  | { readonly failed: string; readonly error?: JsonObject };

/** The outputs of a step that handles item by item. @throws StepFailure when it stops at the first error */
export function outputsOf(
  items: readonly Item[],
  outcomes: readonly ItemOutcome[],
  onError: OnError,
): Outputs {
  const good: Item[] = [];
  const bad: Item[] = [];
  outcomes.forEach((outcome, at) => {
    if (!('failed' in outcome)) {
      good.push(...outcome);
      return;
    }
    const { failed, error = failed } = outcome;
    if (onError === 'stop') throw new StepFailure(failed);
    const told: JsonObject = { error };
    const pairedItem = { item: at };
    if (onError === 'regular_output') good.push({ json: told, pairedItem });
    else bad.push({ json: { ...items[at]?.json, ...told }, pairedItem });
  });
  return onError === 'error_output' ? [good, bad] : [good];
}

/** An item that says of itself that something failed. */
function tellsError({ json, error }: Item): boolean {
  if (error !== undefined) return true;
  if (!json['error']) return false;
  const keys = Object.keys(json).length;
  return keys === 1 || (keys === 2 && Boolean(json['message']));
}

function withFieldsOf(items: readonly Item[], { error: _, ...item }: Item): Item {
  const paired = isObject(item.pairedItem) ? item.pairedItem['item'] : undefined;
  const source = typeof paired === 'number' ? items[paired]?.json : undefined;
  return { ...item, json: { ...source, ...item.json } };
}

/**
 * The outputs of a step that has one for errors, which is the last: items that tell an error go
 * there, with the fields of what they were made of. What the step gave there itself is lost.
 *
 * @param count How many outputs the step has without it.
 */
export function errorsAside(
  outputs: Outputs,
  count: number,
  items: readonly Item[],
  onError: OnError,
): Outputs {
  if (onError !== 'error_output') return outputs;
  const own = Array.from({ length: count }, (_, at) => outputs[at] ?? []);
  const bad = own.flat().filter(tellsError);
  return [
    ...own.map((list) => list.filter((item) => !tellsError(item))),
    bad.map((item) => withFieldsOf(items, item)),
  ];
}
