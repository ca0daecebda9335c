import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../../test/support/service-peer.ts';
import { columnIndex, columnLetters } from './sheet.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const API = 'https://sheets.googleapis.com/v4/spreadsheets/doc-1';
const credential = { kind: 'bearer', token: 'the-token-of-sheets' } as const;
const properties = {
  ...{ sheetId: 7, title: "Ann's sheet" },
  gridProperties: { rowCount: 100, columnCount: 26 },
};
const SHEETS = {
  json: { sheets: [{ properties: { sheetId: 0, title: 'Other' } }, { properties }] },
};
const CELLS = {
  json: {
    values: [['id', 'name', 'done'], [1, 'Ann', ''], [], [2, 'Bob'], [3, 'Ann', 'yes']],
  },
};
const PLACE = {
  documentId: {
    __rl: true,
    mode: 'url',
    value: 'https://docs.google.com/spreadsheets/d/doc-1/edit',
  },
  sheetName: { __rl: true, mode: 'list', value: 7, cachedResultName: "Ann's sheet" },
};

function run(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  return peer.run({
    ...{ type: 'googleSheets', version: 4.5, credential, answers: [SHEETS, CELLS, {}, {}] },
    ...more,
    parameters: { ...PLACE, ...parameters },
  });
}

async function read(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  const { outputs } = await run(parameters, more);
  return outputs?.[0]?.map(({ json }) => json);
}

const mapped = (value: unknown, matchingColumns: readonly string[] = []) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns, schema: [] },
});
const auto = (...matchingColumns: readonly string[]) => ({
  columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns },
});
const items = (...all: readonly Record<string, unknown>[]) => all.map((json) => ({ json }));

describe('rows are read', () => {
  it('with their numbers, without empty ones', async () => {
    const { asked, outputs } = await run({});
    expect(asked.map(({ call }) => call)).toEqual([
      `GET ${API}?fields=sheets.properties`,
      `GET ${API}/values/'Ann''s%20sheet'?valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING`,
    ]);
    expect(asked[0]?.headers['authorization']).toBe('Bearer the-token-of-sheets');
    expect(outputs?.[0]).toEqual(
      [
        { row_number: 2, id: 1, name: 'Ann', done: '' },
        { row_number: 4, id: 2, name: 'Bob', done: '' },
        { row_number: 5, id: 3, name: 'Ann', done: 'yes' },
      ].map((json) => ({ json, pairedItem: { item: 0 } })),
    );
  });

  it('by rules: all that match, or the first', async () => {
    const filtersUI = { values: [{ lookupColumn: 'name', lookupValue: '={{ $json.n }}' }] };
    const who = { items: items({ n: 'Ann' }) };
    const numbers = async (parameters: ServiceTry['parameters'], more = {}) =>
      (await read({ filtersUI, ...parameters }, { ...who, ...more }))?.map(
        (row) => row['row_number'],
      );
    expect(await numbers({})).toEqual([2, 5]);
    expect(await numbers({ options: { returnFirstMatch: true } })).toEqual([2]);
    expect(await numbers({}, { version: 4.4 })).toEqual([2]);
    const all = { options: { returnAllMatches: 'returnAllMatches' } };
    expect(await numbers(all, { version: 4.4 })).toEqual([2, 5]);
    const both = { values: [...filtersUI.values, { lookupColumn: 'done' }] };
    expect(await numbers({ filtersUI: both })).toEqual([2]);
    expect(await numbers({ filtersUI: both, combineFilters: 'OR' })).toEqual([2, 4, 5]);
    const none = { values: [{ lookupColumn: 'size', lookupValue: '1' }] };
    const { failed } = await run({ filtersUI: none });
    expect(failed).toBe('The column "size" could not be found.');
  });

  it('from where the step says', async () => {
    const at = (values: object) => ({ options: { dataLocationOnSheet: { values } } });
    const range = { rangeDefinition: 'specifyRangeA1', range: 'B10:D14' };
    expect((await read(at(range)))?.[0]).toMatchObject({ row_number: 11 });
    const rows = { rangeDefinition: 'specifyRange', headerRow: 1, firstDataRow: 4 };
    expect((await read(at(rows)))?.map(({ id }) => id)).toEqual([2, 3]);
    const until = { rangeDefinition: 'detectAutomatically', readRowsUntil: 'firstEmptyRow' };
    expect((await read(at(until)))?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('rows are written', () => {
  it('behind the others, for all items at once, with columns that were not there', async () => {
    const given = items({ id: 4, size: 'L' }, { id: 5, name: '=A1' });
    const { asked, outputs } = await run({ operation: 'append', ...auto() }, { items: given });
    expect(asked.at(-1)).toMatchObject({
      call: `POST ${API}/values:batchUpdate`,
      body: {
        valueInputOption: 'USER_ENTERED',
        data: [
          { range: "'Ann''s sheet'!D1", values: [['size']] },
          {
            range: "'Ann''s sheet'!A6",
            values: [
              [4, '', '', 'L'],
              [5, '=A1', '', ''],
            ],
          },
        ],
      },
    });
    expect(outputs?.[0]).toEqual(given.map(({ json }, item) => ({ json, pairedItem: { item } })));
  });

  it('with room made for them, and into an empty sheet with its header', async () => {
    const small = { ...properties, gridProperties: { rowCount: 1, columnCount: 1 } };
    const answers = [{ json: { sheets: [{ properties: small }] } }, { json: {} }, {}, {}];
    const parameters = { operation: 'append', ...mapped({ a: '={{ $json.x }}', b: true }) };
    const { asked } = await run(parameters, { answers, items: items({ x: [1] }), version: 4 });
    expect(asked[2]?.body).toEqual({
      requests: [
        { appendDimension: { sheetId: 7, dimension: 'ROWS', length: 1 } },
        { appendDimension: { sheetId: 7, dimension: 'COLUMNS', length: 1 } },
      ],
    });
    expect(asked[3]?.body).toEqual({
      valueInputOption: 'RAW',
      data: [
        { range: "'Ann''s sheet'!A1", values: [['a', 'b']] },
        { range: "'Ann''s sheet'!A2", values: [['[1]', true]] },
      ],
    });
  });

  it.each([
    ['ignoreIt', undefined],
    ['error', "The sheet has no column 'size'."],
  ])('as the step handles fields without a column: %s', async (handlingExtraData, words) => {
    const parameters = { operation: 'append', ...auto(), options: { handlingExtraData } };
    const { asked, failed } = await run(parameters, { items: items({ id: 4, size: 'L' }) });
    expect(failed).toBe(words);
    const data = [{ range: "'Ann''s sheet'!A6", values: [[4, '', '']] }];
    if (words === undefined) expect(asked.at(-1)?.body).toMatchObject({ data });
    else expect(asked).toHaveLength(2);
  });

  it('where a column matches, or by their number, and nowhere else', async () => {
    const given = items({ id: '2', done: 'no' }, { id: 9, done: 'new' });
    const written = async (operation: string, parameters: ServiceTry['parameters']) => {
      const { asked, outputs } = await run({ operation, ...parameters }, { items: given });
      const body = asked.at(-1)?.body as { data?: unknown };
      return [body.data, outputs?.[0]?.map(({ pairedItem }) => pairedItem)];
    };
    const cell = { range: "'Ann''s sheet'!C4", values: [['no']] };
    expect(await written('update', auto('id'))).toEqual([[cell], [{ item: 0 }]]);
    expect(await written('appendOrUpdate', auto('id'))).toEqual([
      [cell, { range: "'Ann''s sheet'!A6", values: [[9, '', 'new']] }],
      [{ item: 0 }, { item: 1 }],
    ]);
    const number = mapped({ row_number: '={{ 5 }}', name: 'Eve' }, ['row_number']);
    const [data] = await written('update', number);
    expect(data).toEqual([
      { range: "'Ann''s sheet'!B5", values: [['Eve']] },
      { range: "'Ann''s sheet'!B5", values: [['Eve']] },
    ]);
    const pairs = {
      ...{ columnToMatchOn: 'name', valueToMatchOn: 'Bob', dataMode: 'defineBelow' },
      fieldsUi: { values: [{ column: 'done', fieldValue: 'ok' }] },
    };
    const old = await run({ operation: 'update', ...pairs }, { version: 3 });
    expect(old.asked.at(-1)?.body).toMatchObject({
      data: [{ range: "'Ann''s sheet'!C4", values: [['ok']] }],
    });
  });
});

describe('sheets are changed', () => {
  it.each([
    [{ operation: 'clear' }, "POST {}/values/'Ann''s%20sheet':clear", {}],
    [
      { operation: 'clear', clear: 'specificRows', startIndex: 3, rowsToDelete: 2 },
      "POST {}/values/'Ann''s%20sheet'!3%3A4:clear",
      {},
    ],
    [
      { operation: 'clear', clear: 'specificColumns', startIndex: 'B', columnsToDelete: 2 },
      "POST {}/values/'Ann''s%20sheet'!B%3AC:clear",
      {},
    ],
    [
      { operation: 'delete', startIndex: 5, numberToDelete: 2 },
      'POST {}:batchUpdate',
      {
        requests: [
          {
            deleteDimension: {
              range: { sheetId: 7, dimension: 'ROWS', startIndex: 4, endIndex: 6 },
            },
          },
        ],
      },
    ],
    [
      { operation: 'remove' },
      'POST {}:batchUpdate',
      { requests: [{ deleteSheet: { sheetId: 7 } }] },
    ],
  ])('%j', async (parameters, call, body) => {
    const { asked, failed } = await run(parameters, { answers: [SHEETS, { json: {} }] });
    expect(failed).toBeUndefined();
    expect(asked.at(-1)).toMatchObject({ call: call.replace('{}', API), body });
  });

  it('a sheet keeps its first row where the step says so', async () => {
    const first = { json: { values: [['id', 'name']] } };
    const answers = [SHEETS, first, { json: {} }, { json: {} }];
    const { asked } = await run({ operation: 'clear', keepFirstRow: true }, { answers });
    expect(asked.at(-1)?.body).toMatchObject({
      data: [{ range: "'Ann''s sheet'!A1", values: [['id', 'name']] }],
    });
  });

  it('a sheet is added, a spreadsheet is made and deleted', async () => {
    const added = { json: { replies: [{ addSheet: { properties: { sheetId: 9, title: 'T' } } }] } };
    const one = await run({ operation: 'create', title: 'T' }, { answers: [added] });
    expect(one.outputs?.[0]?.[0]?.json).toEqual({ spreadsheetId: 'doc-1', sheetId: 9, title: 'T' });
    const made = { spreadsheetId: 'new', spreadsheetUrl: 'u' };
    const sheetsUi = { sheetValues: [{ title: 'First' }] };
    const two = await run(
      { resource: 'spreadsheet', title: 'Book', sheetsUi },
      { answers: [{ json: made }] },
    );
    expect(two.asked[0]?.body).toEqual({
      properties: { title: 'Book' },
      sheets: [{ properties: { title: 'First' } }],
    });
    expect(two.outputs?.[0]?.[0]?.json).toEqual(made);
    const gone = { resource: 'spreadsheet', operation: 'deleteSpreadsheet' };
    const three = await run(gone, { answers: [{ status: 204 }] });
    expect(three.asked[0]?.call).toBe('DELETE https://www.googleapis.com/drive/v3/files/doc-1');
    expect(three.outputs?.[0]?.[0]?.json).toEqual({ success: true });
  });

  it('a sheet that is not there, and a refusal, are told', async () => {
    const nowhere = { sheetName: { __rl: true, mode: 'name', value: 'Nowhere' } };
    expect((await run(nowhere)).failed).toBe("The spreadsheet has no sheet 'Nowhere'.");
    const answers = [{ status: 403, json: { error: { message: 'The caller lacks permission' } } }];
    const { failed } = await run({}, { answers });
    expect(failed).toBe('Google Sheets answered with status 403: The caller lacks permission');
  });
});

it('columns have letters', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  expect(['A', 'Z', 'AA', 'zz', 'AAA'].map(columnIndex)).toEqual([0, 25, 26, 701, 702]);
});
