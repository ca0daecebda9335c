import type { Paging, Row, RowEntry, Service } from '../service.ts';
import {
  each,
  filled,
  get,
  merged,
  picked,
  same,
  type Template,
  within,
  without,
} from '../template.ts';

const BASE = get('base', { url: 'airtable\\.com/(app[\\w-]+)' });
const TABLE = get('table', { url: 'airtable\\.com/app[\\w-]+/(tbl[\\w-]+)' });

const COMMON = {
  name: 'Airtable',
  type: 'n8n-nodes-base.airtable',
  server: 'https://api.airtable.com/v0',
  auth: {
    airtableTokenApi: { as: 'bearer' },
    airtableOAuth2Api: { as: 'bearer' },
    airtableApi: { as: 'bearer' },
  },
  message: ['error.message', 'error.type', 'error'],
} as const;

/** A record as the source gives it: its fields beside its number. */
const FLAT = (path: string): Template =>
  merged({ id: `${path}id`, createdTime: `${path}createdTime` }, `${path}fields`);
const RECORDS: Template = each('@answer', FLAT('$'));

const SEARCH: Template = merged(
  { filterByFormula: filled('filterByFormula') },
  within('options', { view: filled('view'), fields: get('fields') }),
  { sort: each('sort.property', { field: '$field', direction: get('direction', { or: 'asc' }) }) },
);

const PAGED: Paging = {
  by: 'cursor',
  name: 'offset',
  in: 'json',
  from: 'offset',
  size: { name: 'pageSize', most: 100 },
  list: 'records',
  all: { setting: 'returnAll', or: true },
  limit: { setting: 'limit', or: 100 },
};

const names = { base: BASE, table: TABLE };
const ADDRESS = '/{@base}/{@table}';

const COLUMNS = get('columns.value', { as: 'json', or: {} });
const ignores = [
  ...['columns.schema', 'columns.matchingColumns', 'columns.attemptToConvertTypes'],
  'columns.convertFieldsToString',
];
const CASTS = { typecast: get('options.typecast', { or: false }) };
/** The fields stand below `fields` in some versions of the source, and beside it in others. */
const RECORD = merged(FLAT('@answer.'), { fields: '@answer.fields' });

/** What is written: the columns that the node lists, or all of the item. */
function written(make: (from: Template, id: string) => Row): RowEntry {
  const of = (from: Template, id: string): RowEntry => ({
    ignores,
    answer: RECORD,
    ...make(from, id),
  });
  return {
    by: 'columns.mappingMode',
    or: 'defineBelow',
    of: { defineBelow: of(COLUMNS, 'columns.value.id'), autoMapInputData: of('@item', '@item.id') },
  };
}

/** Airtable's records, with the base and the table as locators. */
export const AIRTABLE: Service = {
  ...COMMON,
  versions: [2, 2.1],
  authBy: {
    setting: 'authentication',
    or: 'airtableTokenApi',
    of: {
      airtableTokenApi: 'airtableTokenApi',
      airtableOAuth2Api: 'airtableOAuth2Api',
      airtableApi: 'airtableApi',
    },
  },
  resource: 'record',
  operation: { record: 'get', base: 'getMany' },
  rows: {
    'record/create': written((fields) => ({
      names,
      call: `POST ${ADDRESS}`,
      json: { fields, ...CASTS },
    })),
    'record/update': {
      by: 'columns.matchingColumns.0',
      or: 'id',
      of: {
        id: written((from, id) => ({
          names: { ...names, record: get(id) },
          call: `PATCH ${ADDRESS}/{@record}`,
          json: { fields: without(from, 'id'), ...CASTS },
        })),
      },
    },
    'record/upsert': written((from) => ({
      names,
      call: `PATCH ${ADDRESS}`,
      json: {
        performUpsert: { fieldsToMergeOn: '$columns.matchingColumns' },
        records: [{ fields: without(from, 'id') }],
        ...CASTS,
      },
      answer: each('@answer.records', merged(FLAT('$'), { fields: '$fields' })),
      needs: ['columns.matchingColumns'],
    })),
    'record/get': { names, call: `GET ${ADDRESS}/{id}`, answer: FLAT('@answer.') },
    'record/deleteRecord': { names, call: `DELETE ${ADDRESS}/{id}` },
    'record/search': {
      names,
      call: `POST ${ADDRESS}/listRecords`,
      json: SEARCH,
      paging: PAGED,
      answer: RECORDS,
    },
  },
};

const typecast = get('options.typecast');

const appended = (fields: Template): Row => ({
  call: 'POST /{application}/{table}',
  json: { fields, typecast },
});
const updated = (fields: Template): Row => ({
  call: 'PATCH /{application}/{table}/{id}',
  json: { fields, typecast },
});

/** The older form, whose records have their fields below `fields`. */
export const AIRTABLE_V1: Service = {
  ...COMMON,
  versions: [1, 1],
  authBy: {
    setting: 'authentication',
    or: 'airtableApi',
    of: {
      airtableTokenApi: 'airtableTokenApi',
      airtableOAuth2Api: 'airtableOAuth2Api',
      airtableApi: 'airtableApi',
    },
  },
  operation: 'read',
  rows: {
    read: { call: 'GET /{application}/{table}/{id}' },
    list: {
      call: 'POST /{application}/{table}/listRecords',
      json: within('additionalOptions', {
        ...same('fields', 'filterByFormula', 'view'),
        sort: each('sort.property', {
          field: '$field',
          direction: get('direction', { or: 'asc' }),
        }),
      }),
      paging: PAGED,
    },
    append: {
      by: 'addAllFields',
      or: 'true',
      of: {
        true: appended('@item'),
        false: appended(picked('@item', 'fields')),
      },
    },
    update: {
      by: 'updateAllFields',
      or: 'true',
      of: {
        true: updated(without('@item', 'id')),
        false: updated(picked('@item', 'fields')),
      },
    },
    delete: { call: 'DELETE /{application}/{table}/{id}' },
  },
};
