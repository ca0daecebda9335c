import type { Item, JsonObject, Outputs } from '../../items/item.ts';
import { type OnError, StepFailure } from '../handler.ts';

/** What became of one item: new items, or why there are none. */
export type ItemOutcome =
  | readonly Item[]
  /** `error` stands in the item where the source tells more than the message. */
  | { readonly failed: string; readonly error?: JsonObject };

/** The outputs of a step that handles item by item. @throws StepFailure when it stops at the first error */
export function outputsOf(
  items: readonly Item[],
  outcomes: readonly ItemOutcome[],
  onError: OnError,
): Outputs {
  const good: Item[] = [];
  const bad: Item[] = [];
  outcomes.forEach((outcome, at) => {
    if (!('failed' in outcome)) {
      good.push(...outcome);
      return;
    }
    const { failed, error = failed } = outcome;
    if (onError === 'stop') throw new StepFailure(failed);
    const told: JsonObject = { error };
    const pairedItem = { item: at };
    if (onError === 'regular_output') good.push({ json: told, pairedItem });
    else bad.push({ json: { ...items[at]?.json, ...told }, pairedItem });
  });
  return onError === 'error_output' ? [good, bad] : [good];
}
