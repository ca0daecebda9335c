import type { Paging, Service } from '../service.ts';
import { filled, get, merged, same, type Template, within } from '../template.ts';

const WHEN: Template = {
  description: filled('description'),
  due_datetime: get('dueDateTime', { as: 'iso', filled: true }),
  due_lang: filled('dueLang'),
  due_string: filled('dueString'),
  priority: get('priority', { as: 'number' }),
};

const ONCE: Paging = {
  by: 'once',
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 50 },
};

const DONE: Template = { success: true };

/** Todoist's tasks. */
export const TODOIST: Service = {
  name: 'Todoist',
  type: 'n8n-nodes-base.todoist',
  versions: [2, 2.1],
  server: 'https://api.todoist.com/rest/v2',
  auth: { todoistApi: { as: 'bearer' }, todoistOAuth2Api: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'apiKey',
    of: { apiKey: 'todoistApi', oAuth2: 'todoistOAuth2Api' },
  },
  resource: 'task',
  operation: { task: 'create' },
  rows: {
    'task/create': {
      call: 'POST /tasks',
      json: merged(
        {
          content: '$content',
          project_id: filled('project'),
          labels: '$labels',
        },
        within('options', {
          ...WHEN,
          section_id: filled('section'),
          parent_id: filled('parentId'),
        }),
      ),
    },
    'task/close': { call: 'POST /tasks/{taskId}/close', answer: DONE },
    'task/reopen': { call: 'POST /tasks/{taskId}/reopen', answer: DONE },
    'task/delete': { call: 'DELETE /tasks/{taskId}', answer: DONE },
    'task/get': { call: 'GET /tasks/{taskId}' },
    'task/getAll': {
      call: 'GET /tasks',
      query: within('filters', {
        ...same('filter', 'lang'),
        project_id: filled('projectId'),
        section_id: filled('sectionId'),
        label: filled('labelId'),
        ids: get('ids', { as: 'joined', filled: true }),
      }),
      paging: ONCE,
    },
    'task/update': {
      call: 'POST /tasks/{taskId}',
      json: within('updateFields', { ...same('content', 'labels'), ...WHEN }),
      answer: DONE,
    },
  },
};
