import type { Service } from '../service.ts';

/** Google Docs: a handler of its own asks it. */
export const GOOGLE_DOCS: Service = {
  name: 'Google Docs',
  type: 'n8n-nodes-base.googleDocs',
  versions: [1, 2],
  server: 'https://docs.googleapis.com/v1',
  auth: { googleDocsOAuth2Api: { as: 'bearer' }, googleApi: { as: 'bearer' } },
  message: ['error.message'],
  operation: 'create',
  rows: {},
};
