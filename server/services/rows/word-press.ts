import type { Paging, Row, Service } from '../service.ts';
import { filled, get, merged, same, type Template, within } from '../template.ts';

const FIELDS: Template = {
  ...same('title', 'content', 'slug', 'password', 'status', 'sticky', 'format'),
  author: filled('authorId'),
  comment_status: '$commentStatus',
  ping_status: '$pingStatus',
  categories: '$categories',
  tags: '$tags',
  date: get('date', { as: 'iso', filled: true }),
};

const PAGED: Paging = {
  by: 'page',
  name: 'page',
  size: { name: 'per_page', most: 100 },
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 50 },
};

const LISTED: Template = within('options', {
  ...same('context', 'search', 'slug', 'sticky', 'status', 'order'),
  orderby: '$orderBy',
  after: get('after', { as: 'iso', filled: true }),
  before: get('before', { as: 'iso', filled: true }),
  author: '$author',
  categories: get('categories', { as: 'joined' }),
  tags: get('tags', { as: 'joined' }),
});

function of(path: string, id: string): Record<string, Row> {
  return {
    create: {
      call: `POST /wp-json/wp/v2/${path}`,
      json: merged(same('title'), within('additionalFields', FIELDS)),
    },
    update: {
      call: `POST /wp-json/wp/v2/${path}/{${id}}`,
      json: within('updateFields', FIELDS),
    },
    get: {
      call: `GET /wp-json/wp/v2/${path}/{${id}}`,
      query: within('options', same('password', 'context')),
    },
    getAll: { call: `GET /wp-json/wp/v2/${path}`, query: LISTED, paging: PAGED },
  };
}

function under(resource: string, rows: Record<string, Row>): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(rows).map(([operation, row]) => [`${resource}/${operation}`, row]),
  );
}

/** WordPress, whose sites are everybody's own. */
export const WORD_PRESS: Service = {
  name: 'WordPress',
  type: 'n8n-nodes-base.wordpress',
  versions: [1, 1],
  server: '',
  auth: { wordpressApi: { as: 'basic' } },
  message: ['message'],
  resource: 'post',
  operation: { post: 'create', page: 'create', user: 'create' },
  rows: { ...under('post', of('posts', 'postId')), ...under('page', of('pages', 'pageId')) },
};
