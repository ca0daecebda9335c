import type { Service } from '../service.ts';

/** Google Drive: a handler of its own asks it. */
export const GOOGLE_DRIVE: Service = {
  name: 'Google Drive',
  type: 'n8n-nodes-base.googleDrive',
  versions: [3, 3],
  server: 'https://www.googleapis.com',
  auth: { googleDriveOAuth2Api: { as: 'bearer' }, googleApi: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'oAuth2',
    of: { oAuth2: 'googleDriveOAuth2Api', serviceAccount: 'googleApi' },
  },
  message: ['error.message'],
  operation: 'upload',
  rows: {},
};
