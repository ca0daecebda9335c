import { afterAll, describe, it } from 'vitest';
import {
  bearer,
  expectCase,
  locator,
  one,
  type ServiceCases,
} from '../../../test/support/service-cases.ts';
import { startServicePeer } from '../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const CASES: ServiceCases = [
  [
    'slack',
    2.2,
    {
      given: {
        select: 'channel',
        channelId: locator('C1'),
        text: '=Hi {{ $json.n }}',
        otherOptions: {
          includeLinkToWorkflow: false,
          thread_ts: { replyValues: { thread_ts: 9 } },
        },
      },
      items: [{ json: { n: 'A' } }],
      answers: one({ ok: true, ts: '1.2' }),
      asks: [
        [
          'POST https://slack.com/api/chat.postMessage',
          { channel: 'C1', text: 'Hi A', thread_ts: 9 },
        ],
      ],
      gives: [{ ok: true, ts: '1.2', message_timestamp: '1.2' }],
    },
  ],
  [
    'slack',
    2.1,
    {
      given: {
        select: 'user',
        user: locator('U1'),
        messageType: 'block',
        blocksUi: '={ "blocks": [{ "type": "divider" }] }',
        text: 'plain',
      },
      answers: one({ ok: true }),
      asks: [
        [
          'POST https://slack.com/api/chat.postMessage',
          { channel: 'U1', text: 'plain', blocks: [{ type: 'divider' }] },
        ],
      ],
    },
  ],
  [
    'slack',
    2.2,
    {
      given: { resource: 'channel', operation: 'getAll', limit: 3 },
      answers: [
        {
          json: {
            ok: true,
            channels: [{ id: 1 }, { id: 2 }],
            response_metadata: { next_cursor: 'n' },
          },
        },
        { json: { ok: true, channels: [{ id: 3 }, { id: 4 }] } },
      ],
      asks: [
        ['GET https://slack.com/api/conversations.list?limit=3'],
        ['GET https://slack.com/api/conversations.list?limit=3&cursor=n'],
      ],
      gives: [{ id: 1 }, { id: 2 }, { id: 3 }],
    },
  ],
  [
    'discord',
    2,
    {
      given: { authentication: '{{ $credentials.webhook }}', content: 'Hi', options: {} },
      credential: { kind: 'bearer', token: 'https://discord.com/api/webhooks/1/abc' },
      answers: [{ status: 204 }],
      asks: [['POST https://discord.com/api/webhooks/1/abc', { content: 'Hi' }]],
      gives: [{ success: true }],
    },
  ],
  [
    'discord',
    2,
    {
      given: { resource: 'message', sendTo: 'user', userId: locator('7'), content: 'Hi' },
      answers: [{ json: { id: 'dm' } }, { json: { id: 'm' } }],
      asks: [
        ['POST https://discord.com/api/v10/users/@me/channels', { recipient_id: '7' }],
        ['POST https://discord.com/api/v10/channels/dm/messages', { content: 'Hi' }],
      ],
      gives: [{ id: 'm' }],
    },
  ],
  [
    'mattermost',
    1,
    {
      given: { channelId: 'c', message: 'x', attachments: [], otherOptions: { root_id: 'r' } },
      credential: { ...bearer, server: 'https://chat.example.com/' },
      answers: one({ id: 'p' }),
      asks: [
        [
          'POST https://chat.example.com/api/v4/posts',
          { channel_id: 'c', message: 'x', root_id: 'r' },
        ],
      ],
      gives: [{ id: 'p' }],
    },
  ],
  [
    'github',
    1.1,
    {
      given: {
        owner: locator('https://github.com/n8n-io', 'url'),
        repository: locator('n8n'),
        title: 'T',
        body: 'B',
        labels: [{ label: 'bug' }],
        assignees: [],
      },
      answers: one({ number: 4 }),
      asks: [
        [
          'POST https://api.github.com/repos/n8n-io/n8n/issues',
          { title: 'T', body: 'B', labels: ['bug'], assignees: [] },
        ],
      ],
      gives: [{ number: 4 }],
    },
  ],
  [
    'github',
    1,
    {
      given: {
        resource: 'file',
        operation: 'edit',
        owner: 'o',
        repository: 'r',
        filePath: 'a/b c.txt',
        fileContent: 'hi',
        commitMessage: 'm',
        additionalParameters: { branch: { branch: 'dev' } },
      },
      answers: [{ json: { sha: 's' } }, { json: { commit: {} } }],
      asks: [
        ['GET https://api.github.com/repos/o/r/contents/a%2Fb%20c.txt?ref=dev'],
        [
          'PUT https://api.github.com/repos/o/r/contents/a%2Fb%20c.txt',
          { message: 'm', content: 'aGk=', sha: 's', branch: 'dev' },
        ],
      ],
    },
  ],
  [
    'github',
    1.1,
    {
      given: {
        resource: 'repository',
        operation: 'getIssues',
        owner: locator('o'),
        repository: locator('r'),
        returnAll: true,
        getRepositoryIssuesFilters: { state: 'open' },
      },
      answers: [{ json: Array.from({ length: 100 }, (_, n) => ({ n })) }, { json: [{ n: 100 }] }],
      asks: [
        ['GET https://api.github.com/repos/o/r/issues?state=open&per_page=100&page=1'],
        ['GET https://api.github.com/repos/o/r/issues?state=open&per_page=100&page=2'],
      ],
      gives: Array.from({ length: 101 }, (_, n) => ({ n })),
    },
  ],
];

describe('a row of a service', () => {
  it.each(CASES)('of %s %d asks what it says', (...of) => expectCase(peer, ...of));
});
