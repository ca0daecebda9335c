import type { Service } from '../service.ts';

/** Gmail: a handler of its own asks it, for a mail is composed before it is sent. */
export const GMAIL: Service = {
  name: 'Gmail',
  type: 'n8n-nodes-base.gmail',
  versions: [2, 2.2],
  server: 'https://gmail.googleapis.com',
  auth: { gmailOAuth2: { as: 'bearer' }, googleApi: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'oAuth2',
    of: { oAuth2: 'gmailOAuth2', serviceAccount: 'googleApi' },
  },
  message: ['error.message'],
  operation: 'send',
  rows: {},
};
