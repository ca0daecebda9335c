import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
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

const needingWorkflow = z.object({
  /** Empty for a run that came to compile none. */
  name: z.string(),
  agent_name: z.string(),
  runs: z.int(),
  last_run_id: z.string(),
  last_created_at: z.string(),
});

const credentialNeed = z
  .object({
    /** The name that the secret is looked up under. */
    env_var: z.string(),
    /** The provider whose usual key it is; null for one that specs name themselves. */
    provider: z.string().nullable(),
    /** What the source of an imported spec calls it. */
    title: z.string().nullable(),
    present: z.boolean(),
    /** Whether runs would get it; one that is there may not be given to specs. */
    usable: z.boolean(),
    runs: z.int(),
    /** Those with the newest runs first. */
    workflows: z.array(needingWorkflow),
  })
  .meta({ id: 'CredentialNeed' });

export const credentialNeeds = z
  .object({
    runs_looked_at: z.int(),
    /** Runs with more different specs than are read at once, and those that were removed meanwhile. */
    runs_left_out: z.int(),
    needs: z.array(credentialNeed),
  })
  .meta({ id: 'CredentialNeeds' });

export type CredentialNeed = z.output<typeof credentialNeed>;
export type CredentialNeeds = z.output<typeof credentialNeeds>;

/** Additive. */
export const getCredentialNeeds = platformRoute.get('getCredentialNeeds', {
  path: '/security/credentials/needs',
  summary: 'Which credentials the specs of the newest runs ask for; never a value',
  query: z.strictObject({ runs: lenientInteger({ min: 1, max: 1000 }).default(200) }),
  responses: { 200: credentialNeeds },
  access: 'credentials:read',
});
