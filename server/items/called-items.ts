import { errorsAside } from './errors-aside.ts';
import { paired } from './given-step.ts';
import type { Item, Outputs } from './item.ts';

/** What one call of another workflow gave, or why it failed. */
export type CallEnd = { readonly outputs: Outputs } | { readonly error: string };

/** How a step calls another workflow. */
export interface CallConduct {
  /** Once for each item; else once with all of them. */
  readonly each: boolean;
  /** What the called workflow gives goes on; else the items that went in do. */
  readonly waits: boolean;
}

/** What the step was given, and what it does when a call fails. */
export interface CallingStep extends CallConduct {
  readonly given: readonly Item[];
  readonly onError: 'stop' | 'regular_output' | 'error_output';
}

function madeOf(items: readonly Item[], item: number): Item[] {
  return items.map((one) => ({ ...one, pairedItem: { item } }));
}

function errorItem(error: string, item: number): Item {
  return { json: { error }, pairedItem: { item } };
}

function ofAll(end: CallEnd | undefined, given: readonly Item[]): Outputs {
  if (end === undefined) return [[]];
  if ('error' in end) return [[errorItem(end.error, 0)]];
  return end.outputs.map((items) => items && paired(items, given.length));
}

/** The error of a call stands in the output of the call's number, whatever was there: so does the source. */
function ofEach(ends: readonly CallEnd[]): Outputs {
  const outputs: Item[][] = [[]];
  ends.forEach((end, at) => {
    if ('error' in end) {
      while (outputs.length <= at) outputs.push([]);
      outputs[at] = [errorItem(end.error, at)];
      return;
    }
    end.outputs.forEach((items, output) => {
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push(...madeOf(items ?? [], at));
    });
  });
  return outputs;
}

/** What a step gives that called another workflow. */
export function itemsCalled(step: CallingStep, ends: readonly CallEnd[]): Outputs {
  const { given, each, waits, onError } = step;
  if (!waits) return [given.map((item, at) => ({ ...item, pairedItem: { item: at } }))];
  return errorsAside(each ? ofEach(ends) : ofAll(ends[0], given), 1, given, onError);
}
