import type { Item, Pairing } from '../../items/item.ts';

/** The item at a place of an input. */
export function pairingOf(item: number, input = 0): Pairing {
  return input === 0 ? { item } : { item, input };
}

/** One item that all of the first input went into. */
export function pairedWithAll(items: readonly Item[]): Pairing[] {
  return items.map((_, at) => pairingOf(at));
}
