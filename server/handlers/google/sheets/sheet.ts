import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { StepFailure } from '../../handler.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import type { Settings } from '../../n8n/step-settings.ts';
import type { Api } from '../api.ts';

/** The column that stands for the number of a row. */
export const ROW_NUMBER = 'row_number';
const LETTERS = 26;

/** The letters of a column, counted from 0. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / LETTERS) - 1;
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % LETTERS));
  return rest < 0 ? letter : columnLetters(rest) + letter;
}

/** The place of a column by its letters, counted from 0. @throws StepFailure */
export function columnIndex(letters: string): number {
  if (!/^[A-Za-z]{1,3}$/.test(letters))
    throw new StepFailure(`'${letters}' is no column. Name it by its letters, such as B.`);
  const [...all] = letters.toUpperCase();
  return all.reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0) - 1;
}

interface Located {
  readonly mode: string;
  readonly value: string;
}

function locatorOf(settings: Settings, name: string): Located {
  const found = settings.value(name, '');
  if (!isObject(found)) return { mode: 'id', value: String(found) };
  return { mode: String(found['mode'] ?? 'id'), value: String(found['value'] ?? '') };
}

/** The spreadsheet that a step names. @throws StepFailure */
export function spreadsheetId(settings: Settings): string {
  const { value } = locatorOf(settings, 'documentId');
  const [, id = value] = /\/d\/([\w-]+)/.exec(value) ?? [];
  if (id === '') throw new StepFailure('The step names no spreadsheet.');
  return id;
}

/** A sheet of a spreadsheet. */
export interface Sheet {
  readonly document: string;
  readonly id: number;
  readonly title: string;
  readonly rowCount: number;
  readonly columnCount: number;
}

function sheetIn(document: string, properties: JsonObject): Sheet {
  const grid = objectIn(properties, 'gridProperties');
  return {
    document,
    id: Number(properties['sheetId']),
    title: String(properties['title']),
    rowCount: Number(grid['rowCount'] ?? 0),
    columnCount: Number(grid['columnCount'] ?? 0),
  };
}

/** The number of a sheet in what names it: `gid=7`, an address that ends with it, or the number itself. */
function gidIn(value: string): number {
  const [, number = value] = /gid=(\d+)/.exec(value) ?? [];
  return number === '' ? Number.NaN : Number(number);
}

/** The sheet that a step names, by its title or its number. @throws StepFailure */
export async function sheetOf(api: Api, settings: Settings): Promise<Sheet> {
  const document = spreadsheetId(settings);
  const { mode, value } = locatorOf(settings, 'sheetName');
  const answer = await api.send('GET /v4/spreadsheets/{@path.document}', {
    path: { document },
    query: { fields: 'sheets.properties' },
  });
  const sheets = listIn(answer, 'sheets').map((one) =>
    sheetIn(document, objectIn(one, 'properties')),
  );
  const found = sheets.find(({ id, title }) =>
    mode === 'name' ? title === value : id === gidIn(value),
  );
  if (found !== undefined) return found;
  throw new StepFailure(`The spreadsheet has no sheet '${value}'.`);
}

/** A part of a sheet as the service writes it; the whole sheet without a part. */
export function rangeOf({ title }: Sheet, part = ''): string {
  const quoted = `'${title.replaceAll("'", "''")}'`;
  return part === '' ? quoted : `${quoted}!${part}`;
}

export type Cells = readonly (readonly unknown[])[];

/** How values are given: as numbers and texts, or as they are shown. */
export interface Shown {
  readonly valueRenderOption: string;
  readonly dateTimeRenderOption: string;
}

export const PLAIN_VALUES: Shown = {
  valueRenderOption: 'UNFORMATTED_VALUE',
  dateTimeRenderOption: 'FORMATTED_STRING',
};

/** The cells of a range, row by row; rows and cells at the end that are empty are left out. */
export async function readCells(
  api: Api,
  { document }: Sheet,
  range: string,
  shown: Shown = PLAIN_VALUES,
): Promise<Cells> {
  const answer = await api.send('GET /v4/spreadsheets/{@path.document}/values/{@path.range}', {
    path: { document, range },
    query: { ...shown },
  });
  const values: unknown = isObject(answer) ? answer['values'] : undefined;
  return Array.isArray(values) ? values.filter(Array.isArray) : [];
}

/** Values for a range, its rows from top to bottom. */
export interface Written {
  readonly range: string;
  readonly values: Cells;
}

/** Writes ranges at once; `input` says whether texts are read as a person's or kept as they are. */
export async function writeCells(
  api: Api,
  { document }: Sheet,
  data: readonly Written[],
  input: string,
): Promise<void> {
  if (data.length === 0) return;
  await api.send('POST /v4/spreadsheets/{@path.document}/values:batchUpdate', {
    path: { document },
    json: { valueInputOption: input, data },
  });
}

/** Changes the sheets themselves. */
export function changeSheets(api: Api, document: string, requests: readonly JsonObject[]) {
  return api.send('POST /v4/spreadsheets/{@path.document}:batchUpdate', {
    path: { document },
    json: { requests },
  });
}

/** Makes room for cells behind the end of a sheet. */
export async function makeRoom(
  api: Api,
  sheet: Sheet,
  rows: number,
  columns: number,
): Promise<void> {
  const grow = (dimension: string, length: number) => ({
    appendDimension: { sheetId: sheet.id, dimension, length },
  });
  const requests = [
    ...(rows > sheet.rowCount ? [grow('ROWS', rows - sheet.rowCount)] : []),
    ...(columns > sheet.columnCount ? [grow('COLUMNS', columns - sheet.columnCount)] : []),
  ];
  if (requests.length > 0) await changeSheets(api, sheet.document, requests);
}
