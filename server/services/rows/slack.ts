import type { Paging, Row, Service } from '../service.ts';
import { choice, filled, get, merged, same, type Template, within } from '../template.ts';

/** How a listing of Slack goes on. */
function listed(list: string, size = 100): Paging {
  return {
    by: 'cursor',
    name: 'cursor',
    from: 'response_metadata.next_cursor',
    size: { name: 'limit', most: size },
    list,
    all: { setting: 'returnAll', or: false },
    limit: { setting: 'limit', or: 50 },
  };
}

/** Slack tells when a message was sent as `ts`, the source as `message_timestamp`. */
const TOLD: Template = merged('@answer', { message_timestamp: '@answer.ts' });

const SENT: Template = within(
  'otherOptions',
  merged(
    same('link_names', 'mrkdwn', 'unfurl_links', 'unfurl_media'),
    within('thread_ts.replyValues', same('thread_ts', 'reply_broadcast')),
    within(
      'botProfile.imageValues',
      choice('profilePhotoType', '', {
        '': undefined,
        emoji: same('icon_emoji'),
        image: same('icon_url'),
      }),
    ),
    { username: filled('sendAsUser') },
  ),
);

const CONTENT: Template = choice('messageType', 'text', {
  text: same('text'),
  block: merged({ text: filled('text') }, get('blocksUi', { as: 'json' })),
});

const WHERE: Template = choice('select', 'channel', {
  channel: { channel: '$channelId' },
  user: { channel: '$user' },
});

const POST: Row = {
  call: 'POST /chat.postMessage',
  json: merged(WHERE, CONTENT, SENT),
  answer: TOLD,
  ignores: ['otherOptions.includeLinkToWorkflow'],
};

const REACTION: Template = { channel: '$channelId', timestamp: '$timestamp', name: '$name' };
const CHANNEL: Template = { channel: '$channelId' };

const COMMON = {
  name: 'Slack',
  type: 'n8n-nodes-base.slack',
  server: 'https://slack.com/api',
  auth: { slackApi: { as: 'bearer' }, slackOAuth2Api: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'accessToken',
    of: { accessToken: 'slackApi', oAuth2: 'slackOAuth2Api' },
  },
  failure: { at: 'ok', is: false },
  message: ['error'],
  resource: 'message',
  operation: { message: 'post', channel: 'create', reaction: 'add', user: 'info' },
} as const;

/** Slack's Web API. No link to a workflow is put under a message. */
export const SLACK: Service = {
  ...COMMON,
  versions: [2, 2.3],
  rows: {
    'message/post': POST,
    'message/update': {
      call: 'POST /chat.update',
      json: merged(
        { channel: '$channelId', ts: '$ts' },
        CONTENT,
        within('updateFields', same('link_names', 'parse')),
      ),
      answer: TOLD,
    },
    'message/delete': {
      call: 'POST /chat.delete',
      json: merged(WHERE, { ts: '$timestamp' }),
      answer: TOLD,
    },
    'message/getPermalink': {
      call: 'GET /chat.getPermalink',
      query: { channel: '$channelId', message_ts: '$timestamp' },
    },
    'reaction/add': { call: 'POST /reactions.add', json: REACTION },
    'reaction/remove': { call: 'POST /reactions.remove', json: REACTION },
    'reaction/get': {
      call: 'GET /reactions.get',
      query: { channel: '$channelId', timestamp: '$timestamp' },
    },
    'channel/archive': { call: 'POST /conversations.archive', json: CHANNEL },
    'channel/unarchive': { call: 'POST /conversations.unarchive', json: CHANNEL },
    'channel/join': { call: 'POST /conversations.join', json: CHANNEL, answer: '@answer.channel' },
    'channel/leave': { call: 'POST /conversations.leave', json: CHANNEL },
    'channel/get': {
      call: 'GET /conversations.info',
      query: merged(CHANNEL, within('options', same('include_num_members'))),
      answer: '@answer.channel',
    },
    'channel/setTopic': {
      call: 'POST /conversations.setTopic',
      json: merged(CHANNEL, same('topic')),
      answer: '@answer.channel',
    },
    'channel/setPurpose': {
      call: 'POST /conversations.setPurpose',
      json: merged(CHANNEL, same('purpose')),
      answer: '@answer.channel',
    },
    'channel/rename': {
      call: 'POST /conversations.rename',
      json: merged(CHANNEL, same('name')),
      answer: '@answer.channel',
    },
    'channel/invite': {
      call: 'POST /conversations.invite',
      json: merged(CHANNEL, { users: get('userIds', { as: 'joined' }) }),
      answer: '@answer.channel',
    },
    'channel/getAll': {
      call: 'GET /conversations.list',
      query: within('filters', {
        exclude_archived: '$excludeArchived',
        types: get('types', { as: 'joined' }),
      }),
      paging: listed('channels'),
    },
    'channel/history': {
      call: 'GET /conversations.history',
      query: merged(
        CHANNEL,
        within('filters', {
          inclusive: '$inclusive',
          latest: get('latest', { as: 'seconds', filled: true }),
          oldest: get('oldest', { as: 'seconds', filled: true }),
        }),
      ),
      paging: listed('messages'),
    },
    'channel/replies': {
      call: 'GET /conversations.replies',
      query: merged(
        CHANNEL,
        same('ts'),
        within('filters', {
          inclusive: '$inclusive',
          latest: get('latest', { as: 'seconds', filled: true }),
          oldest: get('oldest', { as: 'seconds', filled: true }),
        }),
      ),
      paging: listed('messages'),
    },
    'user/info': { call: 'GET /users.info', query: { user: '$user' }, answer: '@answer.user' },
    'user/getPresence': { call: 'GET /users.getPresence', query: { user: '$user' } },
    'user/getAll': { call: 'GET /users.list', paging: listed('members') },
  },
};

/** The older form, in which a channel is a text. */
export const SLACK_V1: Service = {
  ...COMMON,
  versions: [1, 1],
  rows: {
    'message/post': {
      call: 'POST /chat.postMessage',
      json: merged(
        { channel: '$channel', text: '$text' },
        within('otherOptions', {
          ...same('icon_emoji', 'icon_url', 'link_names', 'mrkdwn', 'unfurl_links', 'unfurl_media'),
          ...same('thread_ts', 'reply_broadcast'),
          username: filled('sendAsUser'),
        }),
      ),
      answer: TOLD,
      ignores: ['as_user'],
    },
  },
};
