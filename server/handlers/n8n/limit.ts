import type { Item } from '../../items/item.ts';
import { type Handler, itemsOf } from '../handler.ts';
import { type DataStep, settingsOfFirst } from './step-settings.ts';

/** The first or the last items. */
export function limitItems({ items, settings }: DataStep): Item[] {
  const most = Number(settings.value('maxItems', 1));
  if (most > items.length) return [...items];
  const isLast = settings.value('keep', 'firstItems') === 'lastItems';
  return isLast ? items.slice(items.length - most) : items.slice(0, most);
}

/** Limit. */
export const handleLimit: Handler = async (call) => {
  const items = itemsOf(call);
  return [limitItems({ call, items, settings: await settingsOfFirst(call, items) })];
};
