import type { Paging, Row, RowEntry, Service } from '../service.ts';
import {
  choice,
  each,
  filled,
  get,
  merged,
  same,
  some,
  type Template,
  within,
} from '../template.ts';

const EMBEDS: Template = some(
  each(
    'embeds.values',
    choice('inputMethod', 'fields', {
      json: get('json', { as: 'json' }),
      fields: {
        description: filled('description'),
        title: filled('title'),
        url: filled('url'),
        author: some({ name: filled('author') }),
        image: some({ url: filled('image') }),
        thumbnail: some({ url: filled('thumbnail') }),
        timestamp: get('timestamp', { as: 'iso', filled: true }),
      },
    }),
  ),
);

const CONTENT: Template = { content: filled('content'), embeds: EMBEDS };

const HOOK: Row = {
  call: 'POST {@token}',
  query: { wait: get('options.wait') },
  json: merged(CONTENT, within('options', { tts: '$tts', ...same('username', 'avatar_url') })),
  answer: get('@answer', { or: { success: true } }),
};

const SENT: Template = merged(
  CONTENT,
  within('options', {
    tts: '$tts',
    message_reference: some({ message_id: filled('message_reference') }),
  }),
);

const SEND: RowEntry = {
  by: 'sendTo',
  or: 'channel',
  of: {
    channel: {
      call: 'POST /channels/{channelId}/messages',
      json: SENT,
      ignores: ['guildId'],
    },
    user: {
      before: [{ call: 'POST /users/@me/channels', json: { recipient_id: '$userId' } }],
      call: 'POST /channels/{@before.0.id}/messages',
      json: SENT,
      ignores: ['guildId'],
    },
  },
};

/** What a node does with its own credential; with a webhook there is one thing to do. */
function own(row: RowEntry): RowEntry {
  return {
    by: 'authentication',
    or: 'botToken',
    of: { botToken: row, oAuth2: row, webhook: HOOK },
  };
}

const ONCE: Paging = {
  by: 'once',
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 100 },
};

/** Discord's API, with a bot or with the webhook of a channel, whose whole address is the secret. */
export const DISCORD: Service = {
  name: 'Discord',
  type: 'n8n-nodes-base.discord',
  versions: [2, 2],
  server: 'https://discord.com/api/v10',
  auth: {
    discordBotApi: { as: 'header', name: 'Authorization', prefix: 'Bot ' },
    discordOAuth2Api: { as: 'bearer' },
    discordWebhookApi: { as: 'path' },
  },
  authBy: {
    setting: 'authentication',
    or: 'botToken',
    of: {
      botToken: 'discordBotApi',
      oAuth2: 'discordOAuth2Api',
      webhook: 'discordWebhookApi',
    },
  },
  message: ['message'],
  resource: 'channel',
  operation: { channel: 'create', message: 'send', member: 'getAll' },
  rows: {
    'channel/create': { by: 'authentication', or: 'botToken', of: { webhook: HOOK } },
    'channel/sendLegacy': { by: 'authentication', or: 'botToken', of: { webhook: HOOK } },
    'message/sendLegacy': { by: 'authentication', or: 'botToken', of: { webhook: HOOK } },
    'message/send': own(SEND),
    'message/get': own({
      call: 'GET /channels/{channelId}/messages/{messageId}',
      ignores: ['guildId'],
    }),
    'message/delete': own({
      call: 'DELETE /channels/{channelId}/messages/{messageId}',
      answer: { success: true },
      ignores: ['guildId'],
    }),
    'channel/get': own({ call: 'GET /channels/{channelId}', ignores: ['guildId'] }),
    'channel/getAll': own({ call: 'GET /guilds/{guildId}/channels', paging: ONCE }),
    'channel/deleteChannel': own({ call: 'DELETE /channels/{channelId}', ignores: ['guildId'] }),
  },
};

/** The older form: the address of a webhook is a setting. */
export const DISCORD_V1: Service = {
  name: 'Discord',
  type: 'n8n-nodes-base.discord',
  versions: [1, 1],
  server: 'https://discord.com',
  auth: {},
  message: ['message'],
  operation: '',
  rows: {
    '': {
      call: 'POST {webhookUri}',
      json: merged(
        { content: filled('text') },
        within('options', {
          tts: '$tts',
          username: filled('username'),
          avatar_url: filled('avatarUrl'),
        }),
      ),
      answer: get('@answer', { or: { success: true } }),
    },
  },
};
