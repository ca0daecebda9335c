import type { BinaryReference, Item, JsonObject } from '../../../items/item.ts';
import { setOwn } from '../../../kernel/json.ts';
import { pairingOf } from '../pairings.ts';
import type { Settings } from '../step-settings.ts';

/** What becomes of fields that several inputs have. */
export interface Clash {
  /** The input whose fields win, from 0; `last`, or `suffix`: all stay, with the number of theirs. */
  readonly wins: number | 'last' | 'suffix';
  /** Objects and lists in fields are merged as well. */
  readonly deep: boolean;
  /** What is null or an empty text wins against nothing. */
  readonly keepsFilled: boolean;
}

/** An item of one of the inputs. */
export interface Part {
  readonly item: Item;
  readonly at: number;
  readonly input: number;
}

export function readClash(settings: Settings): Clash {
  const at = 'options.clashHandling.values';
  const resolve = settings.text(`${at}.resolveClash`);
  const [, input] = /^preferInput(\d+)$/.exec(resolve) ?? [];
  const wins = input === undefined ? 'last' : Number(input) - 1;
  return {
    wins: resolve === 'addSuffix' ? 'suffix' : wins,
    deep: settings.value(`${at}.mergeMode`, 'deepMerge') !== 'shallowMerge',
    keepsFilled: settings.isOn(`${at}.overrideEmpty`),
  };
}

/** Whoever is asked first wins unless the author said otherwise. */
export function preferring(clash: Clash, input: number): Clash {
  return clash.wins === 'last' ? { ...clash, wins: input } : clash;
}

function fieldMerged(old: unknown, value: unknown, { deep, keepsFilled }: Clash): unknown {
  if (value === undefined) return old;
  const isNothing = value === null || value === '';
  if (isNothing) return keepsFilled && old !== undefined ? old : value;
  const isContainer = typeof value === 'object';
  if (!deep || !isContainer || typeof old !== 'object' || old === null) return value;
  // A list takes the place of an object; of an object in a list's place nothing is left.
  if (Array.isArray(value) !== Array.isArray(old)) return Array.isArray(value) ? value : old;
  const merged = (Array.isArray(old) ? [...old] : { ...old }) as JsonObject;
  mergeInto(merged, value as JsonObject, { wins: 'last', deep, keepsFilled });
  return merged;
}

function mergeInto(target: JsonObject, source: JsonObject, clash: Clash): void {
  for (const [key, value] of Object.entries(source)) {
    const old = Object.hasOwn(target, key) ? target[key] : undefined;
    setOwn(target, key, old === undefined ? value : fieldMerged(old, value, clash));
  }
}

/** The fields of an item, each with the number of its input behind its name. */
export function suffixed({ item, input }: Part): JsonObject {
  return Object.fromEntries(
    Object.entries(item.json).map(([key, value]) => [`${key}_${input + 1}`, value]),
  );
}

/** In the order in which they go into one item: whoever comes later wins. */
function inOrder(parts: readonly Part[], { wins }: Clash): readonly Part[] {
  const winner = parts.filter(({ input }) => input === wins);
  return [...parts.filter(({ input }) => input !== wins), ...winner];
}

/** One item of several. */
export function combined(parts: readonly Part[], clash: Clash): Item {
  const json: JsonObject = {};
  const binary: Record<string, BinaryReference> = {};
  const order = inOrder(parts, clash);
  for (const part of order) {
    mergeInto(json, clash.wins === 'suffix' ? suffixed(part) : part.item.json, clash);
    Object.assign(binary, part.item.binary);
  }
  return {
    json,
    ...(Object.keys(binary).length === 0 ? {} : { binary }),
    pairedItem: order.map(({ at, input }) => pairingOf(at, input)),
  };
}
