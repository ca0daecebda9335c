import type { Item, Outputs } from './item.ts';

type Inputs = readonly (readonly Item[] | null)[];

/** Says of items that do not say it themselves what they were made of, where that can be guessed. */
export function paired(items: readonly Item[], given: number): Item[] {
  return items.map((item, at) => {
    if (item.pairedItem !== undefined) return item;
    if (items.length === given) return { ...item, pairedItem: { item: at } };
    return given === 1 || items.length === 1 ? { ...item, pairedItem: { item: 0 } } : item;
  });
}

/** Each item is made of itself, as far as the step that gets it is concerned. */
export function madeOfItself(inputs: Inputs): Inputs {
  return inputs.map(
    (items, input) =>
      items?.map((item, at) => ({
        ...item,
        pairedItem: input === 0 ? { item: at } : { item: at, input },
      })) ?? null,
  );
}

/** The first input as it came. */
export function passed(inputs: Inputs): Outputs {
  return [inputs[0] ?? []];
}

/**
 * What a step gives that does not run: it is disabled, or its items are pinned; undefined for one
 * that runs. A pin on a disabled step counts for nothing.
 */
export function givenWithoutRunning(
  inputs: Inputs,
  { disabled, pinned }: { readonly disabled: boolean; readonly pinned: readonly Item[] | null },
): Outputs | undefined {
  if (disabled) return passed(madeOfItself(inputs));
  if (pinned === null) return undefined;
  return [paired(pinned, inputs[0]?.length ?? 0)];
}
