import type { Item } from '../../../items/item.ts';
import { pairingOf } from '../pairings.ts';
import type { Settings } from '../step-settings.ts';
import type { Part } from './clash.ts';

/** One run of a Merge. */
export interface MergeStep {
  /** By input; empty for one that got nothing. */
  readonly inputs: readonly (readonly Item[])[];
  readonly settings: Settings;
  readonly version: number;
}

/** The first two inputs. */
export function twoInputs({ inputs }: MergeStep): [readonly Item[], readonly Item[]] {
  return [inputs[0] ?? [], inputs[1] ?? []];
}

/** The item at a place of an input, as a part of another one. */
export function partAt({ inputs }: MergeStep, input: number, at: number): Part[] {
  const item = inputs[input]?.[at];
  return item === undefined ? [] : [{ item, at, input }];
}

/** An empty item that says that all inputs went into it. */
export function emptyItem({ inputs }: MergeStep): Item {
  const pairedItem = inputs.flatMap((items, input) => items.map((_, at) => pairingOf(at, input)));
  return { json: {}, pairedItem };
}
