import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { openObject } from './fields.ts';

/** The contract's own version: clients compare against it. */
export const PLATFORM_CONTRACT_VERSION = '1.2.0';
export const PLATFORM_SERVICE_NAME = 'run-platform';

export const health = z
  .object({ ok: z.boolean(), service: z.string(), version: z.string(), metadata: openObject })
  .meta({ id: 'Health' });

export type Health = z.output<typeof health>;

export const getHealthz = platformRoute.get('getHealthz', {
  path: '/healthz',
  summary: 'The service answers',
  responses: { 200: health },
  access: null,
  meta: { lenientQuery: true },
});

export const getLivez = platformRoute.get('getLivez', {
  path: '/livez',
  summary: 'The process is alive',
  responses: { 200: health },
  access: null,
  meta: { lenientQuery: true },
});

export const getReadyz = platformRoute.get('getReadyz', {
  path: '/readyz',
  summary: 'The service can take work',
  responses: { 200: health },
  errors: ['not_ready'],
  access: null,
  meta: { lenientQuery: true },
});
