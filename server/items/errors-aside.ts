import { isObject } from '../kernel/json.ts';
import type { Item, Outputs } from './item.ts';

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
  onError: string,
): Outputs {
  if (onError !== 'error_output') return outputs;
  const own = Array.from({ length: count }, (_, at) => outputs[at] ?? []);
  const bad = own.flat().filter(tellsError);
  return [
    ...own.map((list) => list.filter((item) => !tellsError(item))),
    bad.map((item) => withFieldsOf(items, item)),
  ];
}
