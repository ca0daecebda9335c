import { z } from 'zod';
import { gatewayRoute } from '../route.ts';

const trustedFolder = z
  .object({
    folder: z.string(),
    trusted_at: z.string(),
    /** False: another folder stands at its place now, or none; it is not trusted. */
    stands: z.boolean(),
  })
  .meta({ id: 'TrustedFolder' });

export type TrustedFolderView = z.output<typeof trustedFolder>;

const trustedFolderList = z
  .object({ folders: z.array(trustedFolder) })
  .meta({ id: 'TrustedFolderList' });

export const listTrustedFolders = gatewayRoute.get('listTrustedFolders', {
  path: '/trusted-folders',
  summary: 'Folders whose functions and programs may run on this computer',
  responses: { 200: trustedFolderList },
  access: null,
});

export const revokeFolderBody = z.strictObject({ folder: z.string().min(1).max(4096) });

export const revokeTrustedFolder = gatewayRoute.post('revokeTrustedFolder', {
  path: '/trusted-folders/revoke',
  summary: 'Trust a folder no longer; what is not on the list stays off it',
  body: revokeFolderBody,
  responses: { 200: trustedFolderList },
  access: null,
});
