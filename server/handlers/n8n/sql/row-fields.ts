import type { JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../each-item.ts';
import { listIn, objectIn } from '../settings.ts';

/** What a step writes of an item, and the columns by which it finds the row. */
export interface RowFields {
  readonly fields: JsonObject;
  readonly matching: readonly string[];
}

/** The value of a setting that is chosen from a list or typed. */
export function chosenText({ settings }: OneItem, name: string, preset = ''): string {
  const found = settings.value(name, preset);
  const value =
    typeof found === 'object' && found !== null ? objectIn({ found }, 'found')['value'] : found;
  return String(value ?? '');
}

function pick(item: JsonObject, names: readonly string[]): JsonObject {
  const cast = names.find((name) => name.includes(':'));
  if (cast !== undefined)
    throw new StepFailure(`The column '${cast}' names a type. Name columns only.`);
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

function firstFields({ item, settings }: OneItem, isUpdate: boolean): RowFields {
  const keys = isUpdate ? settings.names('updateKey') : [];
  const matching = isUpdate && keys.length === 0 ? ['id'] : keys;
  const names = [...matching, ...settings.names('columns')];
  return { fields: pick(item.json, names), matching };
}

/** Versions 2 and 2.1: values below one another, or the fields of the item. */
function pairFields(one: OneItem, isInsert: boolean): RowFields {
  const { item, settings } = one;
  const pairs = listIn(settings.object('valuesToSend'), 'values');
  const isMapped = settings.text('dataMode') === 'defineBelow' || pairs.length > 0;
  const column = chosenText(one, 'columnToMatchOn');
  const matching = isInsert || column === '' ? [] : [column];
  if (!isMapped) return { fields: item.json, matching };
  const found = isInsert ? [] : [[column, settings.value('valueToMatchOn')] as const];
  const given = pairs.map(({ column: name, value }) => [String(name ?? ''), value] as const);
  return { fields: Object.fromEntries([...found, ...given]), matching };
}

/** Later versions: a table of columns, or the fields of the item. */
function mappedFields({ item, settings }: OneItem): RowFields {
  const columns = settings.object('columns');
  const { matchingColumns, mappingMode } = columns;
  const matching = Array.isArray(matchingColumns) ? matchingColumns.map(String) : [];
  const fields = mappingMode === 'autoMapInputData' ? item.json : objectIn(columns, 'value');
  return { fields, matching };
}

/** The fields of an item that a step inserts or updates a row with. */
export function rowFieldsOf(one: OneItem, operation: string): RowFields {
  const { version } = one.call.node;
  const read =
    version < 2
      ? firstFields(one, operation === 'update')
      : version < 2.2
        ? pairFields(one, operation === 'insert')
        : mappedFields(one);
  if (!one.settings.isOn('options.replaceEmptyStrings')) return read;
  const kept = Object.entries(read.fields).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ]);
  return { ...read, fields: Object.fromEntries(kept) };
}
