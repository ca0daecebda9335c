import type { Item } from '../../items/item.ts';
import type { ItemShape } from '../guest/items.ts';
import { isPlain } from './plain-values.ts';

/** For fewer it does not pay, for more the values would take too much memory beside the items. */
const FEWEST = 16;
const MOST = 10_000;
const MOST_FIELDS = 50;

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value);
}

/** What JSON says of it in an object it says of it in a list. */
function isAlikeInList(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Whether the keys are these, in this order. */
function hasKeys(object: object, keys: readonly string[]): boolean {
  let at = 0;
  // Faster than a list of its keys; a plain object inherits none that it tells.
  for (const key in object) {
    if (key !== keys[at]) return false;
    at += 1;
  }
  return at === keys.length;
}

const PAIRING = ['item'];
const PAIRED_ITEM = ['json', 'pairedItem'];
const ITEM = ['json'];

function shapeOf(item: Item | undefined): ItemShape | null {
  if (!isPlainObject(item) || !isPlainObject(item.json)) return null;
  const fields = Object.keys(item.json);
  const isFit = fields.length > 0 && fields.length <= MOST_FIELDS && !fields.includes('__proto__');
  return isFit ? { fields, isPaired: 'pairedItem' in item } : null;
}

function isPairedWith(at: number, pairedItem: unknown): boolean {
  return isPlainObject(pairedItem) && pairedItem['item'] === at && hasKeys(pairedItem, PAIRING);
}

function hasShape(item: Item | undefined, at: number, { fields, isPaired }: ItemShape): boolean {
  if (!isPlainObject(item) || !isPlainObject(item.json)) return false;
  if (!hasKeys(item, isPaired ? PAIRED_ITEM : ITEM) || !hasKeys(item.json, fields)) return false;
  return !isPaired || isPairedWith(at, item.pairedItem);
}

/** The values of items, one item after the other; null when they are not all of this shape. */
function valuesOf(items: readonly Item[], shape: ItemShape): unknown[] | null {
  const values: unknown[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || !hasShape(item, at, shape)) return null;
    for (const field of shape.fields) {
      const value = item.json[field];
      if (!isAlikeInList(value)) return null;
      values.push(value);
    }
  }
  return values;
}

/**
 * What goes over of items, to be made a text of: the items, or their values alone where all have
 * the same fields, which takes the interpreter half of the time to read.
 */
export function itemWords(items: readonly Item[]): {
  readonly shape: ItemShape | null;
  readonly given: readonly unknown[];
} {
  const isMany = items.length >= FEWEST && items.length <= MOST;
  const shape = isMany ? shapeOf(items[0]) : null;
  const values = shape === null ? null : valuesOf(items, shape);
  return values === null ? { shape: null, given: items } : { shape, given: values };
}
