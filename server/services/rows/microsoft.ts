import type { Paging, Row, Service } from '../service.ts';
import { eachText, filled, get, merged, same, some, type Template, within } from '../template.ts';

const people = (path: string): Template => some(eachText(path, { emailAddress: { address: '$' } }));

const EXTRA: Template = within('additionalFields', {
  ccRecipients: people('ccRecipients'),
  bccRecipients: people('bccRecipients'),
  replyTo: people('replyTo'),
  from: some({ emailAddress: some({ address: filled('from') }) }),
  categories: '$categories',
  importance: '$importance',
  isReadReceiptRequested: '$isReadReceiptRequested',
});

const MESSAGE: Template = merged(
  {
    subject: '$subject',
    body: {
      content: '$bodyContent',
      contentType: get('additionalFields.bodyContentType', { or: 'html' }),
    },
    toRecipients: people('toRecipients'),
  },
  EXTRA,
);

const PAGED: Paging = {
  by: 'next',
  from: '@odata.nextLink',
  list: 'value',
  size: { name: '$top', most: 100 },
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 100 },
};

const SIMPLE = 'id,conversationId,subject,bodyPreview,from,toRecipients,categories,hasAttachments';
const DONE: Template = { success: true };

function reply(path: string): Row {
  return {
    call: `POST /messages/{messageId}/${path}`,
    json: { comment: '$message' },
    answer: DONE,
  };
}

const AUTH = {
  auth: { microsoftOutlookOAuth2Api: { as: 'bearer' } },
  message: ['error.message'],
} as const;

/** Outlook of Microsoft 365. */
export const OUTLOOK: Service = {
  ...AUTH,
  name: 'Microsoft Outlook',
  type: 'n8n-nodes-base.microsoftOutlook',
  versions: [2, 2],
  server: 'https://graph.microsoft.com/v1.0/me',
  resource: 'message',
  operation: { message: 'send', draft: 'create', folder: 'getAll', calendar: 'getAll' },
  rows: {
    'message/send': {
      call: 'POST /sendMail',
      json: {
        message: MESSAGE,
        saveToSentItems: get('additionalFields.saveToSentItems', { or: true }),
      },
      answer: DONE,
    },
    'message/reply': {
      by: 'replyToSenderOnly',
      or: 'false',
      of: { true: reply('reply'), false: reply('replyAll') },
    },
    'message/delete': { call: 'DELETE /messages/{messageId}', answer: DONE },
    'message/move': {
      call: 'POST /messages/{messageId}/move',
      json: { destinationId: '$folderId' },
      answer: DONE,
    },
    'message/get': {
      by: 'output',
      or: 'simple',
      of: {
        simple: { call: 'GET /messages/{messageId}', query: { $select: SIMPLE } },
        raw: { call: 'GET /messages/{messageId}' },
      },
    },
    'message/getAll': {
      by: 'output',
      or: 'simple',
      of: {
        simple: { call: 'GET /messages', query: { $select: SIMPLE }, paging: PAGED },
        raw: { call: 'GET /messages', paging: PAGED },
      },
    },
    'message/update': {
      call: 'PATCH /messages/{messageId}',
      json: within('updateFields', same('isRead', 'categories', 'importance', 'subject')),
    },
    'draft/create': { call: 'POST /messages', json: MESSAGE },
    'draft/send': { call: 'POST /messages/{draftId}/send', answer: DONE },
    'draft/delete': { call: 'DELETE /messages/{draftId}', answer: DONE },
  },
};

const CHAT_V1: Template = {
  body: { contentType: get('messageType', { or: 'text' }), content: '$message' },
};
const CHAT_V2: Template = {
  body: { contentType: get('contentType', { or: 'text' }), content: '$message' },
};

function teams(versions: Service['versions'], message: Template): Service {
  return {
    name: 'Microsoft Teams',
    type: 'n8n-nodes-base.microsoftTeams',
    versions,
    server: 'https://graph.microsoft.com/v1.0',
    auth: { microsoftTeamsOAuth2Api: { as: 'bearer' } },
    message: ['error.message'],
    resource: 'channel',
    operation: { channel: 'create', channelMessage: 'create', chatMessage: 'create' },
    ignores: ['options.includeLinkToWorkflow'],
    rows: {
      'chatMessage/create': { call: 'POST /chats/{chatId}/messages', json: message },
      'chatMessage/get': { call: 'GET /chats/{chatId}/messages/{messageId}' },
      'channelMessage/create': {
        call: 'POST /teams/{teamId}/channels/{channelId}/messages',
        json: message,
      },
    },
  };
}

/** Teams of Microsoft 365. No link to a workflow is put under a message. */
export const TEAMS_V1 = teams([1, 1.1], CHAT_V1);
export const TEAMS = teams([2, 2], CHAT_V2);
