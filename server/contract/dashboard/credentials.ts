import { z } from 'zod';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

export const credentialInventory = z
  .object({
    sections: z.array(
      z.object({
        section: z.string(),
        entries: z.array(
          z.object({
            name: z.string(),
            env_var: z.string(),
            status: z.string(),
            present: z.boolean(),
            expires_at: z.string().nullable(),
            last_checked: z.string().nullable(),
          }),
        ),
      }),
    ),
    present_count: z.int(),
    missing_count: z.int(),
  })
  .meta({ id: 'CredentialInventory' });

export type CredentialInventory = z.output<typeof credentialInventory>;

export const getCredentials = dashboardRoute.get('getCredentials', {
  path: '/credentials',
  summary: 'Which credentials the platform has; never their values',
  responses: { 200: credentialInventory },
  access: 'credentials.read',
  meta: PLATFORM_BACKED,
});
