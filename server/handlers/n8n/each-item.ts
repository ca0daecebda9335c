import type { Item } from '../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { FieldFailure } from './fields.ts';
import { type ItemOutcome, outputsOf } from './on-error.ts';
import { type Settings, settingsByItem } from './step-settings.ts';

/** One item of a step with what the step's settings are for it. */
export interface OneItem {
  readonly call: HandlerCall;
  readonly item: Item;
  readonly at: number;
  readonly settings: Settings;
}

/** What a step makes of one item. @throws StepFailure or FieldFailure when it cannot handle it */
export type HandleItem = (one: OneItem) => readonly Item[] | Promise<readonly Item[]>;

/** A step that handles one item after another. */
export function forEachItem(handle: HandleItem): Handler {
  return async (call) => {
    const items = itemsOf(call);
    const all = await settingsByItem(call, items);
    const outcomes: ItemOutcome[] = [];
    for (const [at, settings] of all.entries()) {
      const item = items[at] ?? { json: {} };
      try {
        outcomes.push(await handle({ call, item, at, settings }));
      } catch (error) {
        if (!(error instanceof StepFailure || error instanceof FieldFailure)) throw error;
        outcomes.push({ failed: error.message });
        if (call.node.onError === 'stop') break;
      }
    }
    return outputsOf(items, outcomes, call.node.onError);
  };
}
