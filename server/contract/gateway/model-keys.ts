import { z } from 'zod';
import { gatewayRoute } from '../route.ts';
import { PLACE_ERRORS, secretPlace, secretValue } from './secrets.ts';

const modelKey = z
  .object({
    /** The name under which the services look the key up: the variable of spec-v1 17. */
    name: z.string(),
    /** The provider whose usual key this is; null for a name of the person's own. */
    provider: z.string().nullable(),
    /** Where the stored key is; null when none is stored. */
    kept_in: secretPlace.nullable(),
    stored_at: z.string().nullable(),
    /** True when the services were started with a variable of this name; a stored key goes before it. */
    in_environment: z.boolean(),
  })
  .meta({ id: 'ModelKey' });

export type ModelKey = z.output<typeof modelKey>;

export const modelKeyList = z
  .object({
    /** False when the runs execute on another computer: its keys are set there. */
    here: z.boolean(),
    /** Where the next key is kept. */
    keeper: secretPlace,
    keys: z.array(modelKey),
  })
  .meta({ id: 'ModelKeyList' });

export type ModelKeyList = z.output<typeof modelKeyList>;

/** Text of one line that a header can carry. */
export const modelKeyBody = z.strictObject({
  key: secretValue,
});

/** Upper case letters, digits and underscores, as a variable is written. */
export const modelKeyName = z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/);

const keyPath = z.object({ name: z.string() });

export const listModelKeys = gatewayRoute.get('listModelKeys', {
  path: '/model-keys',
  summary: 'Keys of model providers by name, never their values',
  responses: { 200: modelKeyList },
  access: null,
});

export const putModelKey = gatewayRoute.put('putModelKey', {
  path: '/model-keys/{name}',
  summary: 'Store or replace a key',
  params: keyPath,
  body: modelKeyBody,
  responses: { 200: modelKey },
  errors: ['key_name_refused', 'key_refused', 'keys_not_here', ...PLACE_ERRORS],
  access: null,
});

export const deleteModelKey = gatewayRoute.delete('deleteModelKey', {
  path: '/model-keys/{name}',
  summary: 'Remove a stored key',
  params: keyPath,
  responses: { 204: null },
  errors: ['not_found', ...PLACE_ERRORS],
  access: null,
});
