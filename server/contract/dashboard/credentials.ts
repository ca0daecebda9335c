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

/** Additive. What the newest runs asked for, as far as the platform says it. */
export const credentialNeeds = z
  .object({
    /** False for a platform that does not say it. */
    available: z.boolean(),
    runs_looked_at: z.int(),
    runs_left_out: z.int(),
    needs: z.array(
      z.object({
        env_var: z.string(),
        provider: z.string().nullable(),
        title: z.string().nullable(),
        present: z.boolean(),
        usable: z.boolean(),
        runs: z.int(),
        workflows: z.array(
          z.object({
            /** Empty for runs that came to compile none; the agent names them then. */
            name: z.string(),
            agent_name: z.string(),
            runs: z.int(),
            last_run_id: z.string(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'CredentialNeedsView' });

export type CredentialNeedsView = z.output<typeof credentialNeeds>;
export type CredentialNeed = CredentialNeedsView['needs'][number];

export const getCredentialNeeds = dashboardRoute.get('getCredentialNeeds', {
  path: '/credentials/needs',
  summary: 'Which credentials the specs of the newest runs ask for; never their values',
  responses: { 200: credentialNeeds },
  access: 'credentials.read',
  meta: PLATFORM_BACKED,
});
