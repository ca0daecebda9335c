import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams } from './fields.ts';

/** Whether a project's folder is trusted on this computer: its code and programs, and variables for its specs. */
export const TrustView = z
  .strictObject({
    /** `unavailable`: the studio is shared, or its platform belongs to somebody else. */
    state: z.enum(['trusted', 'untrusted', 'unavailable']),
    /** Who said so: the one who started the services, or the list of trusted folders. */
    by: z.enum(['start', 'list']).nullable(),
    /** The project's folder. Null while unavailable. */
    folder: z.string().nullable(),
  })
  .meta({ id: 'TrustView' });
export type TrustView = z.infer<typeof TrustView>;

const PATH = '/projects/{project_id}/trust';

/** Additive: the trust question of decisions 8. */
export const getTrust = studioRoute.get('get_trust', {
  path: PATH,
  summary: "Whether the project's folder is trusted, and where it is",
  params: ProjectParams,
  responses: { 200: TrustView },
  access: 'owner',
});

export const trustProject = studioRoute.put('trust_project', {
  path: PATH,
  summary: 'Trust this folder: functions, programs of MCP servers, variables of the environment',
  params: ProjectParams,
  responses: { 200: TrustView },
  errors: ['trust_unavailable', 'project_root_unavailable'],
  access: 'owner',
  meta: { audit: 'trust_project' },
});

export const revokeTrust = studioRoute.delete('revoke_trust', {
  path: PATH,
  summary: 'Trust this folder no longer',
  params: ProjectParams,
  responses: { 200: TrustView },
  errors: ['trust_unavailable', 'trust_given_at_start'],
  access: 'owner',
  meta: { audit: 'revoke_trust' },
});
