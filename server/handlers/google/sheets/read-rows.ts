import type { Item, JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import type { Settings } from '../../n8n/step-settings.ts';
import type { Api } from '../api.ts';
import {
  type Cells,
  PLAIN_VALUES,
  ROW_NUMBER,
  rangeOf,
  readCells,
  type Shown,
  sheetOf,
} from './sheet.ts';

/** Where a step reads: which rows are header and data, counted from 1. */
interface Place {
  readonly part: string;
  readonly headerRow: number;
  readonly firstRow: number;
  readonly untilEmpty: boolean;
}

function placeOf(settings: Settings): Place {
  const place = objectIn(settings.object('options.dataLocationOnSheet'), 'values');
  const { rangeDefinition, headerRow, firstDataRow, range, readRowsUntil } = place;
  const untilEmpty = readRowsUntil === 'firstEmptyRow';
  if (rangeDefinition === 'specifyRangeA1')
    return { part: String(range ?? ''), headerRow: 1, firstRow: 2, untilEmpty };
  if (rangeDefinition !== 'specifyRange')
    return { part: '', headerRow: 1, firstRow: 2, untilEmpty };
  const header = Number(headerRow ?? 1) || 1;
  const firstRow = Number(firstDataRow ?? header + 1) || header + 1;
  return { part: '', headerRow: header, firstRow, untilEmpty };
}

function shownOf(settings: Settings): Shown {
  const { general, date } = objectIn(settings.object('options.outputFormatting'), 'values');
  return {
    valueRenderOption: String(general ?? PLAIN_VALUES.valueRenderOption),
    dateTimeRenderOption: String(date ?? PLAIN_VALUES.dateTimeRenderOption),
  };
}

function isEmptyRow(row: readonly unknown[]): boolean {
  return row.every((cell) => cell === '' || cell === null || cell === undefined);
}

/** The number that the first row of a part has in its sheet. */
function firstRowOf(part: string): number {
  return Number(/^\$?[A-Za-z]*\$?(\d+)/.exec(part)?.[1] ?? 1);
}

function objectsOf(cells: Cells, place: Place): JsonObject[] {
  const header = (cells[place.headerRow - 1] ?? []).map((name, index) =>
    String(name) === '' ? `col_${index + 1}` : String(name),
  );
  const offset = firstRowOf(place.part);
  const rows: JsonObject[] = [];
  for (const [index, row] of cells.entries()) {
    if (index < place.firstRow - 1) continue;
    if (isEmptyRow(row) && place.untilEmpty) break;
    if (isEmptyRow(row)) continue;
    const fields = header.map((name, column) => [name, row[column] ?? ''] as const);
    rows.push({ [ROW_NUMBER]: index + offset, ...Object.fromEntries(fields) });
  }
  return rows;
}

type Matches = (row: JsonObject) => boolean;

function filterOf(settings: Settings, columns: readonly string[]): Matches | undefined {
  const rules = listIn(settings.object('filtersUI'), 'values');
  if (rules.length === 0) return undefined;
  const tests = rules.map(({ lookupColumn, lookupValue }): Matches => {
    const name = String(lookupColumn ?? '');
    if (columns.length > 0 && !columns.includes(name))
      throw new StepFailure(`The column "${name}" could not be found.`);
    return (row) => String(row[name] ?? '') === String(lookupValue ?? '');
  });
  return settings.text('combineFilters', 'AND') === 'OR'
    ? (row) => tests.some((test) => test(row))
    : (row) => tests.every((test) => test(row));
}

/** With a filter, the first versions give one row unless all are asked for; later ones the other way. */
function givesFirstOnly({ settings, call }: OneItem): boolean {
  return call.node.version < 4.5
    ? settings.text('options.returnAllMatches') !== 'returnAllMatches'
    : settings.isOn('options.returnFirstMatch');
}

/** The rows of a sheet, as a step filters them. */
export async function readRows(api: Api, one: OneItem): Promise<Item[]> {
  const { settings, at } = one;
  const sheet = await sheetOf(api, settings);
  const place = placeOf(settings);
  const cells = await readCells(api, sheet, rangeOf(sheet, place.part), shownOf(settings));
  const rows = objectsOf(cells, place);
  const matches = filterOf(settings, Object.keys(rows[0] ?? {}));
  const found = matches === undefined ? rows : rows.filter(matches);
  const given = matches !== undefined && givesFirstOnly(one) ? found.slice(0, 1) : found;
  return given.map((json) => ({ json, pairedItem: { item: at } }));
}
