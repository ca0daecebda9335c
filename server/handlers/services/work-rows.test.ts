import { afterAll, describe, it } from 'vitest';
import { expectCase, one, type ServiceCases } from '../../../test/support/service-cases.ts';
import { startServicePeer } from '../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const CASES: ServiceCases = [
  [
    'twilio',
    1,
    {
      given: { from: '+1', to: '+2', toWhatsapp: true, message: 'Hi' },
      credential: { kind: 'basic', user: 'AC1', password: 'p' },
      answers: one({ sid: 's' }),
      asks: [
        [
          'POST https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
          'From=whatsapp%3A%2B1&To=whatsapp%3A%2B2&Body=Hi',
        ],
      ],
      gives: [{ sid: 's' }],
    },
  ],
  [
    'sendGrid',
    1,
    {
      given: {
        ...{ resource: 'mail', fromEmail: 'a@b.c', toEmail: 'd@e.f', subject: 'S' },
        contentValue: 'C',
      },
      answers: [{ status: 202, headers: { 'x-message-id': 'm1' } }],
      asks: [
        [
          'POST https://api.sendgrid.com/v3/mail/send',
          {
            personalizations: [{ to: [{ email: 'd@e.f' }], subject: 'S' }],
            from: { email: 'a@b.c' },
            content: [{ type: 'text/plain', value: 'C' }],
          },
        ],
      ],
      gives: [{ messageId: 'm1' }],
    },
  ],
  [
    'clickUp',
    1,
    {
      given: { team: 1, space: 2, list: 3, name: 'N', additionalFields: { priority: 2 } },
      answers: one({ id: 't' }),
      asks: [['POST https://api.clickup.com/api/v2/list/3/task', { name: 'N', priority: 2 }]],
    },
  ],
  [
    'asana',
    1,
    {
      given: { workspace: 'w', name: 'N', otherProperties: { notes: 'x' } },
      answers: one({ data: { gid: '1' } }),
      asks: [
        [
          'POST https://app.asana.com/api/1.0/tasks',
          { data: { workspace: 'w', name: 'N', notes: 'x' } },
        ],
      ],
      gives: [{ gid: '1' }],
    },
  ],
  [
    'stripe',
    1,
    {
      given: {
        resource: 'customer',
        operation: 'create',
        name: 'N',
        additionalFields: { email: 'a@b.c' },
      },
      answers: one({ id: 'c' }),
      asks: [['POST https://api.stripe.com/v1/customers', 'name=N&email=a%40b.c']],
    },
  ],
];

describe('a row of a service', () => {
  it.each(CASES)('of %s %d asks what it says', (...of) => expectCase(peer, ...of));
});
