import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams, Sha256, Timestamp } from './fields.ts';

/** Who said, and when, that a draft at one revision needs no source analysis. */
export const NotApplicableAssertion = z
  .strictObject({
    ref: z.string(),
    revision: Sha256,
    by_display_name: z.string().nullable(),
    at: Timestamp,
    /** False once the draft has another revision. */
    standing: z.boolean(),
  })
  .meta({ id: 'NotApplicableAssertion' });
export type NotApplicableAssertion = z.infer<typeof NotApplicableAssertion>;

export const listAssertions = studioRoute.get('list_assertions', {
  path: '/projects/{project_id}/assertions',
  summary: 'Assertions that a draft needs no source analysis, newest first',
  params: ProjectParams,
  query: z.object({ ref: z.string() }),
  responses: { 200: z.array(NotApplicableAssertion) },
  errors: ['draft_not_found'],
  access: 'viewer',
});
