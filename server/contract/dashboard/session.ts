import { z } from 'zod';
import { dashboardRoute } from '../route.ts';

export const me = z
  .object({
    identity: z.string(),
    role: z.string(),
    capabilities: z.array(z.string()),
    environments: z.array(z.string()).nullable(),
    auth_mode: z.enum(['static', 'oidc']),
  })
  .meta({ id: 'DashboardMe' });

export const getMe = dashboardRoute.get('getMe', {
  path: '/me',
  summary: 'Who asks and what they may do',
  responses: { 200: me },
  errors: ['unauthorized'],
  access: 'operator',
});

export const login = dashboardRoute.get('login', {
  path: '/login',
  summary: 'Start the sign-in at the identity provider (oidc mode)',
  responses: { 302: null },
  errors: ['not_found', 'upstream_error'],
  access: null,
});

export const callback = dashboardRoute.get('loginCallback', {
  path: '/callback',
  summary: 'Return from the identity provider (oidc mode)',
  query: z.object({
    code: z.string().optional(),
    state: z.string().optional(),
    iss: z.string().optional(),
    error: z.string().optional(),
  }),
  responses: { 303: null },
  errors: ['not_found', 'bad_request', 'unauthorized', 'forbidden', 'upstream_error'],
  access: null,
});

export const logout = dashboardRoute.post('logout', {
  path: '/logout',
  summary: 'End the session; also without one',
  responses: { 200: z.object({ status: z.literal('logged_out') }) },
  access: null,
});
