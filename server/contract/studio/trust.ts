import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { ProjectParams } from './fields.ts';

/** Whether the code of a project may run on this computer, and where it is. */
export const TrustView = z
  .strictObject({
    /** `unavailable`: the studio is shared, or its platform belongs to somebody else. */
    state: z.enum(['trusted', 'untrusted', 'unavailable']),
    /** Who said so: the one who started the services, or somebody in the window. */
    by: z.enum(['start', 'window']).nullable(),
    /** The project's folder; its code is in `functions/`. Null while unavailable. */
    folder: z.string().nullable(),
  })
  .meta({ id: 'TrustView' });
export type TrustView = z.infer<typeof TrustView>;

const PATH = '/projects/{project_id}/trust';

/** Additive: the trust question of decisions 8. */
export const getTrust = defineRoute({
  id: 'get_trust',
  service: 'studio',
  method: 'GET',
  path: PATH,
  summary: 'Whether the functions of the project may run, and where they are',
  params: ProjectParams,
  responses: { 200: TrustView },
  access: 'owner',
});

export const trustProject = defineRoute({
  id: 'trust_project',
  service: 'studio',
  method: 'PUT',
  path: PATH,
  summary: 'Let the functions of this folder run',
  params: ProjectParams,
  responses: { 200: TrustView },
  errors: ['trust_unavailable', 'project_root_unavailable'],
  access: 'owner',
  meta: { audit: 'trust_project' },
});

export const revokeTrust = defineRoute({
  id: 'revoke_trust',
  service: 'studio',
  method: 'DELETE',
  path: PATH,
  summary: 'Let the functions of this folder run no longer',
  params: ProjectParams,
  responses: { 200: TrustView },
  errors: ['trust_unavailable', 'trust_given_at_start'],
  access: 'owner',
  meta: { audit: 'revoke_trust' },
});
