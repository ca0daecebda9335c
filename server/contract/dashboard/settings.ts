import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { fewMembers, jsonObject, openObject } from '../platform/fields.ts';
import { MAX_ENVIRONMENT_CHARS } from '../platform/limits.ts';
import { dashboardRoute } from '../route.ts';
import { deleteQuery, textBetween, timestamp, writeVersion } from './fields.ts';
import { MAX_BLOB_BYTES } from './saved-filters.ts';

const versioned = { is_default: z.boolean(), version: z.int() };
const listsByName = z.record(z.string(), z.array(z.string()));
/** More roles, and more capabilities or environments of one role, than anybody has. */
const MAX_ROLES = 5000;
const MAX_NAMES = 1000;
/** No capability has a longer name, and no platform takes one for an environment. */
const givenName = textBetween(0, MAX_ENVIRONMENT_CHARS);
const givenLists = fewMembers(
  MAX_ROLES,
  z.record(z.string(), fewMembers(MAX_NAMES, z.array(givenName))),
);

export const accessMap = z
  .object({ capabilities: listsByName, ...versioned })
  .meta({ id: 'AccessMap' });
export const accessMapUpdate = z
  .object({ capabilities: givenLists, version: writeVersion })
  .meta({ id: 'AccessMapUpdate' });

export const getAccess = dashboardRoute.get('getAccessMap', {
  path: '/settings/access',
  summary: 'Which role holds which capability',
  responses: { 200: accessMap },
  access: 'operator',
});

export const putAccess = dashboardRoute.put('putAccessMap', {
  path: '/settings/access',
  summary: 'Replace the map of capabilities; older sessions must sign in again',
  body: accessMapUpdate,
  responses: { 200: accessMap },
  errors: ['bad_request', 'dashboard_state_conflict', 'not_found'],
  access: 'settings.write',
});

export const environmentGrants = z
  .object({ environments: listsByName, ...versioned })
  .meta({ id: 'EnvGrants' });
export const environmentGrantsUpdate = z
  .object({ environments: givenLists, version: writeVersion })
  .meta({ id: 'EnvGrantsUpdate' });

export const getEnvironmentGrants = dashboardRoute.get('getEnvironmentGrants', {
  path: '/settings/access/environments',
  summary: 'Which role may use which environment',
  responses: { 200: environmentGrants },
  access: 'operator',
});

export const putEnvironmentGrants = dashboardRoute.put('putEnvironmentGrants', {
  path: '/settings/access/environments',
  summary: 'Replace the environment grants',
  body: environmentGrantsUpdate,
  responses: { 200: environmentGrants },
  errors: ['bad_request', 'dashboard_state_conflict', 'not_found'],
  access: 'settings.write',
});

/** Colours that tell environments apart; red is that of production. */
export const CONNECTION_COLORS = ['blue', 'teal', 'green', 'yellow', 'orange', 'violet'] as const;
const connectionColor = z.enum(CONNECTION_COLORS);

export type ConnectionColor = (typeof CONNECTION_COLORS)[number];

export const connection = z
  .object({
    env: z.string(),
    profile: z.string().nullable(),
    label: z.string(),
    /** Additive: what happens here is for real; windows say so. */
    production: z.boolean(),
    /** Additive: windows that show it wear this colour; null = none. */
    color: connectionColor.nullable(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Connection' });

export type Connection = z.output<typeof connection>;

export const connectionUpsert = z
  .object({
    profile: textBetween(0, 200).nullish(),
    label: textBetween(0, 200).default(''),
    /** Additive; absent = as it was. */
    production: lenientBoolean().optional(),
    color: connectionColor.nullish(),
    version: writeVersion,
  })
  .meta({ id: 'ConnectionUpsert' });

const environmentPath = z.object({ env: z.string() });

export const listConnections = dashboardRoute.get('listConnections', {
  path: '/settings/connections',
  summary: 'Environments and the platform profile of each',
  responses: { 200: z.array(connection) },
  access: 'operator',
});

export const putConnection = dashboardRoute.put('putConnection', {
  path: '/settings/connections/{env}',
  summary: 'Create or change the connection of an environment',
  params: environmentPath,
  body: connectionUpsert,
  responses: { 200: connection },
  errors: ['dashboard_state_conflict', 'not_found'],
  access: 'settings.write',
});

export const deleteConnection = dashboardRoute.delete('deleteConnection', {
  path: '/settings/connections/{env}',
  summary: 'Remove the connection of an environment',
  params: environmentPath,
  query: deleteQuery,
  responses: { 204: null },
  errors: ['dashboard_state_conflict', 'not_found'],
  access: 'settings.write',
});

export const preferences = z
  .object({ preferences: openObject, ...versioned })
  .meta({ id: 'Preferences' });
export const preferencesUpdate = z
  .object({ preferences: jsonObject(MAX_BLOB_BYTES).default({}), version: writeVersion })
  .meta({ id: 'PreferencesUpdate' });

export const getPreferences = dashboardRoute.get('getPreferences', {
  path: '/settings/preferences',
  summary: 'The preferences of the operator who asks',
  responses: { 200: preferences },
  access: 'operator',
});

export const putPreferences = dashboardRoute.put('putPreferences', {
  path: '/settings/preferences',
  summary: 'Replace one’s own preferences',
  body: preferencesUpdate,
  responses: { 200: preferences },
  errors: ['dashboard_state_conflict', 'not_found'],
  access: 'operator',
});

/** What a thousand tokens of one model cost, in and out. */
const modelPrice = z.object({
  model: z.string(),
  input_per_1k: z.number(),
  output_per_1k: z.number(),
});

export type ModelPrice = z.output<typeof modelPrice>;

export const priceBook = z
  .object({
    blended_per_1k: z.number().nullable(),
    currency: z.string(),
    /** Additive, where there are any: prices of models; the blended one holds for all others. */
    models: z.array(modelPrice).optional(),
    /** Additive, where there is one: what a day may cost before the page of spend marks it. */
    budget_per_day: z.number().optional(),
    ...versioned,
  })
  .meta({ id: 'PriceBook' });

const price = z.number().min(0);
const MAX_MODELS = 200;
const givenModelPrice = z.object({
  model: textBetween(1, 200),
  input_per_1k: price,
  output_per_1k: price,
});

/** A price that is no finite number >= 0 is refused with 400 by the use case, not here. */
export const priceBookUpdate = z
  .object({
    blended_per_1k: z.unknown().transform(toPrice).optional(),
    currency: textBetween(0, 8).default('USD'),
    /** Additive, as in the answer; what is absent stays as it is stored. */
    models: z.array(givenModelPrice).max(MAX_MODELS).optional(),
    budget_per_day: price.nullable().optional(),
    version: writeVersion,
  })
  .meta({ id: 'PriceBookUpdate' });

function toPrice(value: unknown, context: z.RefinementCtx): number | null {
  if (value === null || value === undefined) return null;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const named = typeof value === 'string' && /^\s*[+-]?nan\s*$/i.test(value);
  if (typeof number === 'number' && (named || !Number.isNaN(number))) return number;
  context.addIssue({
    code: 'custom',
    message: 'Input should be a valid number',
    params: { type: 'float_parsing' },
  });
  return z.NEVER;
}

export const getPricing = dashboardRoute.get('getPriceBook', {
  path: '/settings/pricing',
  summary: 'The blended price of a thousand tokens',
  responses: { 200: priceBook },
  access: 'operator',
});

export const putPricing = dashboardRoute.put('putPriceBook', {
  path: '/settings/pricing',
  summary: 'Set or clear the price',
  body: priceBookUpdate,
  responses: { 200: priceBook },
  errors: ['bad_request', 'dashboard_state_conflict', 'not_found'],
  access: 'settings.write',
});
