import type { BinaryReference, Item, JsonObject } from '../../items/item.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { fieldOf, setField } from './field-path.ts';
import { pairedWithAll } from './pairings.ts';
import { type DataStep, type Settings, settingsOfFirst } from './step-settings.ts';

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

/** What the items have in a field, as one list. */
function gathered(items: readonly Item[], name: string, settings: Settings): unknown[] {
  const keepsMissing = settings.isOn('options.keepMissing');
  const merges = settings.isOn('options.mergeLists');
  return items.flatMap(({ json }) => {
    const found = fieldOf(json, name, settings.dotted);
    if (!keepsMissing && isMissing(found)) return [];
    const value =
      Array.isArray(found) && !keepsMissing ? found.filter((one) => one !== null) : found;
    // A list goes in as one element unless lists are merged.
    return Array.isArray(value) && merges ? value : [value ?? null];
  });
}

/** The last part of a way is the name of what it leads to. */
function lastPart(name: string, dotted: boolean): string {
  return dotted && name.includes('.') ? (name.split('.').at(-1) ?? name) : name;
}

/** Whether a field that no item has is an error. */
export type MissingField = 'fails' | 'is_empty';

interface Gathering {
  readonly name: string;
  /** The field of the new item. */
  readonly output: string;
}

function gatheringOf(field: JsonObject, dotted: boolean): Gathering {
  const name = String(field['fieldToAggregate'] ?? '');
  const renamed = field['renameField'] === true ? String(field['outputFieldName'] ?? '') : '';
  return { name, output: renamed === '' ? lastPart(name, dotted) : renamed };
}

function checkOutputs(fields: readonly JsonObject[]): void {
  if (fields.length === 0)
    throw new StepFailure('No fields specified. Please add a field to aggregate');
  const outputs = fields.map((field) =>
    String(field[field['renameField'] === true ? 'outputFieldName' : 'fieldToAggregate'] ?? ''),
  );
  const twice = outputs.find((output, at) => outputs.indexOf(output) !== at);
  if (twice !== undefined)
    throw new StepFailure(`The '${twice}' output field is used more than once`);
}

function individualFields(
  items: readonly Item[],
  settings: Settings,
  missing: MissingField,
): JsonObject {
  const fields = settings.list('fieldsToAggregate.fieldToAggregate');
  checkOutputs(fields);
  const fails = missing === 'fails' && !settings.isOn('options.keepMissing');
  const isIn = ({ json }: Item, name: string): boolean =>
    fieldOf(json, name, settings.dotted) !== undefined;
  const made: JsonObject = {};
  for (const { name, output } of fields.map((field) => gatheringOf(field, settings.dotted))) {
    if (name === '') continue;
    if (fails && !items.some((item) => isIn(item, name)))
      throw new StepFailure(`Couldn't find the field '${name}' in the input data`);
    setField(made, output, gathered(items, name, settings), settings.dotted);
  }
  return made;
}

/** Items without a field of those that go in are left out. */
function wholeItems(items: readonly Item[], settings: Settings): JsonObject {
  const include = settings.value('include', 'allFields');
  const only = include === 'specifiedFields' ? settings.names('fieldsToInclude') : [];
  const without = include === 'allFieldsExcept' ? settings.names('fieldsToExclude') : [];
  const rows = items.map(({ json }) => json);
  const data =
    only.length + without.length === 0
      ? rows
      : rows
          .map((json) => Object.entries(json))
          .map((entries) =>
            entries.filter(
              ([key]) => !without.includes(key) && (!only.length || only.includes(key)),
            ),
          )
          .filter((entries) => entries.length > 0)
          .map((entries) => Object.fromEntries(entries));
  return { [settings.text('destinationFieldName', 'data')]: data };
}

const FILE_FACTS = ['mimeType', 'fileType', 'fileExtension', 'fileName', 'fileSize'] as const;

function factsOf(file: BinaryReference): string {
  return JSON.stringify(FILE_FACTS.map((fact) => file[fact]));
}

/** The files of all items; one whose name is taken gets a number. */
function filesOf(items: readonly Item[], onlyUnique: boolean): NonNullable<Item['binary']> {
  const all = items.flatMap(({ binary }) => Object.entries(binary ?? {}));
  const unseen = new Set(all.map(([, file]) => factsOf(file)));
  const files = new Map<string, BinaryReference>();
  const numbers = new Map<string, number>();
  for (const [key, file] of all) {
    if (onlyUnique && !unseen.delete(factsOf(file))) continue;
    let number = numbers.get(key) ?? 0;
    while (files.has(number === 0 ? key : `${key}_${number}`)) number += 1;
    numbers.set(key, number);
    files.set(number === 0 ? key : `${key}_${number}`, file);
  }
  return Object.fromEntries(files);
}

/** One item of all. */
export function aggregateItems({ items, settings }: DataStep, missing: MissingField): Item {
  const isWhole = settings.value('aggregate') === 'aggregateAllItemData';
  const files = settings.isOn('options.includeBinaries')
    ? filesOf(items, settings.isOn('options.keepOnlyUnique'))
    : {};
  return {
    json: isWhole ? wholeItems(items, settings) : individualFields(items, settings, missing),
    ...(Object.keys(files).length === 0 ? {} : { binary: files }),
    pairedItem: pairedWithAll(items),
  };
}

/** Aggregate. */
export const handleAggregate: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  return [[aggregateItems({ call, items, settings }, 'is_empty')]];
};
