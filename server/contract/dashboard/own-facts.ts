import { z } from 'zod';
import { dashboardRoute } from '../route.ts';

const authMode = z.enum(['static', 'oidc']);
const count = z.int().nonnegative();

export const ownFacts = z
  .object({
    version: z.string(),
    auth_mode: authMode,
    dev_mode: z.boolean(),
    store: z.object({
      kind: z.enum(['file', 'memory', 'external']),
      /** With the files beside it; null for a store that is no file. */
      bytes: count.nullable(),
      rows: z.object({ audit_log: count, launches: count }),
      sessions_active: count,
    }),
  })
  .meta({ id: 'DashboardFacts' });

export type OwnFacts = z.output<typeof ownFacts>;

export const getOwnFacts = dashboardRoute.get('getDashboardFacts', {
  path: '/facts',
  summary: 'How the dashboard works and what it keeps, as its metrics say it',
  responses: { 200: ownFacts },
  access: 'operator',
});

/** A value in force, and the variable that sets it. */
function inForce<S extends z.ZodType>(value: S) {
  return z.object({ variable: z.string(), value });
}

export const signInSettings = z
  .object({
    auth_mode: inForce(authMode),
    dev_mode: inForce(z.boolean()),
    /** Who everybody is in static mode. */
    static_role: inForce(z.string()),
    cookie_name: inForce(z.string()),
    cors_origins: inForce(z.array(z.string())),
    /** Null in static mode, in which nobody signs in. */
    provider: z
      .object({
        issuer: inForce(z.string()),
        client_id: inForce(z.string()),
        redirect_url: inForce(z.string()),
        scopes: inForce(z.string()),
        role_claim: inForce(z.string()),
        /** Value of the claim → role. */
        role_map: inForce(z.record(z.string(), z.string())),
        has_bootstrap_admin: inForce(z.boolean()),
        /** The dashboard's name in access tokens; null = none are taken, absent in older dashboards. */
        token_audience: inForce(z.string().nullable()).optional(),
        session_seconds: inForce(z.number()),
        /** 0 = a session may idle as long as it lives. */
        idle_seconds: inForce(z.number()),
        /** 0 = never. */
        purge_seconds: inForce(z.number()),
      })
      .nullable(),
  })
  .meta({ id: 'SignInSettings' });

export type SignInSettings = z.output<typeof signInSettings>;

export const getSignInSettings = dashboardRoute.get('getSignInSettings', {
  path: '/settings/sign-in',
  summary: 'How people sign in, and which variable says so; no secret',
  responses: { 200: signInSettings },
  access: 'settings.write',
});
