import { z } from 'zod';
import { studioRoute } from '../route.ts';

/** The one answer of status 503 that is no envelope. */
const Readiness = z
  .strictObject({ status: z.enum(['ready', 'degraded']), store: z.boolean() })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = studioRoute.get('get_readiness', {
  path: '/readyz',
  summary: 'Whether the studio can serve',
  responses: { 200: Readiness, 503: Readiness },
  access: null,
});
