import type { Item, JsonObject } from '../../items/item.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { fieldOf } from './field-path.ts';
import { pairedWithAll, pairingOf } from './pairings.ts';
import { type DataStep, type Settings, settingsOfFirst } from './step-settings.ts';

/** The numbers of some items among all of the step. */
type Places = readonly number[];

const PREFIXES: Readonly<Record<string, string>> = {
  append: 'appended_',
  average: 'average_',
  concatenate: 'concatenated_',
  count: 'count_',
  countUnique: 'unique_count_',
  max: 'max_',
  min: 'min_',
  sum: 'sum_',
};

/** Brackets and quotes go, blanks and dots become underscores. */
function fieldName(name: string): string {
  return name.replaceAll(/[\]["]/g, '').replaceAll(/[ .]/g, '_');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** The first of the values that no other one is better than; null of none. */
function best(values: readonly unknown[], isBetter: (one: never, other: never) => boolean) {
  const there = values.filter((value) => !isEmpty(value));
  if (there.length === 0) return null;
  return there.reduce((kept, one) => (isBetter(one as never, kept as never) ? one : kept));
}

function joinedText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function separatorOf(field: JsonObject): string {
  const separateBy = field['separateBy'] ?? ',';
  return String(separateBy === 'other' ? (field['customSeparator'] ?? '') : separateBy);
}

function aggregated(field: JsonObject, all: readonly unknown[]): unknown {
  const values = field['includeEmpty'] === true ? all : all.filter((value) => !isEmpty(value));
  const numbers = all.filter((value) => typeof value === 'number');
  switch (field['aggregation'] ?? 'count') {
    case 'append':
      return values.map((value) => value ?? null);
    case 'concatenate':
      return values.map(joinedText).join(separatorOf(field));
    case 'average':
      return numbers.length === 0 ? null : sumOf(numbers) / numbers.length;
    case 'sum':
      return sumOf(numbers);
    case 'min':
      return best(all, (one, kept) => one < kept);
    case 'max':
      return best(all, (one, kept) => one > kept);
    case 'countUnique':
      return new Set(values).size;
    default:
      return values.length;
  }
}

interface Summary {
  readonly fields: readonly {
    readonly key: string;
    readonly of: JsonObject;
    readonly values: readonly unknown[];
  }[];
  readonly keys: readonly string[];
  readonly columns: readonly (readonly unknown[])[];
  readonly skipsEmpty: boolean;
}

function summarized({ fields }: Summary, places: Places): JsonObject {
  return Object.fromEntries(
    fields.map(({ key, of, values }) => [
      key,
      aggregated(
        of,
        places.map((at) => values[at]),
      ),
    ]),
  );
}

/** The places of items by their values in one column, in the order in which the values come. */
function groupsOf({ columns, skipsEmpty }: Summary, places: Places, depth: number) {
  const values = columns[depth] ?? [];
  const kept = places.filter(
    (at) => !skipsEmpty || typeof values[at] === 'number' || Boolean(values[at]),
  );
  return Map.groupBy(kept, (at) => values[at]);
}

function separateItems(summary: Summary, places: Places, depth: number, by: JsonObject): Item[] {
  const key = summary.keys[depth];
  if (key === undefined) {
    const pairedItem = places.map((at) => pairingOf(at));
    return [{ json: { ...summarized(summary, places), ...by }, pairedItem }];
  }
  return [...groupsOf(summary, places, depth)].flatMap(([value, inside]) =>
    separateItems(summary, inside, depth + 1, { ...by, [fieldName(key)]: value }),
  );
}

function nestedObject(summary: Summary, places: Places, depth: number): JsonObject {
  if (depth === summary.keys.length) return summarized(summary, places);
  return Object.fromEntries(
    [...groupsOf(summary, places, depth)].map(([value, inside]) => [
      String(value),
      nestedObject(summary, inside, depth + 1),
    ]),
  );
}

/** Version 1 groups by texts, in which blanks and dots are gone. */
function groupValue(value: unknown, asText: boolean): unknown {
  const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return asText ? fieldName(String(plain)) : plain;
}

function readSummary(items: readonly Item[], settings: Settings, isFirstVersion: boolean): Summary {
  const fields = settings.list('fieldsToSummarize.values');
  if (fields.length === 0)
    throw new StepFailure(`You need to add at least one aggregation to 'Fields to Summarize'`);
  const column = (name: string) => items.map(({ json }) => fieldOf(json, name, settings.dotted));
  const keys = settings.names('fieldsToSplitBy');
  return {
    fields: fields.map((of) => {
      const name = String(of['field'] ?? '');
      const values = column(name);
      const fails = isFirstVersion && !settings.isOn('options.continueIfFieldNotFound');
      if (fails && values.every((value) => value === undefined))
        throw new StepFailure(`The field '${name}' does not exist in any items`);
      const prefix = PREFIXES[String(of['aggregation'] ?? 'count')] ?? '';
      return { key: `${prefix}${fieldName(name)}`, of, values };
    }),
    keys,
    columns: keys.map((key) => column(key).map((value) => groupValue(value, isFirstVersion))),
    skipsEmpty: settings.isOn('options.skipEmptySplitFields'),
  };
}

/** Counts, sums and lists of fields, over all items or over groups of them. */
export function summarizeItems({ items, settings }: DataStep, isFirstVersion: boolean): Item[] {
  const summary = readSummary(items, settings, isFirstVersion);
  const places = items.map((_, at) => at);
  if (settings.value('options.outputFormat', 'separateItems') === 'singleItem')
    return [{ json: nestedObject(summary, places, 0), pairedItem: pairedWithAll(items) }];
  return separateItems(summary, places, 0, {});
}

/** Summarize. */
export const handleSummarize: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  return [summarizeItems({ call, items, settings }, call.node.version < 1.1)];
};
