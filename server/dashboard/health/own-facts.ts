import type { OwnFacts, SignInSettings } from '../../contract/dashboard/own-facts.ts';
import type { DashboardConfig } from '../config.ts';
import type { DashboardDeps } from '../deps.ts';
import { readStoreFacts } from '../metrics/store-facts.ts';
import { DASHBOARD_VARIABLES } from '../variables.ts';

type Name = keyof (typeof DASHBOARD_VARIABLES)['settings'];

/** How this dashboard works and what it keeps (contract/dashboard.md 2, 17). */
export async function getOwnFacts(deps: DashboardDeps): Promise<OwnFacts> {
  const { config, version } = deps;
  const { authMode: auth_mode, devMode: dev_mode } = config;
  return { version, auth_mode, dev_mode, store: await readStoreFacts(deps) };
}

/** A value with the variable that sets it. */
function set<T>(name: Name, value: T): { readonly variable: string; readonly value: T } {
  return { variable: `${DASHBOARD_VARIABLES.prefix}${name}`, value };
}

/** How people sign in, without any secret (contract/dashboard.md 2, 5). */
export function signInSettings(config: DashboardConfig): SignInSettings {
  const { signIn } = config;
  return {
    auth_mode: set('AUTH_MODE', config.authMode),
    dev_mode: set('DEV_MODE', config.devMode),
    static_role: set('STATIC_OPERATOR_ROLE', config.staticRole),
    cookie_name: set('SESSION_COOKIE_NAME', config.sessionCookie),
    cors_origins: set('CORS_ORIGINS', [...config.corsOrigins]),
    provider:
      signIn === undefined
        ? null
        : {
            issuer: set('OIDC_ISSUER', signIn.issuer),
            client_id: set('OIDC_CLIENT_ID', signIn.clientId),
            redirect_url: set('OIDC_REDIRECT_URL', signIn.redirectUrl),
            scopes: set('OIDC_SCOPES', signIn.scopes),
            role_claim: set('OIDC_ROLE_CLAIM', signIn.roleClaim),
            role_map: set('OIDC_ROLE_MAP', { ...signIn.roleMap }),
            has_bootstrap_admin: set('OIDC_BOOTSTRAP_ADMIN', signIn.bootstrapAdmin !== undefined),
            token_audience: set('OIDC_TOKEN_AUDIENCE', signIn.tokenAudience ?? null),
            session_seconds: set('SESSION_TTL_SECONDS', signIn.ttlSeconds),
            idle_seconds: set('SESSION_IDLE_SECONDS', signIn.idleSeconds),
            purge_seconds: set('SESSION_PURGE_INTERVAL_SECONDS', signIn.purgeSeconds),
          },
  };
}
