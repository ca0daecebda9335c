import type { Paging, RowEntry, Service } from '../service.ts';
import { fill, filled, merged, pairs, type Template, within } from '../template.ts';

const TABLE = '/api/database/rows/table/{tableId}';
const NAMED: Template = { user_field_names: true };
const FIELDS = pairs('fieldsUi.fieldValues', fill('field_{fieldId}'), '$fieldValue');
const ignores = ['databaseId'];

const PAGED: Paging = {
  by: 'page',
  name: 'page',
  size: { name: 'size', most: 100 },
  list: 'results',
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 100 },
};

const FILTERS: Template = within(
  'additionalOptions',
  merged(pairs('filters.fields', fill('filter__field_{field}__{operator|equal}'), '$value'), {
    filter_type: filled('filterType'),
    search: filled('search'),
  }),
);

/** Fields by their number as the node lists them; by their names as an item has them. */
function written(call: string): RowEntry {
  return {
    by: 'dataToSend',
    or: 'defineBelow',
    of: {
      defineBelow: { call, json: merged({}, FIELDS), ignores },
      autoMapInputData: { call, query: NAMED, json: '@item', ignores },
    },
  };
}

/** Baserow's tables. */
export const BASEROW: Service = {
  name: 'Baserow',
  type: 'n8n-nodes-base.baserow',
  versions: [1, 1],
  server: 'https://api.baserow.io',
  auth: { baserowApi: { as: 'header', name: 'Authorization', prefix: 'Token ' } },
  message: ['detail', 'error'],
  operation: 'getAll',
  rows: {
    getAll: { call: `GET ${TABLE}/`, query: merged(NAMED, FILTERS), paging: PAGED, ignores },
    get: { call: `GET ${TABLE}/{rowId}/`, query: NAMED, ignores },
    create: written(`POST ${TABLE}/`),
    update: written(`PATCH ${TABLE}/{rowId}/`),
    delete: { call: `DELETE ${TABLE}/{rowId}/`, answer: { success: true }, ignores },
  },
};
