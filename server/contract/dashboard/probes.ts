import { z } from 'zod';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

export const getLivez = dashboardRoute.get('getLivez', {
  path: '/livez',
  summary: 'The process is up',
  responses: { 200: z.object({ status: z.literal('ok') }) },
  access: null,
});

const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({ store: z.boolean(), recovery_mode: z.boolean() }),
});

export const getReadyz = dashboardRoute.get('getReadyz', {
  path: '/readyz',
  summary: 'Whether traffic may come: the store answers and no recovery is going on',
  responses: { 200: readiness, 503: readiness },
  access: null,
});

export const getHealthz = dashboardRoute.get('getHealthz', {
  path: '/healthz',
  summary: 'Liveness, readiness and dependencies, always 200',
  responses: {
    200: z.object({
      live: z.boolean(),
      ready: z.boolean(),
      checks: z.object({
        store: z.boolean(),
        recovery_mode: z.boolean(),
        oidc: z.enum(['disabled', 'configured', 'not_configured']),
      }),
    }),
  },
  access: null,
});

export const health = z
  .object({
    service: z.string(),
    version: z.string(),
    /** Where it is asked; left out by earlier versions. */
    address: z.string().nullish(),
    probes: z.object({ livez: z.boolean(), readyz: z.boolean(), healthz: z.boolean() }),
    subsystems: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        degraded: z.boolean(),
        detail: z.string(),
        checked_age: z.string(),
      }),
    ),
  })
  .meta({ id: 'PlatformHealth' });

export type PlatformHealth = z.output<typeof health>;

export const getHealth = dashboardRoute.get('getHealth', {
  path: '/health',
  summary: 'The probes of the platform in one answer',
  responses: { 200: health },
  access: 'operator',
  meta: PLATFORM_BACKED,
});
