import type { Service } from '../service.ts';

/** Google Sheets: a handler of its own asks it, for rows are found by what a sheet holds. */
export const GOOGLE_SHEETS: Service = {
  name: 'Google Sheets',
  type: 'n8n-nodes-base.googleSheets',
  versions: [3, 4.7],
  server: 'https://sheets.googleapis.com',
  auth: { googleSheetsOAuth2Api: { as: 'bearer' }, googleApi: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'oAuth2',
    of: { oAuth2: 'googleSheetsOAuth2Api', serviceAccount: 'googleApi' },
  },
  message: ['error.message'],
  operation: 'read',
  rows: {},
};
