import type { Item } from '../../../items/item.ts';
import { type HandlerCall, StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { objectIn } from '../../n8n/settings.ts';
import type { Settings } from '../../n8n/step-settings.ts';
import type { Api } from '../api.ts';
import { cellOf, columnsFor, itemsOfRows, type MappedRow, mappedRow } from './mapped-rows.ts';
import {
  type Cells,
  columnLetters,
  makeRoom,
  ROW_NUMBER,
  rangeOf,
  readCells,
  type Sheet,
  sheetOf,
  type Written,
  writeCells,
} from './sheet.ts';

/** A sheet as it is before it is written to. */
interface Before {
  readonly api: Api;
  readonly sheet: Sheet;
  readonly cells: Cells;
  /** Counted from 1. */
  readonly headerRow: number;
  readonly header: readonly string[];
  /** `RAW` or `USER_ENTERED`. */
  readonly input: string;
}

function inputOf({ node }: HandlerCall, settings: Settings): string {
  return settings.text('options.cellFormat', node.version < 4.1 ? 'RAW' : 'USER_ENTERED');
}

async function readBefore(api: Api, { call, settings }: OneItem): Promise<Before> {
  const sheet = await sheetOf(api, settings);
  const cells = await readCells(api, sheet, rangeOf(sheet));
  const place = objectIn(settings.object('options.locationDefine'), 'values');
  const headerRow = Number(place['headerRow'] ?? 1) || 1;
  const header = (cells[headerRow - 1] ?? []).map(String);
  return { api, sheet, cells, headerRow, header, input: inputOf(call, settings) };
}

/** The header that is written when rows have fields without a column. */
function headerWritten(
  { sheet, header, headerRow }: Before,
  columns: readonly string[],
): Written[] {
  if (columns.length === header.length) return [];
  const from = columnLetters(header.length);
  return [{ range: rangeOf(sheet, `${from}${headerRow}`), values: [columns.slice(header.length)] }];
}

function rowsAtEnd(
  before: Before,
  columns: readonly string[],
  rows: readonly MappedRow[],
): Written[] {
  if (rows.length === 0) return [];
  const values = rows.map(({ fields }) => columns.map((name) => cellOf(fields[name])));
  const first = firstFree(before);
  return [{ range: rangeOf(before.sheet, `A${first}`), values }];
}

function firstFree({ cells, headerRow }: Before): number {
  return Math.max(cells.length, headerRow) + 1;
}

/** The row that a mapped row is meant for, counted from 1; undefined when there is none. */
function rowFound(
  { cells, header, headerRow }: Before,
  { fields, key }: MappedRow,
): number | undefined {
  const wanted = fields[key];
  if (wanted === undefined || wanted === null || wanted === '') return undefined;
  if (key === ROW_NUMBER) return Number(wanted);
  const column = header.indexOf(key);
  if (column === -1) throw new StepFailure(`The sheet has no column '${key}'.`);
  const at = cells.findIndex(
    (row, index) => index >= headerRow && String(row[column] ?? '') === String(wanted),
  );
  return at === -1 ? undefined : at + 1;
}

/** Cell by cell, so that columns that the row does not name stay as they are. */
function cellsWritten(
  { sheet }: Before,
  columns: readonly string[],
  row: number,
  { fields, key }: MappedRow,
): Written[] {
  return columns.flatMap((name, index) => {
    const value = fields[name];
    if (value === undefined || value === null || name === key) return [];
    const range = rangeOf(sheet, `${columnLetters(index)}${row}`);
    return [{ range, values: [[cellOf(value)]] }];
  });
}

/** Appends a row for each item. */
export async function appendRows(api: Api, all: readonly OneItem[]): Promise<Item[]> {
  const [first] = all;
  if (first === undefined) return [];
  const rows = all.map((one) => mappedRow(one, true));
  const before = await readBefore(api, first);
  const columns = columnsFor(before.header, rows);
  await makeRoom(api, before.sheet, firstFree(before) + rows.length - 1, columns.length);
  const data = [...headerWritten(before, columns), ...rowsAtEnd(before, columns, rows)];
  await writeCells(api, before.sheet, data, before.input);
  return itemsOfRows(rows);
}

/** Writes the row that each item is meant for; where there is none, appends it or leaves it out. */
export async function updateRows(
  api: Api,
  all: readonly OneItem[],
  appends: boolean,
): Promise<Item[]> {
  const [first] = all;
  if (first === undefined) return [];
  const rows = all.map((one) => mappedRow(one, false));
  const before = await readBefore(api, first);
  const columns = columnsFor(before.header, rows);
  const data = headerWritten(before, columns);
  const missing: MappedRow[] = [];
  for (const row of rows) {
    const found = rowFound(before, row);
    if (found === undefined) missing.push(row);
    else data.push(...cellsWritten(before, columns, found, row));
  }
  const added = appends ? missing : [];
  await makeRoom(api, before.sheet, firstFree(before) + added.length - 1, columns.length);
  data.push(...rowsAtEnd(before, columns, added));
  await writeCells(api, before.sheet, data, before.input);
  return itemsOfRows(rows.filter((row) => appends || !missing.includes(row)));
}
