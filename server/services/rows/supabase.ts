import type { Paging, Row, RowEntry, Service } from '../service.ts';
import { choice, each, fill, get, joined, merged, pairs, type Template } from '../template.ts';

/** One condition as PostgREST has it, its value in quotes but where it is a word. */
const CONDITION = choice('condition', 'eq', {
  ...Object.fromEntries(
    ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'].map((name): [string, Template] => [
      name,
      joined([fill(`{keyName}.${name}`), get('keyValue', { as: 'quoted', or: '""' })], '.'),
    ]),
  ),
  is: fill('{keyName}.is.{keyValue}'),
});
const CONDITIONS = joined(each('filters.conditions', CONDITION), ',', '(', ')');

const MATCH: Template = choice('matchType', 'anyFilter', {
  anyFilter: { or: CONDITIONS },
  allFilters: { and: CONDITIONS },
});

const ROW = pairs('fieldsUi.fieldValues', '$fieldId', '$fieldValue');
const RETURNS = { prefer: 'return=representation' };
const NARROWED = { fixed: { filterType: 'manual' } };

const PAGED: Paging = {
  by: 'offset',
  name: 'offset',
  size: { name: 'limit', most: 1000 },
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 50 },
};

/** With the fields that the node lists, or with all of the item. */
function written(call: string, row: Omit<Row, 'call'>): RowEntry {
  const whole = { ...row, call, headers: RETURNS };
  return {
    by: 'dataToSend',
    or: 'defineBelow',
    of: {
      defineBelow: { ...whole, json: merged({}, ROW) },
      autoMapInputData: { ...whole, json: '@item' },
    },
  };
}

/** Supabase's tables, each project on a server of its own. */
export const SUPABASE: Service = {
  name: 'Supabase',
  type: 'n8n-nodes-base.supabase',
  versions: [1, 1],
  server: '',
  auth: { supabaseApi: { as: 'bearer' } },
  headers: { apikey: '@token' },
  message: ['message'],
  resource: 'row',
  operation: { row: 'create' },
  rows: {
    'row/create': written('POST /rest/v1/{tableId}', {}),
    'row/update': written('PATCH /rest/v1/{tableId}', {
      ...NARROWED,
      query: MATCH,
      needs: ['filters.conditions'],
    }),
    'row/delete': {
      ...NARROWED,
      call: 'DELETE /rest/v1/{tableId}',
      headers: RETURNS,
      query: MATCH,
      needs: ['filters.conditions'],
    },
    'row/get': {
      call: 'GET /rest/v1/{tableId}',
      query: pairs('filters.conditions', '$keyName', fill('eq.{keyValue}')),
      needs: ['filters.conditions'],
    },
    'row/getAll': {
      by: 'filterType',
      or: 'manual',
      of: {
        manual: { call: 'GET /rest/v1/{tableId}', query: MATCH, paging: PAGED },
        none: { call: 'GET /rest/v1/{tableId}', paging: PAGED },
      },
    },
  },
};
