import path from 'node:path';
import {
  type DatabaseAddress,
  databaseAddress,
  type ExternalDatabase,
  externalDatabase,
  isPostgresAddress,
  oneAddress,
} from '../contract/database.ts';
import {
  type Environment,
  readSettings,
  strayVariables,
  unreadSettings,
} from '../contract/settings.ts';
import { addressFault } from '../identity/oidc-provider-file.ts';
import type { IgnoredSetting, StraySetting } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { PlatformProfile } from '../platform-client/profiles.ts';
import type { Role } from './access/capabilities.ts';
import { readProfiles } from './profiles.ts';
import { CONNECTION_VARIABLES, DASHBOARD_VARIABLES } from './variables.ts';

/** What the environment decides (contract/dashboard.md 2). Durations are seconds. */
export interface DashboardConfig {
  readonly authMode: 'static' | 'oidc';
  readonly devMode: boolean;
  readonly staticRole: Role;
  readonly sessionCookie: string;
  /** How operators sign in at a provider; undefined in static mode. */
  readonly signIn: SignInConfig | undefined;
  readonly defaultConnection: PlatformProfile;
  readonly defaultProfile: string | undefined;
  readonly profiles: ReadonlyMap<string, PlatformProfile>;
  readonly host: string;
  readonly port: number;
  /** Names that the listener answers to beside its own (decisions 45). */
  readonly allowedHosts: readonly string[];
  /** A file or `:memory:`; undefined = `dashboard.db` of the data folder. */
  readonly databaseFile: string | undefined;
  /** The database that holds the state instead of a file. */
  readonly external: ExternalDatabase | undefined;
  readonly spaDir: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly stuckRunning: number;
  readonly stuckBlocked: number;
  readonly nearDeadline: number;
  readonly sseSendTimeout: number;
  readonly sseMaxStreams: number;
  readonly grafanaUrl: string | undefined;
  readonly metricsToken: string | undefined;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
  /** What is set for sign-in while there is none. */
  readonly ignored: readonly IgnoredSetting[];
}

/** Sign-in through a provider (contract/dashboard.md 5). */
export interface SignInConfig {
  readonly secret: string;
  readonly ttlSeconds: number;
  /** 0 = a session may idle as long as it lives. */
  readonly idleSeconds: number;
  /** 0 = ended sessions are not removed. */
  readonly purgeSeconds: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUrl: string;
  readonly scopes: string;
  readonly roleClaim: string;
  readonly roleMap: Readonly<Record<string, Role>>;
  readonly bootstrapAdmin: string | undefined;
  /** The dashboard's name in access tokens; undefined = none are taken. */
  readonly tokenAudience: string | undefined;
  readonly afterLogin: string;
}

const PLACEHOLDER = /^(.)\1*$|change.?me|placeholder|your.?secret|example/i;
const SECRET_LENGTH = 32;

function requireSecret(secret: string | undefined): string {
  if (secret === undefined || secret.length < SECRET_LENGTH || PLACEHOLDER.test(secret)) {
    throw new StartRefusal(
      `DASH_AUTH_MODE=oidc needs DASH_SESSION_SECRET: at least ${SECRET_LENGTH} characters by chance, no placeholder.`,
    );
  }
  return secret;
}

type Values = ReturnType<typeof readSettings<typeof DASHBOARD_VARIABLES.settings>>;

function signInOf(v: Values): SignInConfig {
  const provider = {
    DASH_OIDC_ISSUER: v.OIDC_ISSUER,
    DASH_OIDC_CLIENT_ID: v.OIDC_CLIENT_ID,
    DASH_OIDC_CLIENT_SECRET: v.OIDC_CLIENT_SECRET,
    DASH_OIDC_REDIRECT_URL: v.OIDC_REDIRECT_URL,
  };
  const missing = Object.entries(provider).filter(([, value]) => value === undefined);
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    throw new StartRefusal(`DASH_AUTH_MODE=oidc needs ${names}.`);
  }
  for (const name of ['DASH_OIDC_ISSUER', 'DASH_OIDC_REDIRECT_URL'] as const) {
    const fault = addressFault(provider[name] ?? '', false);
    if (fault !== undefined) throw new StartRefusal(`${name} ${fault}.`);
  }
  return {
    secret: requireSecret(v.SESSION_SECRET),
    ttlSeconds: v.SESSION_TTL_SECONDS,
    idleSeconds: v.SESSION_IDLE_SECONDS,
    purgeSeconds: v.SESSION_PURGE_INTERVAL_SECONDS,
    issuer: v.OIDC_ISSUER ?? '',
    clientId: v.OIDC_CLIENT_ID ?? '',
    clientSecret: v.OIDC_CLIENT_SECRET ?? '',
    redirectUrl: v.OIDC_REDIRECT_URL ?? '',
    scopes: v.OIDC_SCOPES,
    roleClaim: v.OIDC_ROLE_CLAIM,
    roleMap: v.OIDC_ROLE_MAP,
    bootstrapAdmin: v.OIDC_BOOTSTRAP_ADMIN,
    tokenAudience: v.OIDC_TOKEN_AUDIENCE,
    afterLogin: v.POST_LOGIN_REDIRECT,
  };
}

/** What only sign-in through a provider would read. */
const SIGN_IN_ONLY = /^(?:SESSION_|OIDC_|POST_LOGIN_)/;

/** Settings that static mode lets pass, so that one file of variables serves both modes. */
function ignoredIn(mode: DashboardConfig['authMode'], env: Environment): IgnoredSetting[] {
  if (mode !== 'static') return [];
  return unreadSettings(
    DASHBOARD_VARIABLES,
    env,
    (name) => SIGN_IN_ONLY.test(name),
    'it is for sign-in through a provider, and DASH_AUTH_MODE is static',
  );
}

/** The address of an external database, which two names may give. */
function addressOf(v: Values): DatabaseAddress | undefined {
  const { DB_URL: given, DATABASE_URL: named } = v;
  if (given === undefined || !isPostgresAddress(given)) {
    if (given === undefined || named === undefined) return named;
    throw new StartRefusal('DASH_DB_URL names a file and DASH_DATABASE_URL a database: unset one.');
  }
  const read = databaseAddress.schema.safeParse(given);
  if (!read.success) throw new StartRefusal(`DASH_DB_URL must be ${databaseAddress.form}.`);
  return oneAddress(['DASH_DB_URL', 'DASH_DATABASE_URL'], read.data, named);
}

function databaseFile(url: string | undefined): string | undefined {
  if (url === undefined || url === ':memory:') return url;
  if (isPostgresAddress(url)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return path.resolve(url);
  if (scheme !== 'sqlite') throw new StartRefusal('DASH_DB_URL has an unknown scheme.');
  const rest = url.slice('sqlite://'.length);
  if (rest === '/:memory:' || rest === '' || rest === '/') return ':memory:';
  return path.resolve(rest.replace(/^\//, ''));
}

/**
 * Reads the configuration once.
 * @throws StartRefusal naming the variable; whether the whole may start is `refuseUnsafeStart`.
 */
export function readDashboardConfig(env: Environment): DashboardConfig {
  const v = readSettings(DASHBOARD_VARIABLES, env);
  const platform = readSettings(CONNECTION_VARIABLES, env);
  return {
    authMode: v.AUTH_MODE,
    devMode: v.DEV_MODE,
    staticRole: v.STATIC_OPERATOR_ROLE,
    sessionCookie: v.SESSION_COOKIE_NAME,
    signIn: v.AUTH_MODE === 'oidc' ? signInOf(v) : undefined,
    defaultConnection: {
      url: platform.URL,
      apiKey: platform.API_KEY,
      authScheme: platform.AUTH_SCHEME,
      timeout: platform.TIMEOUT,
    },
    defaultProfile: v.DEFAULT_PROFILE,
    profiles: readProfiles(v.PROFILES_FILE, env),
    host: v.HOST,
    port: v.PORT,
    allowedHosts: v.ALLOWED_HOSTS,
    databaseFile: databaseFile(v.DB_URL),
    external: externalDatabase(addressOf(v), v),
    spaDir: v.SPA_DIR,
    corsOrigins: v.CORS_ORIGINS,
    stuckRunning: v.STUCK_RUNNING_SECONDS,
    stuckBlocked: v.STUCK_BLOCKED_SECONDS,
    nearDeadline: v.HITL_NEAR_DEADLINE_SECONDS,
    sseSendTimeout: v.SSE_SEND_TIMEOUT_SECONDS,
    sseMaxStreams: v.SSE_MAX_STREAMS_PER_OPERATOR,
    grafanaUrl: v.GRAFANA_URL,
    metricsToken: v.METRICS_TOKEN,
    strays: strayVariables(env, [DASHBOARD_VARIABLES]),
    ignored: ignoredIn(v.AUTH_MODE, env),
  };
}
