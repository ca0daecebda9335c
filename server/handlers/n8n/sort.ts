import type { Item } from '../../items/item.ts';
import { contextOf, type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { type SortColumn, sortedPlaces } from './compare-values.ts';
import { fieldOf } from './field-path.ts';
import { type DataStep, type Settings, settingsOfFirst } from './step-settings.ts';

/** Gives the places of items in a new order, as one item. */
const ORDER_BY_CODE = (code: string): string => `const order = (a, b) => { ${code} };
const places = items.map((item, at) => ({ item, at }));
places.sort((one, other) => order(one.item, other.item));
return { places: places.map(({ at }) => at) };`;

const ORDER_BY_CHANCE = `const places = items[0].json.places;
for (let at = places.length - 1; at > 0; at -= 1) {
  const other = Math.floor(Math.random() * (at + 1));
  [places[at], places[other]] = [places[other], places[at]];
}
return { places };`;

async function placesByCode(
  call: HandlerCall,
  items: readonly Item[],
  source: string,
): Promise<number[]> {
  const code = { source, mode: 'all', goesOn: false } as const;
  const { answers } = await call.evaluator.runCode(contextOf(call, items), code);
  const [answer] = answers;
  if (answer === undefined) throw new StepFailure('Unknown error');
  if (answer.kind === 'threw')
    throw new StepFailure(
      answer.line === null ? answer.message : `${answer.message} [line ${answer.line}]`,
    );
  const places: unknown = (answer.value as { places?: unknown } | null)?.places;
  return Array.isArray(places) ? places.map(Number) : [];
}

function columnsOf(items: readonly Item[], settings: Settings): SortColumn[] {
  const fields = settings.list('sortFieldsUi.sortField');
  if (fields.length === 0)
    throw new StepFailure('No sorting specified. Please add a field to sort by');
  return fields.map(({ fieldName, order }) => {
    const name = String(fieldName ?? '');
    const values = items.map(({ json }) => fieldOf(json, name, settings.dotted));
    if (items.length > 0 && values.every((value) => value === undefined))
      throw new StepFailure(`Couldn't find the field '${name}' in the input data`);
    return {
      values: values.map((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
      descends: order === 'descending',
    };
  });
}

function placesInOrder({ call, items, settings }: DataStep): number[] | Promise<number[]> {
  switch (settings.value('type', 'simple')) {
    case 'random':
      return placesByCode(call, [{ json: { places: items.map((_, at) => at) } }], ORDER_BY_CHANCE);
    case 'code': {
      const code = settings.text('code');
      if (!/\breturn\b/.test(code))
        throw new StepFailure(
          "Sort code doesn't return. Please add a 'return' statement to your code",
        );
      return placesByCode(call, items, ORDER_BY_CODE(code));
    }
    default:
      return sortedPlaces(items.length, columnsOf(items, settings));
  }
}

/** The items in the order of fields, of code, or of chance. */
export async function sortItems(step: DataStep): Promise<Item[]> {
  const places = await placesInOrder(step);
  return places.flatMap((at) => step.items[at] ?? []);
}

/** Sort. */
export const handleSort: Handler = async (call) => {
  const items = itemsOf(call);
  return [await sortItems({ call, items, settings: await settingsOfFirst(call, items) })];
};
