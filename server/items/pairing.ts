import type { Item, PairedItem, Pairing } from './item.ts';
import type { NodeRun, RunRecord, RunSource } from './run-record.ts';

/** Where an item of an earlier step stands. */
export interface ItemPlace extends RunSource {
  readonly item: number;
}

export type Traced =
  | { readonly kind: 'found'; readonly place: ItemPlace }
  /** The ways back end before the step: the item has nothing to do with it. */
  | { readonly kind: 'none' }
  | { readonly kind: 'several' }
  /** A step on the way gave the item without saying what it was made of. */
  | { readonly kind: 'unpaired'; readonly node: string };

/** A way back through more steps than any workflow has goes in circles. */
const LONGEST_WAY = 10_000;

function pairingsOf(paired: PairedItem | undefined): readonly Pairing[] {
  if (paired === null || paired === undefined) return [];
  const list = typeof paired === 'object' && 'length' in paired ? paired : [paired];
  return list.map((one) => (typeof one === 'number' ? { item: one } : one));
}

function runAt(record: RunRecord, place: RunSource): NodeRun | undefined {
  return record.get(place.node)?.[place.run];
}

/** The item at a place. */
export function itemAt(record: RunRecord, place: ItemPlace): Item | undefined {
  return runAt(record, place)?.outputs[place.output]?.[place.item];
}

function placeBehind(run: NodeRun, { item, input = 0, sourceOverwrite }: Pairing) {
  if (sourceOverwrite !== undefined)
    return {
      node: sourceOverwrite.previousNode,
      output: sourceOverwrite.previousNodeOutput ?? 0,
      run: sourceOverwrite.previousNodeRun ?? 0,
      item,
    };
  const source = run.sources[input];
  return source === null || source === undefined ? undefined : { ...source, item };
}

function keyOf(place: ItemPlace): string {
  return `${place.node}\n${place.output}\n${place.run}\n${place.item}`;
}

interface Step {
  readonly next: readonly ItemPlace[];
  readonly unpaired?: string;
}

/** The places that the item at a place was made of. */
function stepBack(record: RunRecord, place: ItemPlace): Step {
  const run = runAt(record, place);
  const item = itemAt(record, place);
  if (run === undefined || item === undefined || run.sources.length === 0) return { next: [] };
  const pairings = pairingsOf(item.pairedItem);
  if (pairings.length === 0) return { next: [], unpaired: place.node };
  return { next: pairings.flatMap((pairing) => placeBehind(run, pairing) ?? []) };
}

/**
 * The number of the item, among those that the flow was given, that an item was first made of;
 * undefined where a step on the way does not say.
 */
export function originOf(record: RunRecord, from: ItemPlace): number | undefined {
  let place: ItemPlace | undefined = from;
  for (let step = 0; place !== undefined && step < LONGEST_WAY; step += 1) {
    if (runAt(record, place)?.sources.length === 0) return place.item;
    [place] = stepBack(record, place).next;
  }
  return undefined;
}

/** Goes back from an item to the one of the step with that name that it was made of. */
export function traceItem(record: RunRecord, from: ItemPlace, name: string): Traced {
  const found = new Map<string, ItemPlace>();
  const seen = new Set<string>();
  let unpaired: string | undefined;
  const waiting: ItemPlace[] = [from];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const key = keyOf(place);
    if (seen.has(key) || seen.size > LONGEST_WAY) continue;
    seen.add(key);
    if (place.node === name) {
      found.set(key, place);
      continue;
    }
    const step = stepBack(record, place);
    unpaired ??= step.unpaired;
    waiting.push(...step.next);
  }
  const [first, second] = found.values();
  if (second !== undefined) return { kind: 'several' };
  if (first !== undefined) return { kind: 'found', place: first };
  return unpaired === undefined ? { kind: 'none' } : { kind: 'unpaired', node: unpaired };
}
