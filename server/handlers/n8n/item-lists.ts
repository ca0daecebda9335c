import type { Item } from '../../items/item.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { aggregateItems } from './aggregate.ts';
import { limitItems } from './limit.ts';
import { uniqueItems } from './remove-duplicates.ts';
import { sortItems } from './sort.ts';
import { splitItems } from './split-out.ts';
import { type DataStep, settingsByItem, settingsOfFirst } from './step-settings.ts';
import { summarizeItems } from './summarize.ts';

/** From this version on it passes over an item that has no list. */
const LENIENT = 3;

async function splitStep({ call, items }: DataStep): Promise<Item[]> {
  const settings = await settingsByItem(call, items);
  return splitItems(items, settings, call.node.version < LENIENT ? 'lists' : 'anything');
}

type Operation = (step: DataStep) => Item[] | Promise<Item[]>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  splitOutItems: splitStep,
  aggregateItems: (step) => [aggregateItems(step, 'fails')],
  concatenateItems: (step) => [aggregateItems(step, 'fails')],
  removeDuplicates: uniqueItems,
  sort: sortItems,
  limit: limitItems,
  summarize: (step) => summarizeItems(step, true),
};

/** Item Lists, all versions: the steps of data as they were before they had nodes of their own. */
export const handleItemLists: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  const name = settings.text('operation', 'splitOutItems');
  const operation = OPERATIONS[name];
  if (operation === undefined)
    throw new StepFailure(`Item Lists has no operation '${name}'. Choose one of its operations.`);
  return [await operation({ call, items, settings })];
};
