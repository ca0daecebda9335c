import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import type { Settings } from '../../n8n/step-settings.ts';
import type { Api } from '../api.ts';
import {
  changeSheets,
  columnIndex,
  columnLetters,
  rangeOf,
  readCells,
  sheetOf,
  spreadsheetId,
  writeCells,
} from './sheet.ts';

const SUCCESS: JsonObject = { success: true };

function partToClear(settings: Settings): string {
  switch (settings.text('clear', 'wholeSheet')) {
    case 'specificRows': {
      const first = Number(settings.value('startIndex', 1));
      return `${first}:${first + Number(settings.value('rowsToDelete', 1)) - 1}`;
    }
    case 'specificColumns': {
      const first = columnIndex(settings.text('startIndex', 'A'));
      const last = first + Number(settings.value('columnsToDelete', 1)) - 1;
      return `${columnLetters(first)}:${columnLetters(last)}`;
    }
    case 'specificRange':
      return settings.text('range', 'A:F');
    default:
      return '';
  }
}

/** Empties a sheet or a part of it; the first row stays where the step says so. */
export async function clearSheet(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const sheet = await sheetOf(api, settings);
  const part = partToClear(settings);
  const keeps = part === '' && settings.isOn('keepFirstRow');
  const kept = keeps ? await readCells(api, sheet, rangeOf(sheet, '1:1')) : [];
  await api.send('POST /v4/spreadsheets/{@path.document}/values/{@path.range}:clear', {
    path: { document: sheet.document, range: rangeOf(sheet, part) },
    json: {},
  });
  if (kept.length > 0)
    await writeCells(api, sheet, [{ range: rangeOf(sheet, 'A1'), values: kept }], 'RAW');
  return SUCCESS;
}

/** Deletes rows or columns of a sheet. */
export async function deleteCells(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const { document, id } = await sheetOf(api, settings);
  const isRows = settings.text('toDelete', 'rows') === 'rows';
  const startIndex = isRows
    ? Number(settings.value('startIndex', 2)) - 1
    : columnIndex(settings.text('startIndex', 'A'));
  const endIndex = startIndex + Number(settings.value('numberToDelete', 1));
  const dimension = isRows ? 'ROWS' : 'COLUMNS';
  const range = { sheetId: id, dimension, startIndex, endIndex };
  await changeSheets(api, document, [{ deleteDimension: { range } }]);
  return SUCCESS;
}

/** Adds a sheet to a spreadsheet. */
export async function createSheet(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const document = spreadsheetId(settings);
  const options = settings.object('options');
  const { hidden, rightToLeft, sheetId, index } = options;
  const title = settings.text('title', 'n8n-sheet');
  const properties = Object.fromEntries(
    Object.entries({ title, hidden, rightToLeft, sheetId, index }).filter(
      ([, one]) => one !== undefined,
    ),
  );
  const answer = await changeSheets(api, document, [{ addSheet: { properties } }]);
  const [reply] = listIn(answer, 'replies');
  return { spreadsheetId: document, ...objectIn(objectIn(reply, 'addSheet'), 'properties') };
}

/** Removes a sheet of a spreadsheet. */
export async function removeSheet(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const { document, id } = await sheetOf(api, settings);
  await changeSheets(api, document, [{ deleteSheet: { sheetId: id } }]);
  return { spreadsheetId: document };
}

/** Makes a spreadsheet. */
export async function createSpreadsheet(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const { locale, autoRecalc } = settings.object('options');
  const sheets = listIn(settings.object('sheetsUi'), 'sheetValues').map(({ title, hidden }) => {
    return { properties: { title, ...(hidden === undefined ? {} : { hidden }) } };
  });
  const properties = {
    title: settings.text('title'),
    ...(locale === undefined || locale === '' ? {} : { locale }),
    ...(autoRecalc === undefined ? {} : { autoRecalc }),
  };
  const json = { properties, ...(sheets.length === 0 ? {} : { sheets }) };
  const answer = await api.send('POST /v4/spreadsheets', { json });
  return isObject(answer) ? answer : {};
}

/** Deletes a spreadsheet, which is a file of the drive. */
export async function deleteSpreadsheet(api: Api, { settings }: OneItem): Promise<JsonObject> {
  const path = { document: spreadsheetId(settings) };
  await api.send('DELETE https://www.googleapis.com/drive/v3/files/{@path.document}', { path });
  return SUCCESS;
}
