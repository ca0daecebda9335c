import type { Item, Outputs } from './item.ts';

/**
 * An output as a run keeps it: the fields of its items as one JSON text, and in another what stands
 * beside them (files, what they were made of). Long texts are stored once, however often they pass.
 */
export interface StoredOutput {
  readonly count: number;
  readonly json: string;
  readonly beside: string;
}

/** By output; null for one that gave nothing. */
export type StoredOutputs = readonly (StoredOutput | null)[];

/** Items in the form in which a run keeps them. */
export function storeItems(items: readonly Item[]): StoredOutput {
  return {
    count: items.length,
    json: JSON.stringify(items.map(({ json }) => json)),
    beside: JSON.stringify(items.map(({ json: _, ...rest }) => rest)),
  };
}

/** Outputs in the form in which a run keeps them. */
export function storeOutputs(outputs: Outputs): StoredOutputs {
  return outputs.map((items) => (items === null ? null : storeItems(items)));
}

const READ = new WeakMap<StoredOutput, readonly Item[]>();

/** The items of a stored output; read once for each that is held. */
export function readOutput(stored: StoredOutput): readonly Item[] {
  const known = READ.get(stored);
  if (known !== undefined) return known;
  const fields = JSON.parse(stored.json) as Item['json'][];
  const beside = JSON.parse(stored.beside) as Omit<Item, 'json'>[];
  const items = fields.map((json, at): Item => ({ json, ...beside[at] }));
  READ.set(stored, items);
  return items;
}

/** All outputs of a step. */
export function readOutputs(stored: StoredOutputs): Outputs {
  return stored.map((output) => (output === null ? null : readOutput(output)));
}

/** One item for each of some fields, made of those at the same places. */
export function itemsOfFields(fields: readonly Item['json'][]): readonly Item[] {
  return fields.map((json, item): Item => ({ json, pairedItem: { item } }));
}
