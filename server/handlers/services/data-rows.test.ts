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
    'microsoftOutlook',
    2,
    {
      given: {
        subject: 'S',
        bodyContent: 'B',
        toRecipients: 'a@b.c, d@e.f',
        additionalFields: { bodyContentType: 'html', ccRecipients: 'g@h.i' },
      },
      answers: [{ status: 202 }],
      asks: [
        [
          'POST https://graph.microsoft.com/v1.0/me/sendMail',
          {
            message: {
              subject: 'S',
              body: { content: 'B', contentType: 'html' },
              toRecipients: ['a@b.c', 'd@e.f'].map((address) => ({ emailAddress: { address } })),
              ccRecipients: [{ emailAddress: { address: 'g@h.i' } }],
            },
            saveToSentItems: true,
          },
        ],
      ],
      gives: [{ success: true }],
    },
  ],
  [
    'microsoftTeams',
    1.1,
    {
      given: { resource: 'chatMessage', chatId: '19:a@unq', messageType: 'html', message: 'x' },
      answers: one({ id: 1 }),
      asks: [
        [
          'POST https://graph.microsoft.com/v1.0/chats/19:a@unq/messages',
          { body: { contentType: 'html', content: 'x' } },
        ],
      ],
    },
  ],
  [
    'supabase',
    1,
    {
      given: {
        operation: 'update',
        tableId: 't',
        matchType: 'allFilters',
        filters: {
          conditions: [
            { keyName: 'a', condition: 'eq', keyValue: 'x,"y' },
            { keyName: 'b', condition: 'is', keyValue: 'null' },
          ],
        },
        fieldsUi: { fieldValues: [{ fieldId: 'c', fieldValue: 1 }] },
      },
      credential: { ...bearer, server: 'https://p.supabase.co' },
      answers: one([{ c: 1 }, { c: 1 }]),
      asks: [
        [
          `PATCH https://p.supabase.co/rest/v1/t?and=${encodeURIComponent('(a.eq."x,\\"y",b.is.null)').replaceAll('(', '%28').replaceAll(')', '%29')}`,
          { c: 1 },
        ],
      ],
      gives: [{ c: 1 }, { c: 1 }],
    },
  ],
  [
    'baserow',
    1,
    {
      given: {
        databaseId: 1,
        tableId: 2,
        returnAll: true,
        additionalOptions: {
          filters: { fields: [{ field: 3, operator: 'contains', value: 'v' }] },
        },
      },
      answers: one({ results: [{ id: 1 }] }),
      asks: [
        [
          'GET https://api.baserow.io/api/database/rows/table/2/?user_field_names=true&filter__field_3__contains=v&size=100&page=1',
        ],
      ],
      gives: [{ id: 1 }],
    },
  ],
  [
    'wordpress',
    1,
    {
      given: { title: 'T', additionalFields: { content: 'C', tags: '={{ [1, 2] }}' } },
      credential: { kind: 'basic', user: 'u', password: 'p', server: 'https://w.example.com' },
      answers: one({ id: 5 }),
      asks: [
        [
          'POST https://w.example.com/wp-json/wp/v2/posts',
          { title: 'T', content: 'C', tags: [1, 2] },
        ],
      ],
    },
  ],
  [
    'todoist',
    2.1,
    {
      given: { project: locator('9'), content: 'Buy', options: { priority: '={{ "3" }}' } },
      answers: one({ id: 1 }),
      asks: [
        [
          'POST https://api.todoist.com/rest/v2/tasks',
          { content: 'Buy', project_id: '9', priority: 3 },
        ],
      ],
    },
  ],
  [
    'openWeatherMap',
    1,
    {
      given: { cityName: 'berlin' },
      answers: one({ main: {} }),
      asks: [
        ['GET https://api.openweathermap.org/data/2.5/weather?q=berlin&units=metric&appid=S3CRET'],
      ],
    },
  ],
  [
    'coinGecko',
    1,
    {
      given: { limit: 1 },
      answers: one([{ id: 'a' }, { id: 'b' }]),
      asks: [['GET https://api.coingecko.com/api/v3/coins/list']],
      gives: [{ id: 'a' }],
    },
  ],
  [
    'deepL',
    1,
    {
      given: { text: 'Hallo', translateTo: 'EN' },
      answers: one({ translations: [{ text: 'Hello' }] }),
      asks: [['POST https://api.deepl.com/v2/translate', 'text=Hallo&target_lang=EN']],
      gives: [{ text: 'Hello' }],
    },
  ],
  [
    'clearbit',
    1,
    {
      given: { resource: 'person', email: 'a@b.c' },
      answers: one({ id: 1 }),
      asks: [['GET https://person-stream.clearbit.com/v2/people/find?email=a%40b.c']],
    },
  ],
  [
    'homeAssistant',
    1,
    {
      given: { resource: 'state', entityId: 'sensor.a' },
      credential: { ...bearer, server: 'http://home.local:8123' },
      answers: one({ state: 'on' }),
      asks: [['GET http://home.local:8123/api/states/sensor.a']],
      gives: [{ state: 'on' }],
    },
  ],
  [
    'twitter',
    2,
    {
      given: { text: 'Hi', additionalFields: {} },
      answers: one({ data: { id: '1' } }),
      asks: [['POST https://api.twitter.com/2/tweets', { text: 'Hi' }]],
      gives: [{ id: '1' }],
    },
  ],
  [
    'pushover',
    1,
    {
      given: { userKey: 'u', message: 'm', priority: 0 },
      answers: one({ status: 1 }),
      asks: [
        [
          'POST https://api.pushover.net/1/messages.json',
          { token: 'S3CRET', user: 'u', message: 'm', priority: 0 },
        ],
      ],
    },
  ],
  [
    'airtable',
    2.1,
    {
      given: {
        operation: 'search',
        base: locator('app1'),
        table: locator('https://airtable.com/app1/tblX/viwY', 'url'),
        filterByFormula: '{A}=1',
        options: {},
        sort: { property: [{ field: 'A', direction: 'desc' }] },
      },
      answers: [
        { json: { records: [{ id: 'r1', createdTime: 't', fields: { A: 1 } }], offset: 'o' } },
        { json: { records: [] } },
      ],
      asks: [
        [
          'POST https://api.airtable.com/v0/app1/tblX/listRecords',
          { filterByFormula: '{A}=1', sort: [{ field: 'A', direction: 'desc' }], pageSize: 100 },
        ],
        [
          'POST https://api.airtable.com/v0/app1/tblX/listRecords',
          {
            filterByFormula: '{A}=1',
            sort: [{ field: 'A', direction: 'desc' }],
            pageSize: 100,
            offset: 'o',
          },
        ],
      ],
      gives: [{ id: 'r1', createdTime: 't', A: 1 }],
    },
  ],
  [
    'airtable',
    2,
    {
      given: {
        operation: 'update',
        base: locator('app1'),
        table: locator('tblX'),
        columns: {
          mappingMode: 'defineBelow',
          matchingColumns: ['id'],
          value: { id: '={{ $json.id }}', Name: '=N {{ $json.id }}' },
          schema: [{ id: 'id' }],
        },
      },
      items: [{ json: { id: 'r1' } }],
      answers: one({ id: 'r1', fields: { Name: 'N r1' } }),
      asks: [
        [
          'PATCH https://api.airtable.com/v0/app1/tblX/r1',
          { fields: { Name: 'N r1' }, typecast: false },
        ],
      ],
      gives: [{ id: 'r1', Name: 'N r1', fields: { Name: 'N r1' } }],
    },
  ],
  [
    'airtable',
    1,
    {
      given: {
        operation: 'update',
        application: 'app1',
        table: 'My table',
        id: 'r1',
        updateAllFields: false,
        fields: ['A'],
      },
      items: [{ json: { A: 1, B: 2 } }],
      answers: one({ id: 'r1' }),
      asks: [['PATCH https://api.airtable.com/v0/app1/My%20table/r1', { fields: { A: 1 } }]],
    },
  ],
  [
    'notion',
    2.2,
    {
      given: {
        resource: 'databasePage',
        databaseId: locator('d1'),
        title: 'T',
        propertiesUi: {
          propertyValues: [
            { key: 'Stage|select', selectValue: 'Done' },
            { key: 'Note|rich_text', textContent: '={{ $json.n }}' },
            { key: 'Ok|checkbox' },
            { key: 'Tags|multi_select', multiSelectValue: ['a', 'b'] },
          ],
        },
        options: { icon: '🤺' },
      },
      items: [{ json: { n: 'N' } }],
      answers: one({
        object: 'page',
        id: 'p',
        url: 'u',
        properties: {
          Name: { type: 'title', title: [{ plain_text: 'T' }] },
          'Due Date': { type: 'date', date: { start: '2026-01-01' } },
          Stage: { type: 'select', select: { name: 'Done' } },
        },
      }),
      asks: [
        [
          'POST https://api.notion.com/v1/pages',
          {
            parent: { database_id: 'd1' },
            properties: {
              title: [{ text: { content: 'T' } }],
              Stage: { select: { name: 'Done' } },
              Note: { rich_text: [{ text: { content: 'N' } }] },
              Ok: { checkbox: false },
              Tags: { multi_select: [{ name: 'a' }, { name: 'b' }] },
            },
            icon: { emoji: '🤺' },
          },
        ],
      ],
      gives: [
        {
          id: 'p',
          name: 'T',
          url: 'u',
          property_name: 'T',
          property_due_date: { start: '2026-01-01' },
          property_stage: 'Done',
        },
      ],
    },
  ],
  [
    'linkedIn',
    1,
    {
      given: { person: 'P1', text: 'Hi', additionalFields: {} },
      answers: one({ id: 'urn:li:share:1' }),
      asks: [
        [
          'POST https://api.linkedin.com/v2/ugcPosts',
          {
            author: 'urn:li:person:P1',
            lifecycleState: 'PUBLISHED',
            specificContent: {
              'com.linkedin.ugc.ShareContent': {
                shareCommentary: { text: 'Hi' },
                shareMediaCategory: 'NONE',
              },
            },
            visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'PUBLIC' },
          },
        ],
      ],
      gives: [{ urn: 'urn:li:share:1' }],
    },
  ],
];

describe('a row of a service', () => {
  it.each(CASES)('of %s %d asks what it says', (...of) => expectCase(peer, ...of));
});
