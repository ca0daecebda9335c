import type { Item, JsonObject } from '../../items/item.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { compareValues, sortedPlaces } from './compare-values.ts';
import { fieldOf, setField } from './field-path.ts';
import { type DataStep, type Settings, settingsOfFirst } from './step-settings.ts';

/** The ways to everything in an object that is neither an object nor a list. */
function leavesOf(value: unknown, way: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [way.join('.')];
  return Object.entries(value).flatMap(([key, inside]) => leavesOf(inside, [...way, key]));
}

function namedFields(settings: Settings, list: string): string[] {
  const names = settings.names(list);
  if (names.length === 0)
    throw new StepFailure('No fields specified. Please add a field to compare');
  return names;
}

function comparedFields(items: readonly Item[], settings: Settings): string[] {
  const compare = settings.value('compare', 'allFields');
  if (compare === 'selectedFields') return namedFields(settings, 'fieldsToCompare');
  const keysOf = (json: JsonObject): string[] =>
    settings.dotted ? leavesOf(json) : Object.keys(json);
  const all = new Set(items.flatMap(({ json }) => keysOf(json)));
  if (compare === 'allFieldsExcept')
    for (const name of namedFields(settings, 'fieldsToExclude')) all.delete(name);
  return [...all];
}

/** A field must be there in all items, and of one type. */
function checkColumn(name: string, values: readonly unknown[], passesNull: boolean): void {
  let type: string | undefined;
  for (const value of values) {
    if (value === null && passesNull) continue;
    if (value === undefined)
      throw new StepFailure(`'${name}' field is missing from some input items`);
    type ??= typeof value;
    if (type !== typeof value) throw new StepFailure(`'${name}' isn't always the same type`);
  }
}

/** The places of the items that equal an earlier one. As the source does, it compares neighbours. */
function repeatedPlaces(count: number, columns: readonly (readonly unknown[])[]): Set<number> {
  const places = sortedPlaces(
    count,
    columns.map((values) => ({ values, descends: false })),
  );
  const repeated = new Set<number>();
  let kept: number | undefined;
  for (const at of places) {
    const before = kept;
    const isSame =
      before !== undefined &&
      columns.every((values) => compareValues(values[at], values[before]) === 0);
    if (isSame) repeated.add(at);
    else kept = at;
  }
  return repeated;
}

function onlyFields(item: Item, names: readonly string[], dotted: boolean): Item {
  const json: JsonObject = {};
  for (const name of names) {
    const value = fieldOf(item.json, name, dotted);
    if (value === undefined) continue;
    setField(json, name, value, dotted && !Object.hasOwn(item.json, name));
  }
  return { ...item, json };
}

/** The items that equal no earlier one. */
export function uniqueItems({ call, items, settings }: DataStep): Item[] {
  const names = comparedFields(items, settings);
  const columns = names.map((name) =>
    items.map(({ json }) => fieldOf(json, name, settings.dotted)),
  );
  columns.forEach((values, at) => {
    checkColumn(names[at] ?? '', values, call.node.version > 1);
  });
  const repeated = repeatedPlaces(items.length, columns);
  const unique = items.filter((_, at) => !repeated.has(at));
  const isReduced =
    settings.value('compare') === 'selectedFields' && settings.isOn('options.removeOtherFields');
  return isReduced ? unique.map((item) => onlyFields(item, names, settings.dotted)) : unique;
}

const HERE = 'removeDuplicateInputItems';

/** Remove Duplicates, among the items that come in. */
export const handleRemoveDuplicates: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  if (settings.value('operation', HERE) !== HERE)
    throw new StepFailure(
      'Remove Duplicates knows no items of earlier runs here. Compare the items of one run.',
    );
  return [uniqueItems({ call, items, settings })];
};
