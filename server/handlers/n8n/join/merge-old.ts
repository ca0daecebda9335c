import type { Item, JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import { fieldOf } from '../field-path.ts';
import { pairingOf } from '../pairings.ts';
import { checkCount } from './find-matches.ts';
import { emptyItem, type MergeStep, twoInputs } from './merge-inputs.ts';
import { appendInputs } from './merge-modes.ts';

/** Version 1 merges fields, not what is inside of them. */
function merged(one: Item, at: number, other: Item, otherAt: number): Item {
  return {
    ...other,
    ...one,
    json: { ...one.json, ...other.json },
    pairedItem: [pairingOf(at), pairingOf(otherAt, 1)],
  };
}

function byIndex(step: MergeStep): Item[] {
  const [ones, others] = twoInputs(step);
  const join = step.settings.value('join', 'left');
  const count =
    join === 'inner'
      ? Math.min(ones.length, others.length)
      : join === 'outer'
        ? Math.max(ones.length, others.length)
        : ones.length;
  return Array.from({ length: count }, (_, at) => {
    const one = ones[at];
    const other = others[at];
    if (one !== undefined && other !== undefined) return [merged(one, at, other, at)];
    return one ?? other ?? [];
  }).flat();
}

function multiplex(step: MergeStep): Item[] {
  const [ones, others] = twoInputs(step);
  checkCount(ones.length * others.length);
  return ones.flatMap((one, at) => others.map((other, otherAt) => merged(one, at, other, otherAt)));
}

interface Keyed {
  /** What an item of the first input holds, as text; undefined where it has none. */
  keyOf(one: Item): string | undefined;
  /** The last item of the second input for each text. */
  readonly others: ReadonlyMap<string, Item>;
}

/** Values are compared as texts: 1 is "1". */
function keyed(step: MergeStep): Keyed {
  const text = (json: JsonObject, name: string): string | undefined => {
    const value = fieldOf(json, step.settings.text(name), true);
    if (value === undefined) return undefined;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  };
  const others = new Map<string, Item>();
  for (const item of step.inputs[1] ?? []) {
    const key = text(item.json, 'propertyName2');
    if (key !== undefined) others.set(key, item);
  }
  return { others, keyOf: ({ json }) => text(json, 'propertyName1') };
}

/** Whether a field of the second input takes the place of one of the first. */
function overwrites(json: JsonObject, key: string, overwrite: unknown): boolean {
  if (overwrite === 'undefined') return !Object.hasOwn(json, key);
  if (overwrite !== 'blank') return true;
  const value = json[key];
  return value === undefined || value === null || value === '';
}

function mergeByKey(step: MergeStep): Item[] {
  const { keyOf, others } = keyed(step);
  const overwrite = step.settings.value('overwrite', 'always');
  const ownKey = step.settings.text('propertyName2');
  return twoInputs(step)[0].map((one) => {
    const other = others.get(keyOf(one) ?? '');
    if (other === undefined || keyOf(one) === undefined) return one;
    const added = Object.entries(other.json).filter(
      ([key]) => key !== ownKey && overwrites(one.json, key, overwrite),
    );
    return { ...one, json: { ...one.json, ...Object.fromEntries(added) } };
  });
}

function byKey(step: MergeStep, keeps: boolean): Item[] {
  const { keyOf, others } = keyed(step);
  return twoInputs(step)[0].filter((one) => {
    const key = keyOf(one);
    return (key !== undefined && others.has(key)) === keeps;
  });
}

function passThrough(step: MergeStep): Item[] {
  const input = step.settings.value('output', 'input1') === 'input2' ? 1 : 0;
  return [...(step.inputs[input] ?? [])];
}

const MODES: Readonly<Record<string, (step: MergeStep) => Item[]>> = {
  append: appendInputs,
  keepKeyMatches: (step) => byKey(step, true),
  mergeByIndex: byIndex,
  mergeByKey,
  multiplex,
  passThrough,
  removeKeyMatches: (step) => byKey(step, false),
  wait: (step) => [emptyItem(step)],
};

/** Merge, version 1. @throws StepFailure */
export function mergeAsInVersion1(step: MergeStep): Item[] {
  const mode = step.settings.text('mode', 'append');
  const merge = MODES[mode];
  if (merge === undefined) throw new StepFailure(`Merge 1 has no mode '${mode}'`);
  return merge(step);
}
