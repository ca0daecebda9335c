import type { OwnOperation, OwnService } from '../own-operations.ts';

const FILTERS = [
  ...['includeSpamTrash', 'labelIds', 'q', 'readStatus', 'receivedAfter', 'receivedBefore'],
  'sender',
].map((name) => `filters.${name}`);
const COMPOSED = [
  ...['emailType', 'message', 'options.appendAttribution', 'options.attachmentsUi'],
  ...['options.bccList', 'options.ccList', 'options.replyTo', 'options.senderName'],
];
/** What is read of a message: its main headers, or all of it. */
const READ = [
  ...['simple', 'options.downloadAttachments'],
  'options.dataPropertyAttachmentsPrefixName',
];

function on(name: string, ...more: readonly string[]): OwnOperation {
  return { settings: [name, ...more], needed: [name] };
}

/** Threads are named beside messages, which the source may have kept from another operation. */
const onThread = on('threadId');

const answered = (...needed: readonly string[]): OwnOperation => ({
  settings: ['messageId', 'threadId', ...COMPOSED, 'options.replyToSenderOnly'],
  needed: ['messageId', ...needed],
});

/** What is done of Gmail, from version 2 on. */
export const GMAIL_OPERATIONS: OwnService = {
  type: 'n8n-nodes-base.gmail',
  resource: 'message',
  operation: { message: 'send', draft: 'create', label: 'getAll', thread: 'getAll' },
  of: {
    'message/send': { settings: ['sendTo', 'subject', ...COMPOSED], needed: ['sendTo'] },
    'message/reply': answered(),
    'message/get': on('messageId', ...READ),
    'message/getAll': { settings: ['returnAll', 'limit', ...READ, ...FILTERS] },
    'message/delete': on('messageId'),
    'message/addLabels': on('messageId', 'labelIds'),
    'message/removeLabels': on('messageId', 'labelIds'),
    'message/markAsRead': on('messageId'),
    'message/markAsUnread': on('messageId'),
    'draft/create': {
      settings: [
        ...['subject', ...COMPOSED, 'options.sendTo', 'options.threadId', 'options.fromAlias'],
      ],
    },
    'draft/delete': on('messageId'),
    'label/getAll': { settings: ['returnAll', 'limit'] },
    'label/get': on('labelId'),
    'label/create': {
      ...on('name', 'options.labelListVisibility', 'options.messageListVisibility'),
    },
    'label/delete': on('labelId'),
    'thread/getAll': { settings: ['returnAll', 'limit', ...FILTERS] },
    'thread/reply': answered('threadId'),
    'thread/delete': onThread,
    'thread/trash': onThread,
    'thread/untrash': onThread,
    'thread/addLabels': on('threadId', 'labelIds'),
    'thread/removeLabels': on('threadId', 'labelIds'),
  },
};
