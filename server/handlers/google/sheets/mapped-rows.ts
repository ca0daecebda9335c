import type { Item, JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import { ROW_NUMBER } from './sheet.ts';

/** What an item writes, and the column by which its row is found. */
export interface MappedRow {
  readonly fields: JsonObject;
  readonly key: string;
  readonly at: number;
  /** What it does with fields that the sheet has no column for. */
  readonly extra: 'insertInNewColumn' | 'ignoreIt' | 'error';
}

const EXTRAS: Readonly<Record<string, MappedRow['extra']>> = {
  ignoreIt: 'ignoreIt',
  error: 'error',
};

/** Version 3: pairs of a column and a value, or the fields of the item. */
function pairFields({ settings, item }: OneItem, isAppend: boolean): JsonObject {
  const mode = settings.text('dataMode', 'defineBelow');
  if (mode === 'autoMapInputData') return item.json;
  const fields = settings.object('fieldsUi');
  const pairs = [...listIn(fields, 'fieldValues'), ...listIn(fields, 'values')];
  const entries = pairs.map(({ fieldId, column, fieldValue }) => {
    return [String(fieldId ?? column ?? ''), fieldValue ?? ''] as const;
  });
  const key = settings.text('columnToMatchOn');
  const found = isAppend ? [] : [[key, settings.value('valueToMatchOn', '')] as const];
  return Object.fromEntries([...found, ...entries]);
}

function mappedFields({ settings, item }: OneItem): JsonObject {
  const columns = settings.object('columns');
  return columns['mappingMode'] === 'autoMapInputData' ? item.json : objectIn(columns, 'value');
}

/** What each item writes. */
export function mappedRow(one: OneItem, isAppend: boolean): MappedRow {
  const { settings, call, at } = one;
  const isOld = call.node.version < 4;
  const { matchingColumns } = settings.object('columns');
  const [first] = Array.isArray(matchingColumns) ? matchingColumns : [];
  const key = isOld ? settings.text('columnToMatchOn') : String(first ?? '');
  if (!isAppend && key === '')
    throw new StepFailure('Name the column by which a row is found ("Column to match on").');
  const extra = EXTRAS[settings.text('options.handlingExtraData')] ?? 'insertInNewColumn';
  return { fields: isOld ? pairFields(one, isAppend) : mappedFields(one), key, at, extra };
}

/** A value as a cell takes it. */
export function cellOf(value: unknown): unknown {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/**
 * The columns that rows need, those of the sheet first; new ones stand behind them.
 *
 * @throws StepFailure when a field has no column and the step says that it must have one
 */
export function columnsFor(header: readonly string[], rows: readonly MappedRow[]): string[] {
  const columns = [...header];
  for (const { fields, extra } of rows)
    for (const name of Object.keys(fields)) {
      if (columns.includes(name) || name === ROW_NUMBER || extra === 'ignoreIt') continue;
      if (extra === 'error') throw new StepFailure(`The sheet has no column '${name}'.`);
      columns.push(name);
    }
  return columns;
}

/** The items that rows become. */
export function itemsOfRows(rows: readonly MappedRow[]): Item[] {
  return rows.map(({ fields, at }) => ({ json: fields, pairedItem: { item: at } }));
}
