import path from 'node:path';
import {
  type Environment,
  givenText,
  readSettings,
  type SettingValues,
  strayVariables,
} from '../contract/settings.ts';
import type { IgnoredSetting, StraySetting } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { PlatformProfile } from '../platform-client/profiles.ts';
import type { Role } from './access/capabilities.ts';
import { readProfiles } from './profiles.ts';
import { CONNECTION_VARIABLES, DASHBOARD_VARIABLES } from './variables.ts';

/** Settings of the sign-in through an identity provider. */
export interface OidcConfig {
  readonly issuer: string | undefined;
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
  readonly redirect_url: string | undefined;
  readonly scopes: string;
  readonly role_claim: string;
  readonly role_map: ReadonlyMap<string, Role>;
  readonly bootstrap_admin: string | undefined;
  readonly post_login_redirect: string;
}

/** Everything that the environment decides (contract/dashboard.md 2). Durations are seconds. */
export interface DashboardConfig {
  readonly auth_mode: 'static' | 'oidc';
  readonly dev_mode: boolean;
  readonly static_role: Role;
  readonly session_secret: string | undefined;
  readonly session_cookie: string;
  readonly session_ttl: number;
  readonly session_idle: number;
  readonly session_purge_interval: number;
  readonly oidc: OidcConfig;
  readonly default_connection: PlatformProfile;
  readonly default_profile: string | undefined;
  readonly profiles: ReadonlyMap<string, PlatformProfile>;
  readonly host: string;
  readonly port: number;
  /** Names that the listener answers to beside its own (decisions 45). */
  readonly allowed_hosts: readonly string[];
  /** A file or `:memory:`; undefined = `dashboard.db` of the data folder. */
  readonly database_file: string | undefined;
  readonly spa_dir: string | undefined;
  readonly cors_origins: readonly string[];
  readonly stuck_running: number;
  readonly stuck_blocked: number;
  readonly near_deadline: number;
  readonly sse_send_timeout: number;
  readonly sse_max_streams: number;
  readonly grafana_url: string | undefined;
  readonly metrics_token: string | undefined;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
  /** What is set for sign-in while there is none. */
  readonly ignored: readonly IgnoredSetting[];
}

type Values = SettingValues<(typeof DASHBOARD_VARIABLES)['settings']>;

/** What only sign-in through a provider would read. */
const SIGN_IN_ONLY = /^(?:SESSION_|OIDC_|POST_LOGIN_)/;

/** Settings that static mode lets pass, so that one file of variables serves both modes. */
function ignoredIn(mode: DashboardConfig['auth_mode'], env: Environment): IgnoredSetting[] {
  if (mode !== 'static') return [];
  return Object.keys(DASHBOARD_VARIABLES.settings)
    .filter(
      (name) => SIGN_IN_ONLY.test(name) && givenText(DASHBOARD_VARIABLES, name, env) !== undefined,
    )
    .map((name) => ({
      setting: DASHBOARD_VARIABLES.prefix + name,
      because: 'it is for sign-in through a provider, and DASH_AUTH_MODE is static',
    }));
}

function databaseFile(url: string | undefined): string | undefined {
  if (url === undefined || url === ':memory:') return url;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return path.resolve(url);
  if (scheme === 'postgresql' || scheme === 'postgres') {
    throw new StartRefusal(
      'DASH_DB_URL names an external database; this version keeps its state in a file only.',
    );
  }
  if (scheme !== 'sqlite') throw new StartRefusal('DASH_DB_URL has an unknown scheme.');
  const rest = url.slice('sqlite://'.length);
  if (rest === '/:memory:' || rest === '' || rest === '/') return ':memory:';
  return path.resolve(rest.replace(/^\//, ''));
}

function oidcConfig(v: Values): OidcConfig {
  return {
    issuer: v.OIDC_ISSUER,
    client_id: v.OIDC_CLIENT_ID,
    client_secret: v.OIDC_CLIENT_SECRET,
    redirect_url: v.OIDC_REDIRECT_URL,
    scopes: v.OIDC_SCOPES,
    role_claim: v.OIDC_ROLE_CLAIM,
    role_map: new Map(Object.entries(v.OIDC_ROLE_MAP)),
    bootstrap_admin: v.OIDC_BOOTSTRAP_ADMIN,
    post_login_redirect: v.POST_LOGIN_REDIRECT,
  };
}

/**
 * Reads the configuration once.
 * @throws StartRefusal naming the variable; whether the whole may start is `refuseUnsafeStart`.
 */
export function readDashboardConfig(env: Environment): DashboardConfig {
  const v = readSettings(DASHBOARD_VARIABLES, env);
  const platform = readSettings(CONNECTION_VARIABLES, env);
  return {
    auth_mode: v.AUTH_MODE,
    dev_mode: v.DEV_MODE,
    static_role: v.STATIC_OPERATOR_ROLE,
    session_secret: v.SESSION_SECRET,
    session_cookie: v.SESSION_COOKIE_NAME,
    session_ttl: v.SESSION_TTL_SECONDS,
    session_idle: v.SESSION_IDLE_SECONDS,
    session_purge_interval: v.SESSION_PURGE_INTERVAL_SECONDS,
    oidc: oidcConfig(v),
    default_connection: {
      url: platform.URL,
      apiKey: platform.API_KEY,
      authScheme: platform.AUTH_SCHEME,
      timeout: platform.TIMEOUT,
    },
    default_profile: v.DEFAULT_PROFILE,
    profiles: readProfiles(v.PROFILES_FILE, env),
    host: v.HOST,
    port: v.PORT,
    allowed_hosts: v.ALLOWED_HOSTS,
    database_file: databaseFile(v.DB_URL),
    spa_dir: v.SPA_DIR,
    cors_origins: v.CORS_ORIGINS,
    stuck_running: v.STUCK_RUNNING_SECONDS,
    stuck_blocked: v.STUCK_BLOCKED_SECONDS,
    near_deadline: v.HITL_NEAR_DEADLINE_SECONDS,
    sse_send_timeout: v.SSE_SEND_TIMEOUT_SECONDS,
    sse_max_streams: v.SSE_MAX_STREAMS_PER_OPERATOR,
    grafana_url: v.GRAFANA_URL,
    metrics_token: v.METRICS_TOKEN,
    strays: strayVariables(env, [DASHBOARD_VARIABLES]),
    ignored: ignoredIn(v.AUTH_MODE, env),
  };
}
