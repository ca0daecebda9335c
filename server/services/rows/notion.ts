import type { Paging, Row, RowEntry, Service } from '../service.ts';
import {
  choice,
  each,
  eachText,
  filled,
  get,
  made,
  merged,
  pairs,
  some,
  type Template,
} from '../template.ts';

const ID = '([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})(?:[?#].*)?$';
const PAGE = { page: get('pageId', { url: ID }) };
const DATABASE = { database: get('databaseId', { url: ID }) };

const text = (content: Template): Template => [{ text: { content } }];
const textIn = (path: string): Template => some([some({ text: some({ content: filled(path) }) })]);
const WRITTEN = each('text.text', {
  text: {
    content: '$text',
    link: choice('isLink', 'false', { false: undefined, true: { url: '$textLink' } }),
  },
  annotations: some({
    ...Object.fromEntries(
      ['bold', 'italic', 'strikethrough', 'underline', 'code', 'color'].map((name) => [
        name,
        `$annotationUi.${name}`,
      ]),
    ),
  }),
});
const RICH: Template = choice('richText', 'false', {
  false: text(get('textContent', { or: '' })),
  true: WRITTEN,
});

const day = (path: string): Template =>
  choice('includeTime', 'true', {
    true: get(path, { as: 'iso', filled: true }),
    false: get(path, { as: 'day', filled: true }),
  });
const DATE: Template = choice('range', 'false', {
  false: { start: day('date') },
  true: { start: day('dateStart'), end: day('dateEnd') },
});
const numbers = (path: string): Template => eachText(path, { id: '$' });

/** By what stands behind the bar of a property's key. */
const VALUE: Record<string, Template> = {
  title: { title: text(get('title', { or: '' })) },
  rich_text: { rich_text: RICH },
  number: { number: get('numberValue', { as: 'number', or: null }) },
  select: { select: { name: '$selectValue' } },
  multi_select: { multi_select: eachText('multiSelectValue', { name: '$' }) },
  status: { status: { name: '$statusValue' } },
  checkbox: { checkbox: get('checkboxValue', { or: false }) },
  relation: { relation: numbers('relationValue') },
  people: { people: numbers('peopleValue') },
  email: { email: '$emailValue' },
  phone_number: { phone_number: '$phoneValue' },
  url: { url: '$urlValue' },
  date: { date: DATE },
  files: {
    files: each('fileUrls.fileUrl', { name: '$name', type: 'external', external: { url: '$url' } }),
  },
};

/** Without a kind in its key, a property is of that of its value. */
const BY_VALUE: Template = {
  title: textIn('title'),
  rich_text: textIn('textContent'),
  number: get('numberValue', { as: 'number' }),
  select: some({ name: '$selectValue' }),
  multi_select: some(eachText('multiSelectValue', { name: '$' })),
  status: some({ name: '$statusValue' }),
  checkbox: '$checkboxValue',
  relation: some(numbers('relationValue')),
  email: '$emailValue',
  phone_number: '$phoneValue',
  url: '$urlValue',
};

const PROPERTIES: Template = pairs(
  'propertiesUi.propertyValues',
  get('key', { as: 'name' }),
  choice('key', '', { ...VALUE, '': BY_VALUE }, 'kind'),
);

/** The property that is a page's title has this number in every database. */
const TITLE: Template = some({ title: textIn('title') });

const block = (type: string, content: Template = { rich_text: RICH }): Template => ({
  object: 'block',
  type,
  [type]: content,
});
const BLOCK_TYPES = [
  ...['paragraph', 'heading_1', 'heading_2', 'heading_3', 'toggle'],
  ...['bulleted_list_item', 'numbered_list_item'],
];
const BLOCKS: Template = some(
  each(
    'blockUi.blockValues',
    choice('type', 'paragraph', {
      ...Object.fromEntries(BLOCK_TYPES.map((type): [string, Template] => [type, block(type)])),
      to_do: block('to_do', { rich_text: RICH, checked: get('checked', { or: false }) }),
      image: block('image', { type: 'external', external: { url: '$url' } }),
    }),
  ),
);

const ICON: Template = some(
  choice('options.iconType', 'emoji', {
    emoji: some({ emoji: filled('options.icon') }),
    file: { external: { url: '$options.icon' } },
  }),
);

const PAGED: Paging = {
  by: 'cursor',
  name: 'start_cursor',
  in: 'json',
  from: 'next_cursor',
  size: { name: 'page_size', most: 100 },
  list: 'results',
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 50 },
};

/** As it came, or with the properties of pages as plain members, which is the usual form. */
function told(row: Row): RowEntry {
  return {
    by: 'simple',
    or: 'true',
    of: { true: { ...row, answer: made('notionPage', '@answer') }, false: row },
  };
}

function queried(filter: Template): RowEntry {
  return told({
    names: DATABASE,
    call: 'POST /databases/{@database}/query',
    json: {
      filter,
      sorts: some(
        each('options.sort.sortValue', {
          property: get('key', { as: 'name', filled: true }),
          direction: get('direction', { or: 'ascending' }),
        }),
      ),
    },
    paging: PAGED,
  });
}

function at(path: string, ...names: readonly string[]): Record<string, Template> {
  return Object.fromEntries(names.map((name) => [name, `$${path}.${name}`]));
}

/** Notion's pages, databases and blocks. */
export const NOTION: Service = {
  name: 'Notion',
  type: 'n8n-nodes-base.notion',
  versions: [2, 2.2],
  server: 'https://api.notion.com/v1',
  auth: { notionApi: { as: 'bearer' }, notionOAuth2Api: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'apiKey',
    of: { apiKey: 'notionApi', oAuth2: 'notionOAuth2Api' },
  },
  headers: { 'notion-version': '2022-02-22' },
  message: ['message'],
  resource: 'page',
  operation: {
    page: 'create',
    databasePage: 'create',
    database: 'get',
    block: 'append',
    user: 'get',
  },
  rows: {
    'databasePage/create': told({
      names: DATABASE,
      call: 'POST /pages',
      json: {
        parent: { database_id: '@database' },
        properties: merged(TITLE, PROPERTIES),
        children: BLOCKS,
        icon: ICON,
      },
    }),
    'databasePage/update': told({
      names: PAGE,
      call: 'PATCH /pages/{@page}',
      json: { properties: PROPERTIES, icon: ICON },
    }),
    'databasePage/get': told({ names: PAGE, call: 'GET /pages/{@page}' }),
    'databasePage/getAll': {
      by: 'filterType',
      or: 'none',
      of: { none: queried(undefined), json: queried(get('filterJson', { as: 'json' })) },
    },
    'page/create': told({
      names: PAGE,
      call: 'POST /pages',
      json: {
        parent: { page_id: '@page' },
        properties: { title: text(get('title', { or: '' })) },
        children: BLOCKS,
        icon: ICON,
      },
    }),
    'page/archive': told({
      names: PAGE,
      call: 'PATCH /pages/{@page}',
      json: { archived: true },
    }),
    'page/search': told({
      call: 'POST /search',
      json: {
        query: filled('text'),
        filter: some({ ...at('options.filter.filters', 'property', 'value') }),
        sort: some({ ...at('options.sort.sortValue', 'direction', 'timestamp') }),
      },
      paging: PAGED,
    }),
    'database/get': told({ names: DATABASE, call: 'GET /databases/{@database}' }),
    'database/search': told({
      call: 'POST /search',
      json: { query: filled('text'), filter: { property: 'object', value: 'database' } },
      paging: PAGED,
    }),
    'block/append': {
      names: { block: get('blockId', { url: ID }) },
      call: 'PATCH /blocks/{@block}/children',
      json: { children: BLOCKS },
    },
    'user/get': { call: 'GET /users/{userId}' },
  },
};
