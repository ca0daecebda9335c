import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { platformRoute } from '../route.ts';

export const credentialEntry = z
  .object({
    name: z.string(),
    env_var: z.string(),
    present: z.boolean(),
    value: z.string().nullable(),
    status: z.enum(['present', 'missing']),
    /** Additive: whether a run would get it; one that is there may not be given to specs. */
    usable: z.boolean().optional(),
    expires_at: z.string().nullable(),
    last_checked: z.string().nullable(),
  })
  .meta({ id: 'CredentialEntry' });

export const credentials = z
  .object({
    inventory: z.object({
      providers: z.record(z.string(), credentialEntry),
      extra: z.record(z.string(), credentialEntry),
      service_tokens: z.record(z.string(), credentialEntry),
    }),
  })
  .meta({ id: 'Credentials' });

export type CredentialEntry = z.output<typeof credentialEntry>;
export type Credentials = z.output<typeof credentials>;

export const getCredentials = platformRoute.get('getCredentials', {
  path: '/security/credentials',
  summary: 'Which credentials the service finds; never a value',
  query: z.strictObject({
    providers: z.array(z.string()).optional(),
    extras: z.array(z.string()).optional(),
    include_service_tokens: lenientBoolean().default(true),
  }),
  responses: { 200: credentials },
  access: 'credentials:read',
});
