import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { boundedText, Role, Timestamp } from './fields.ts';

export const AuthMode = z.enum(['none', 'static', 'oidc']);
export type AuthMode = z.infer<typeof AuthMode>;

export const Project = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    role: Role,
    created_at: Timestamp,
    binding_state: z.enum(['bound', 'unbound']),
    storage_kind: z.enum(['managed', 'attached']),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

const Me = z
  .strictObject({
    principal_id: z.string(),
    display_name: z.string(),
    auth_mode: AuthMode,
    projects: z.array(Project),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

const LoginRequest = z
  .strictObject({
    username: boundedText(1, 256),
    password: boundedText(1),
    bootstrap_claim: z.string().nullish(),
  })
  .meta({ id: 'LoginRequest' });

export const getMe = studioRoute.get('get_me', {
  path: '/me',
  summary: 'Who is signed in, and the projects they may open',
  responses: { 200: Me },
  errors: ['unauthenticated', 'no_active_principal'],
  access: 'session',
});

export const login = studioRoute.post('login', {
  path: '/session',
  summary: 'Sign in with user name and password',
  body: LoginRequest,
  responses: { 200: Me },
  errors: [
    'invalid_credentials',
    'not_admitted',
    'untrusted_forwarding',
    'login_unavailable',
    'bootstrap_consumed',
    'too_many_failed_attempts',
    'login_capacity_exhausted',
  ],
  access: null,
});

export const logout = studioRoute.delete('logout', {
  path: '/session',
  summary: 'Sign out',
  responses: { 204: null },
  errors: ['login_unavailable'],
  access: null,
});

export const startOidcLogin = studioRoute.get('start_oidc_login', {
  path: '/session/oidc/start',
  summary: 'Redirect to the identity provider',
  query: z.object({ return_to: z.string().optional() }),
  responses: { 302: null },
  errors: ['login_unavailable', 'too_many_login_starts', 'too_many_login_attempts'],
  access: null,
});

export const finishOidcLogin = studioRoute.get('finish_oidc_login', {
  path: '/session/oidc/callback',
  summary: 'Return from the identity provider',
  query: z.object({ code: z.string().optional(), state: z.string().optional() }),
  responses: { 302: null },
  errors: ['login_unavailable'],
  access: null,
});
