import type { OwnOperation, OwnService } from '../own-operations.ts';

const PLACE = ['documentId', 'sheetName'];

function onSheet(...settings: readonly string[]): OwnOperation {
  return { settings: [...PLACE, ...settings], needed: PLACE };
}

const WRITTEN = [
  ...['columns', 'dataMode', 'fieldsUi', 'options.cellFormat', 'options.handlingExtraData'],
  ...['options.locationDefine.values.headerRow', 'options.useAppend'],
];
const FOUND = ['columnToMatchOn', 'valueToMatchOn'];
const READ_FROM = [
  ...['rangeDefinition', 'headerRow', 'firstDataRow', 'range', 'readRowsUntil'],
].map((name) => `options.dataLocationOnSheet.values.${name}`);

/** What is done of Google Sheets, from version 3 on. */
export const GOOGLE_SHEETS_OPERATIONS: OwnService = {
  type: 'n8n-nodes-base.googleSheets',
  resource: 'sheet',
  operation: { sheet: 'read', spreadsheet: 'create' },
  of: {
    'sheet/read': onSheet(
      ...['filtersUI', 'combineFilters', 'options.outputFormatting.values'],
      ...['options.returnAllMatches', 'options.returnFirstMatch', ...READ_FROM],
    ),
    'sheet/append': onSheet(...WRITTEN),
    'sheet/update': onSheet(...WRITTEN, ...FOUND),
    'sheet/appendOrUpdate': onSheet(...WRITTEN, ...FOUND),
    'sheet/clear': onSheet(
      ...['clear', 'startIndex', 'rowsToDelete', 'columnsToDelete', 'range', 'keepFirstRow'],
    ),
    'sheet/delete': onSheet('toDelete', 'startIndex', 'numberToDelete'),
    'sheet/remove': onSheet(),
    'sheet/create': {
      settings: [
        ...['documentId', 'title', 'options.hidden', 'options.rightToLeft'],
        ...['options.sheetId', 'options.index'],
      ],
      needed: ['documentId'],
    },
    'spreadsheet/create': {
      settings: [...['title', 'sheetsUi.sheetValues', 'options.locale', 'options.autoRecalc']],
    },
    'spreadsheet/deleteSpreadsheet': { settings: ['documentId'], needed: ['documentId'] },
  },
};
