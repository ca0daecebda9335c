import { type ExternalDatabase, externalDatabase, oneAddress } from '../contract/database.ts';
import {
  type Environment,
  ignoredValues,
  readSettings,
  strayVariables,
  unreadSettings,
} from '../contract/settings.ts';
import type { AuthMode } from '../contract/studio/session.ts';
import { isLoopbackHost } from '../http/door-guard.ts';
import type { IgnoredSetting, StraySetting } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { profilesFiles } from '../platform-client/profiles.ts';
import { STUDIO_VARIABLES } from './variables.ts';

/** Settings of the studio (studio.md 19), read from the environment once. */
export interface StudioConfig {
  readonly authMode: AuthMode;
  readonly host: string;
  readonly port: number;
  readonly projectRoot: string | undefined;
  readonly workspaceBase: string | undefined;
  /** Folders in which an operator may attach trees; empty = nowhere. */
  readonly attachableRoots: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Addresses and ranges of proxies that are believed. */
  readonly trustedProxies: readonly string[];
  readonly usersFile: string | undefined;
  readonly oidcProviderFile: string | undefined;
  /** Failed sign-ins of an address and name in a minute. */
  readonly loginFailureLimit: number;
  readonly loginVerifyConcurrency: number;
  /** Sign-ins at the provider that an address may begin in a minute. */
  readonly loginStartLimit: number;
  readonly maxOidcAttempts: number;
  /** Where remote platforms are named, in the order of looking; the first that exists counts. */
  readonly profilesFiles: readonly string[];
  readonly defaultProfile: string | undefined;
  readonly defaultPlatformEnvironment: string;
  readonly projectLimit: number;
  /** Bytes of snapshots that the whole studio may hold. */
  readonly deploymentCap: number;
  /** An operator has said how much the whole studio may hold: needed for clients elsewhere. */
  readonly isCapDeclared: boolean;
  readonly maxRequestBytes: number;
  /** The database that holds the state instead of a file. */
  readonly external: ExternalDatabase | undefined;
  readonly recoveryIntervalSeconds: number;
  readonly recoveryLeaseSeconds: number;
  /** `id:base64[,…]`, with the id of the active one; undefined = the keyring file of the state folder. */
  readonly analysisKeys: { readonly keys: string; readonly activeId: string } | undefined;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
  /** Malformed values that count as not given. */
  readonly ignored: readonly IgnoredSetting[];
}

/** What one way to sign in reads alone; one file of variables serves every mode. */
const READ_BY: Readonly<Record<string, AuthMode>> = {
  USERS_FILE: 'static',
  LOGIN_FAILURE_LIMIT: 'static',
  OIDC_PROVIDER_FILE: 'oidc',
  LOGIN_START_LIMIT: 'oidc',
  MAX_OIDC_ATTEMPTS: 'oidc',
};

function unreadIn(mode: AuthMode, env: Environment): IgnoredSetting[] {
  const isOther = (name: string) => Object.hasOwn(READ_BY, name) && READ_BY[name] !== mode;
  return unreadSettings(
    STUDIO_VARIABLES,
    env,
    isOther,
    `it is for another way to sign in, and STUDIO_AUTH_MODE is ${mode}`,
  );
}

const CAP_NAMES = ['STUDIO_DEPLOYMENT_CAP', 'KNEO_STUDIO_DEPLOYMENT_CAP'];

function analysisKeysOf(keys: string | undefined, activeId: string | undefined) {
  if (keys === undefined && activeId === undefined) return undefined;
  if (keys === undefined || activeId === undefined) {
    throw new StartRefusal('STUDIO_ANALYSIS_KEYS and STUDIO_ANALYSIS_ACTIVE_KEY_ID go together.');
  }
  return { keys, activeId };
}

/**
 * Reads the studio's settings. `STUDIO_*` wins over the reference's `KNEO_STUDIO_*`.
 * @throws StartRefusal for a value that the studio refuses to start with.
 */
export function readStudioConfig(env: Environment): StudioConfig {
  const v = readSettings(STUDIO_VARIABLES, env);
  if (v.AUTH_MODE === 'none') refuseOpenDoor(v.HOST, v.TRUSTED_PROXIES);
  return {
    authMode: v.AUTH_MODE,
    host: v.HOST,
    port: v.PORT,
    projectRoot: v.PROJECT_ROOT,
    workspaceBase: v.WORKSPACE_BASE,
    attachableRoots: v.ATTACHABLE_ROOTS,
    allowedHosts: v.ALLOWED_HOSTS,
    corsOrigins: v.CORS_ORIGINS,
    trustedProxies: v.TRUSTED_PROXIES,
    usersFile: v.USERS_FILE,
    oidcProviderFile: v.OIDC_PROVIDER_FILE,
    loginFailureLimit: v.LOGIN_FAILURE_LIMIT,
    loginVerifyConcurrency: v.LOGIN_VERIFY_CONCURRENCY,
    loginStartLimit: v.LOGIN_START_LIMIT,
    maxOidcAttempts: v.MAX_OIDC_ATTEMPTS,
    profilesFiles: profilesFiles(v.PROFILES_FILE, env),
    defaultProfile: v.DEFAULT_PROFILE,
    defaultPlatformEnvironment: v.DEFAULT_PLATFORM_ENVIRONMENT,
    projectLimit: v.PROJECT_LIMIT,
    deploymentCap: v.DEPLOYMENT_CAP,
    isCapDeclared: CAP_NAMES.some((name) => (env[name] ?? '') !== ''),
    maxRequestBytes: v.MAX_REQUEST_BYTES,
    external: externalDatabase(
      oneAddress(['STUDIO_DB_URL', 'STUDIO_DATABASE_URL'], v.DB_URL, v.DATABASE_URL),
      v,
    ),
    recoveryIntervalSeconds: v.RECOVERY_INTERVAL_SECONDS,
    recoveryLeaseSeconds: v.RECOVERY_LEASE_SECONDS,
    analysisKeys: analysisKeysOf(v.ANALYSIS_KEYS, v.ANALYSIS_ACTIVE_KEY_ID),
    strays: strayVariables(env, [STUDIO_VARIABLES]),
    ignored: [...ignoredValues(STUDIO_VARIABLES, env), ...unreadIn(v.AUTH_MODE, env)],
  };
}

/** Without sign-in only this machine may reach the studio (studio.md 4.1). */
export function refuseOpenDoor(host: string, trustedProxies: readonly string[] = []): void {
  if (!isLoopbackHost(host)) {
    throw new StartRefusal(
      `Without sign-in the studio listens on a loopback address only, not on ${host}.`,
    );
  }
  if (trustedProxies.length > 0) {
    throw new StartRefusal('STUDIO_TRUSTED_PROXIES needs sign-in; unset it.');
  }
}
