import { z } from 'zod';
import { defineRoute } from '../route.ts';

/** The one answer of status 503 that is no envelope. */
const Readiness = z
  .strictObject({ status: z.enum(['ready', 'degraded']), store: z.boolean() })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = defineRoute({
  id: 'get_readiness',
  service: 'studio',
  method: 'GET',
  path: '/readyz',
  summary: 'Whether the studio can serve',
  responses: { 200: Readiness, 503: Readiness },
  access: null,
});
