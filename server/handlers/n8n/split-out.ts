import type { Item, JsonObject } from '../../items/item.ts';
import { setOwn } from '../../kernel/json.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { copyOf, fieldOf, removeField } from './field-path.ts';
import { pairingOf } from './pairings.ts';
import { type Settings, settingsByItem } from './step-settings.ts';

const BINARY = '$binary';

/** How strictly a field must hold a list: older versions of Item Lists refuse what is none. */
export type SplitOf = 'lists' | 'anything';

type Binary = NonNullable<Item['binary']>;

interface Part {
  json: JsonObject;
  binary?: Binary;
}

interface SplitField {
  readonly name: string;
  /** The field of the new items; empty where their name decides. */
  readonly destination: string;
}

function fieldsOf(settings: Settings): SplitField[] {
  const names = settings.names('fieldToSplitOut').map((name) => name.replace(/^\$json\./, ''));
  const destinations = settings.names('options.destinationFieldName');
  if (destinations.length > 0 && destinations.length !== names.length)
    throw new StepFailure(
      'If multiple fields to split out are given, the same number of destination fields must be given',
    );
  return names.map((name, at) => ({ name, destination: destinations[at] ?? '' }));
}

function elementsOf(json: JsonObject, name: string, dotted: boolean, of: SplitOf): unknown[] {
  const value = fieldOf(json, name, dotted);
  if (Array.isArray(value)) return value;
  if (of === 'lists')
    throw new StepFailure(
      value === undefined
        ? `Couldn't find the field '${name}' in the input data`
        : `The provided field '${name}' is not an array`,
    );
  if (value === undefined) return [];
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

function partAt(parts: Part[], at: number): Part {
  const part = parts[at] ?? { json: {} };
  parts[at] = part;
  return part;
}

function addFiles(parts: Part[], item: Item): void {
  Object.entries(item.binary ?? {}).forEach(([key, file], at) => {
    const part = partAt(parts, at);
    part.binary = { ...part.binary, [key]: file };
  });
}

/** An element that is an object becomes the item itself where nothing else goes into it. */
function addElements(
  parts: Part[],
  elements: readonly unknown[],
  { name, destination }: SplitField,
  spreads: boolean,
): void {
  elements.forEach((element, at) => {
    const part = partAt(parts, at);
    if (spreads && typeof element === 'object' && element !== null)
      part.json = { ...part.json, ...element };
    else setOwn(part.json, destination === '' ? name : destination, element);
  });
}

function partsOf(
  item: Item,
  settings: Settings,
  fields: readonly SplitField[],
  of: SplitOf,
): readonly Part[] {
  const parts: Part[] = [];
  const isAlone = settings.value('include', 'noOtherFields') === 'noOtherFields';
  for (const field of fields) {
    const spreads = isAlone && fields.length === 1 && field.destination === '';
    if (field.name === BINARY) addFiles(parts, item);
    else addElements(parts, elementsOf(item.json, field.name, settings.dotted, of), field, spreads);
  }
  return parts;
}

/** What the other fields make of the json of a part. */
function withOthers({ json }: Item, settings: Settings, fields: readonly SplitField[]) {
  switch (settings.value('include', 'noOtherFields')) {
    case 'allOtherFields': {
      const others = copyOf(json);
      for (const { name } of fields) removeField(others, name, settings.dotted);
      return (part: JsonObject): JsonObject => ({ ...others, ...part });
    }
    case 'selectedOtherFields': {
      const names = settings.names('fieldsToInclude');
      if (names.length === 0)
        throw new StepFailure('No fields specified. Please add a field to include');
      const others = Object.fromEntries(
        names.map((name) => [name, fieldOf(json, name, settings.dotted)]),
      );
      return (part: JsonObject): JsonObject => ({ ...part, ...others });
    }
    default:
      return (part: JsonObject): JsonObject => part;
  }
}

function splitItem(item: Item, at: number, settings: Settings, of: SplitOf): Item[] {
  const fields = fieldsOf(settings);
  const whole = withOthers(item, settings, fields);
  const kept = settings.isOn('options.includeBinary') ? item.binary : undefined;
  return partsOf(item, settings, fields, of).map(({ json, binary = kept }) => ({
    json: whole(json),
    ...(binary === undefined ? {} : { binary }),
    pairedItem: pairingOf(at),
  }));
}

/** One item for each element of a list in an item. */
export function splitItems(
  items: readonly Item[],
  settings: readonly Settings[],
  of: SplitOf,
): Item[] {
  return items.flatMap((item, at) => {
    const own = settings[at];
    return own === undefined ? [] : splitItem(item, at, own, of);
  });
}

/** Split Out. */
export const handleSplitOut: Handler = async (call) => {
  const items = itemsOf(call);
  return [splitItems(items, await settingsByItem(call, items), 'anything')];
};
