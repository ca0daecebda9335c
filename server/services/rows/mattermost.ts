import type { Paging, Service } from '../service.ts';
import { merged, same, within } from '../template.ts';

function listed(): Paging {
  return {
    by: 'once',
    all: { setting: 'returnAll', or: false },
    limit: { setting: 'limit', or: 100 },
  };
}

/** Mattermost, whose servers are everybody's own. */
export const MATTERMOST: Service = {
  name: 'Mattermost',
  type: 'n8n-nodes-base.mattermost',
  versions: [1, 1],
  server: '',
  auth: { mattermostApi: { as: 'bearer' } },
  message: ['message'],
  resource: 'message',
  operation: { message: 'post', channel: 'create', user: 'getAll', reaction: 'create' },
  rows: {
    'message/post': {
      call: 'POST /api/v4/posts',
      json: merged(
        { channel_id: '$channelId', message: '$message' },
        within('otherOptions', same('root_id')),
      ),
    },
    'message/delete': { call: 'DELETE /api/v4/posts/{postId}' },
    'message/postEphemeral': {
      call: 'POST /api/v4/posts/ephemeral',
      json: { user_id: '$userId', post: { channel_id: '$channelId', message: '$message' } },
    },
    'channel/addUser': {
      call: 'POST /api/v4/channels/{channelId}/members',
      json: { user_id: '$userId' },
    },
    'channel/delete': { call: 'DELETE /api/v4/channels/{channelId}' },
    'channel/restore': { call: 'POST /api/v4/channels/{channelId}/restore' },
    'channel/statistics': { call: 'GET /api/v4/channels/{channelId}/stats' },
    'channel/search': {
      call: 'POST /api/v4/teams/{teamId}/channels/search',
      json: { term: '$term' },
      paging: listed(),
    },
    'reaction/create': {
      call: 'POST /api/v4/reactions',
      json: { user_id: '$userId', post_id: '$postId', emoji_name: '$emojiName' },
    },
  },
};
