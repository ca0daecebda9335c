import type { Item, JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { GMAIL } from '../../../services/rows/gmail.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';
import { eachOperation, type Operation } from '../each-operation.ts';
import { answerOf, mailOf, rawMail } from './compose.ts';
import { labelNames, readMessage, searchQuery } from './messages.ts';
import { readWholeMessage } from './whole-message.ts';

const SUCCESS: JsonObject = { success: true };
const DEFAULT_LIMIT = 50;
const PAGE = 100;

function fields(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Labels by their identifiers, as a list or with commas between them. */
function labelIds({ settings }: OneItem): string[] {
  return settings.names('labelIds');
}

function idOf({ settings }: OneItem, name: string): { readonly id: string } {
  return { id: settings.text(name) };
}

const send: Operation = async (api, one) => {
  const mail = await mailOf(api, one, { to: one.settings.text('sendTo') });
  const raw = await rawMail(one, mail);
  return fields(await api.send('POST /gmail/v1/users/me/messages/send', { json: { raw } }));
};

async function answered(api: Api, one: OneItem): Promise<JsonObject> {
  const path = idOf(one, 'messageId');
  const query = { format: 'metadata' };
  const message = await api.send('GET /gmail/v1/users/me/messages/{@path.id}', { path, query });
  const raw = await rawMail(one, await answerOf(api, one, message));
  const { threadId } = fields(message);
  const json = { raw, threadId };
  return fields(await api.send('POST /gmail/v1/users/me/messages/send', { json }));
}

const createDraft: Operation = async (api, one) => {
  const { settings } = one;
  const mail = await mailOf(api, one, { to: settings.text('options.sendTo') });
  const threadId = settings.text('options.threadId');
  const message = { raw: await rawMail(one, mail), ...(threadId === '' ? {} : { threadId }) };
  return fields(await api.send('POST /gmail/v1/users/me/drafts', { json: { message } }));
};

/** Changes the labels of a message or a thread. */
function modify(what: 'messages' | 'threads', change: (one: OneItem) => JsonObject): Operation {
  return async (api, one) => {
    const path = idOf(one, what === 'messages' ? 'messageId' : 'threadId');
    const request = `POST /gmail/v1/users/me/${what}/{@path.id}/modify`;
    return fields(await api.send(request, { path, json: change(one) }));
  };
}

function remove(what: string, name: string): Operation {
  return async (api, one) => {
    await api.send(`DELETE /gmail/v1/users/me/${what}/{@path.id}`, { path: idOf(one, name) });
    return SUCCESS;
  };
}

function move(how: 'trash' | 'untrash'): Operation {
  return async (api, one) => {
    const request = `POST /gmail/v1/users/me/threads/{@path.id}/${how}`;
    return fields(await api.send(request, { path: idOf(one, 'threadId') }));
  };
}

function wantedOf({ settings }: OneItem): number {
  if (settings.isOn('returnAll')) return Number.POSITIVE_INFINITY;
  return Number(settings.value('limit', DEFAULT_LIMIT));
}

/** The members of a listing, page by page. */
async function listed(api: Api, one: OneItem, what: string): Promise<JsonObject[]> {
  const wanted = wantedOf(one);
  const found: JsonObject[] = [];
  let pageToken: unknown;
  do {
    const maxResults = Math.min(PAGE, wanted - found.length);
    const query = {
      ...searchQuery(one),
      ...{ maxResults },
      ...(pageToken === undefined ? {} : { pageToken }),
    };
    const page = fields(await api.send(`GET /gmail/v1/users/me/${what}`, { query }));
    found.push(...listIn(page, what));
    pageToken = page['nextPageToken'];
  } while (pageToken !== undefined && found.length < wanted);
  return found.slice(0, wanted);
}

function isSimple({ settings }: OneItem): boolean {
  return settings.value('simple', true) !== false;
}

const getMessage: Operation = async (api, one) => {
  const id = one.settings.text('messageId');
  if (!isSimple(one)) return { items: [await readWholeMessage(api, one, id)] };
  return readMessage(api, id, await labelNames(api));
};

const getMessages: Operation = async (api, one) => {
  const found = await listed(api, one, 'messages');
  const ids = found.map(({ id }) => String(id));
  if (!isSimple(one)) {
    const items: Item[] = [];
    for (const id of ids) items.push(await readWholeMessage(api, one, id));
    return { items };
  }
  const names = ids.length === 0 ? new Map<string, string>() : await labelNames(api);
  const messages: JsonObject[] = [];
  for (const id of ids) messages.push(await readMessage(api, id, names));
  return messages;
};

const getLabels: Operation = async (api, one) => {
  const labels = listIn(await api.send('GET /gmail/v1/users/me/labels'), 'labels');
  return labels.slice(0, wantedOf(one));
};

const createLabel: Operation = async (api, { settings }) => {
  const json = {
    name: settings.text('name'),
    labelListVisibility: settings.text('options.labelListVisibility', 'labelShow'),
    messageListVisibility: settings.text('options.messageListVisibility', 'show'),
  };
  return fields(await api.send('POST /gmail/v1/users/me/labels', { json }));
};

const getLabel: Operation = async (api, one) =>
  fields(
    await api.send('GET /gmail/v1/users/me/labels/{@path.id}', { path: idOf(one, 'labelId') }),
  );

const add = (one: OneItem): JsonObject => ({ addLabelIds: labelIds(one) });
const take = (one: OneItem): JsonObject => ({ removeLabelIds: labelIds(one) });
const unread = (): JsonObject => ({ addLabelIds: ['UNREAD'] });
const read = (): JsonObject => ({ removeLabelIds: ['UNREAD'] });

/** Gmail, from version 2 on. No line that advertises the source is put under a mail. */
export const handleGmail = eachOperation(GMAIL, {
  resource: 'message',
  operation: { message: 'send', draft: 'create', label: 'getAll', thread: 'getAll' },
  of: {
    'message/send': send,
    'message/reply': answered,
    'message/get': getMessage,
    'message/getAll': getMessages,
    'message/delete': remove('messages', 'messageId'),
    'message/addLabels': modify('messages', add),
    'message/removeLabels': modify('messages', take),
    'message/markAsRead': modify('messages', read),
    'message/markAsUnread': modify('messages', unread),
    'draft/create': createDraft,
    'draft/delete': remove('drafts', 'messageId'),
    'label/getAll': getLabels,
    'label/get': getLabel,
    'label/create': createLabel,
    'label/delete': remove('labels', 'labelId'),
    'thread/getAll': (api, one) => listed(api, one, 'threads'),
    'thread/reply': answered,
    'thread/delete': remove('threads', 'threadId'),
    'thread/trash': move('trash'),
    'thread/untrash': move('untrash'),
    'thread/addLabels': modify('threads', add),
    'thread/removeLabels': modify('threads', take),
  },
});
