import path from 'node:path';
import type { AuthMode } from '../contract/studio/session.ts';
import { isLoopbackHost } from '../http/door-guard.ts';
import { recordReads, type StraySetting, straySettings } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';

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
  /** Where remote platforms are named, in the order of looking; the first that exists counts. */
  readonly profilesFiles: readonly string[];
  readonly defaultProfile: string | undefined;
  readonly defaultPlatformEnvironment: string;
  readonly projectLimit: number;
  /** Bytes of snapshots that the whole studio may hold. */
  readonly deploymentCap: number;
  readonly maxRequestBytes: number;
  readonly recoveryIntervalSeconds: number;
  readonly recoveryLeaseSeconds: number;
  /** `id:base64[,…]`, with the id of the active one; undefined = the keyring file of the state folder. */
  readonly analysisKeys: { readonly keys: string; readonly activeId: string } | undefined;
  /** Variables that are named almost like a setting. */
  readonly strays: readonly StraySetting[];
}

/** Settings of studio.md 19 that would be accepted and do nothing, and why. */
const UNUSED: readonly (readonly [name: string, because: string])[] = [
  ['DB_URL', 'the studio keeps its store in the data folder'],
  ['RELOAD', 'it is for the development of another program'],
  ...['USERS_FILE', 'OIDC_PROVIDER_FILE', 'LOGIN_FAILURE_LIMIT', 'LOGIN_VERIFY_CONCURRENCY']
    .concat(['LOGIN_START_LIMIT', 'MAX_OIDC_ATTEMPTS'])
    .map((name): [string, string] => [name, 'sign-in is not built yet']),
];

type Env = Readonly<Record<string, string | undefined>>;

const GIB = 1024 ** 3;

function reader(env: Env) {
  const text = (name: string): string | undefined => {
    const value = env[`STUDIO_${name}`] ?? env[`KNEO_STUDIO_${name}`];
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  };
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const positive = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (!/^[1-9]\d*$/.test(value)) {
      throw new StartRefusal(`STUDIO_${name} must be a positive whole number.`);
    }
    return Number(value);
  };
  const lenient = (name: string, fallback: number): number => {
    const value = text(name);
    return value !== undefined && /^[1-9]\d*$/.test(value) ? Number(value) : fallback;
  };
  return { text, list, positive, lenient };
}

function authModeOf(value: string): AuthMode {
  if (value === 'none') return value;
  if (value === 'static' || value === 'oidc') {
    throw new StartRefusal(
      `STUDIO_AUTH_MODE=${value} is not built yet. Use none, on a loopback address.`,
    );
  }
  throw new StartRefusal('STUDIO_AUTH_MODE must be none, static or oidc.');
}

function analysisKeysOf(keys: string | undefined, activeId: string | undefined) {
  if (keys === undefined && activeId === undefined) return undefined;
  if (keys === undefined || activeId === undefined) {
    throw new StartRefusal('STUDIO_ANALYSIS_KEYS and STUDIO_ANALYSIS_ACTIVE_KEY_ID go together.');
  }
  return { keys, activeId };
}

/** The named file, else ours of the configuration folder, else that of the reference client. */
function profilesFilesOf(named: string | undefined, env: Env): string[] {
  if (named !== undefined) return [named];
  const home = env['HOME'];
  const folder = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : `${home}/.config`);
  if (folder === undefined) return [];
  return [
    path.join(folder, 'specwright', 'profiles.toml'),
    path.join(folder, 'kneo', 'client.toml'),
  ];
}

function portOf(value: string | undefined): number {
  if (value === undefined) return 8091;
  const port = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new StartRefusal('STUDIO_PORT must be a port number, 0 to 65535.');
}

/**
 * Reads the studio's settings. `STUDIO_*` wins over the reference's `KNEO_STUDIO_*`.
 * @throws StartRefusal for a value that the studio refuses to start with.
 */
export function readStudioConfig(env: Env): StudioConfig {
  const reads = recordReads(env);
  const config = readConfig(reads.env);
  return { ...config, strays: straySettings(env, 'STUDIO_', reads.names) };
}

function readConfig(env: Env): Omit<StudioConfig, 'strays'> {
  const { text, list, positive, lenient } = reader(env);
  for (const [name, because] of UNUSED) {
    if (text(name) !== undefined) {
      throw new StartRefusal(`STUDIO_${name} does nothing here: ${because}; unset it.`);
    }
  }
  const host = text('HOST') ?? '127.0.0.1';
  const authMode = authModeOf(text('AUTH_MODE') ?? 'none');
  refuseOpenDoor(host, list('TRUSTED_PROXIES'));
  return {
    authMode,
    host,
    port: portOf(text('PORT')),
    projectRoot: text('PROJECT_ROOT'),
    workspaceBase: text('WORKSPACE_BASE'),
    attachableRoots: list('ATTACHABLE_ROOTS'),
    allowedHosts: list('ALLOWED_HOSTS'),
    corsOrigins: list('CORS_ORIGINS'),
    profilesFiles: profilesFilesOf(text('PROFILES_FILE'), env),
    defaultProfile: text('DEFAULT_PROFILE'),
    defaultPlatformEnvironment: text('DEFAULT_PLATFORM_ENVIRONMENT') ?? 'dev',
    projectLimit: positive('PROJECT_LIMIT', 100),
    deploymentCap: positive('DEPLOYMENT_CAP', 5 * GIB),
    maxRequestBytes: lenient('MAX_REQUEST_BYTES', 4_194_304),
    recoveryIntervalSeconds: positive('RECOVERY_INTERVAL_SECONDS', 60),
    recoveryLeaseSeconds: positive('RECOVERY_LEASE_SECONDS', 300),
    analysisKeys: analysisKeysOf(text('ANALYSIS_KEYS'), text('ANALYSIS_ACTIVE_KEY_ID')),
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
