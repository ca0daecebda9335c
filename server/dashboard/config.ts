import path from 'node:path';
import { isObject } from '../kernel/json.ts';
import { recordReads, type StraySetting, straySettings } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { ROLES, type Role } from './access/capabilities.ts';
import {
  type Environment,
  readBoolean,
  readChoice,
  readJson,
  readNumber,
  readText,
} from './environment-variables.ts';
import { type PlatformProfile, readProfiles } from './profiles.ts';

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
}

/** What only sign-in through a provider would read. */
const SIGN_IN_ONLY: readonly string[] = [
  ...['SECRET', 'COOKIE_NAME', 'TTL_SECONDS', 'IDLE_SECONDS', 'PURGE_INTERVAL_SECONDS'].map(
    (name) => `DASH_SESSION_${name}`,
  ),
  ...['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URL', 'SCOPES', 'ROLE_CLAIM', 'ROLE_MAP']
    .concat(['BOOTSTRAP_ADMIN'])
    .map((name) => `DASH_OIDC_${name}`),
  'DASH_POST_LOGIN_REDIRECT',
];

/** A setting that would be accepted and do nothing. @throws StartRefusal naming it. */
function refuseUnused(env: Environment): void {
  const set = SIGN_IN_ONLY.find((name) => readText(env, name) !== undefined);
  if (set === undefined) return;
  throw new StartRefusal(
    `${set} belongs to sign-in through a provider, which this version does not have; unset it.`,
  );
}

function databaseFile(env: Environment): string | undefined {
  const url = readText(env, 'DASH_DB_URL');
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

function roleMap(env: Environment): ReadonlyMap<string, Role> {
  const value = readJson(env, 'DASH_OIDC_ROLE_MAP') ?? {};
  if (!isObject(value)) throw new StartRefusal('DASH_OIDC_ROLE_MAP must be a JSON object.');
  const map = new Map<string, Role>();
  for (const [claim, name] of Object.entries(value)) {
    const role = ROLES.find((candidate) => candidate === name);
    if (role === undefined) {
      throw new StartRefusal(
        `DASH_OIDC_ROLE_MAP maps to a role that is none of ${ROLES.join(', ')}.`,
      );
    }
    map.set(claim, role);
  }
  return map;
}

function corsOrigins(env: Environment): readonly string[] {
  const value = readJson(env, 'DASH_CORS_ORIGINS') ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new StartRefusal('DASH_CORS_ORIGINS must be a JSON list of texts.');
  }
  return value;
}

function named(item: string): string[] {
  const name = item.trim();
  return name === '' ? [] : [name];
}

function oidcConfig(env: Environment): OidcConfig {
  return {
    issuer: readText(env, 'DASH_OIDC_ISSUER'),
    client_id: readText(env, 'DASH_OIDC_CLIENT_ID'),
    client_secret: readText(env, 'DASH_OIDC_CLIENT_SECRET'),
    redirect_url: readText(env, 'DASH_OIDC_REDIRECT_URL'),
    scopes: readText(env, 'DASH_OIDC_SCOPES') ?? 'openid email profile',
    role_claim: readText(env, 'DASH_OIDC_ROLE_CLAIM') ?? 'roles',
    role_map: roleMap(env),
    bootstrap_admin: readText(env, 'DASH_OIDC_BOOTSTRAP_ADMIN'),
    post_login_redirect: readText(env, 'DASH_POST_LOGIN_REDIRECT') ?? '/',
  };
}

/**
 * Reads the configuration once.
 * @throws StartRefusal naming the variable; whether the whole may start is `refuseUnsafeStart`.
 */
export function readDashboardConfig(env: Environment): DashboardConfig {
  const reads = recordReads(env);
  const config = readConfig(reads.env);
  if (config.auth_mode === 'static') refuseUnused(reads.env);
  return { ...config, strays: straySettings(env, 'DASH_', reads.names) };
}

function readConfig(env: Environment): Omit<DashboardConfig, 'strays'> {
  const seconds = (name: string, standard: number): number =>
    readNumber(env, name, standard, { min: 0 });
  return {
    auth_mode: readChoice(env, 'DASH_AUTH_MODE', ['static', 'oidc'], 'static'),
    dev_mode: readBoolean(env, 'DASH_DEV_MODE', false),
    static_role: readChoice(env, 'DASH_STATIC_OPERATOR_ROLE', ROLES, 'admin'),
    session_secret: readText(env, 'DASH_SESSION_SECRET'),
    session_cookie: readText(env, 'DASH_SESSION_COOKIE_NAME') ?? 'dash_session',
    session_ttl: readNumber(env, 'DASH_SESSION_TTL_SECONDS', 43_200, { min: 1 }),
    session_idle: seconds('DASH_SESSION_IDLE_SECONDS', 1800),
    session_purge_interval: seconds('DASH_SESSION_PURGE_INTERVAL_SECONDS', 3600),
    oidc: oidcConfig(env),
    default_connection: {
      url: readText(env, 'PLATFORM_URL'),
      apiKey: readText(env, 'PLATFORM_API_KEY'),
      authScheme: readChoice(env, 'PLATFORM_AUTH_SCHEME', ['bearer', 'x-kneo-api-key'], 'bearer'),
      timeout: readNumber(env, 'PLATFORM_TIMEOUT', 30, { min: 0, exclusive: true }),
    },
    default_profile: readText(env, 'DASH_DEFAULT_PROFILE'),
    profiles: readProfiles(env),
    host: readText(env, 'DASH_HOST') ?? '127.0.0.1',
    port: readNumber(env, 'DASH_PORT', 8090, { min: 0 }),
    allowed_hosts: (readText(env, 'DASH_ALLOWED_HOSTS') ?? '').split(',').flatMap(named),
    database_file: databaseFile(env),
    spa_dir: readText(env, 'DASH_SPA_DIR'),
    cors_origins: corsOrigins(env),
    stuck_running: seconds('DASH_STUCK_RUNNING_SECONDS', 120),
    stuck_blocked: seconds('DASH_STUCK_BLOCKED_SECONDS', 300),
    near_deadline: seconds('DASH_HITL_NEAR_DEADLINE_SECONDS', 300),
    sse_send_timeout: readNumber(env, 'DASH_SSE_SEND_TIMEOUT_SECONDS', 30, {
      min: 0,
      exclusive: true,
    }),
    sse_max_streams: readNumber(env, 'DASH_SSE_MAX_STREAMS_PER_OPERATOR', 5, { min: 1 }),
    grafana_url: readText(env, 'DASH_GRAFANA_URL'),
    metrics_token: readText(env, 'DASH_METRICS_TOKEN'),
  };
}
