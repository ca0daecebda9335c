import { randomUUID } from 'node:crypto';
import type { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSettings } from '../contract/settings.ts';
import { type DashboardConfig, readDashboardConfig } from '../dashboard/config.ts';
import type { SignInLimits } from '../gateway/sign-in.ts';
import { isLoopbackHost } from '../http/door-guard.ts';
import { trustedPeers } from '../identity/forwarding.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import { type PlatformConfig, readOperatorKeys, readPlatformConfig } from '../platform/config.ts';
import { readStudioConfig, type StudioConfig } from '../studio/config.ts';
import { trustedFoldersFile } from './config-folder.ts';
import { chooseDataFolder } from './data-folder.ts';
import { HostRefusal } from './host-refusal.ts';
import { keyOrFile } from './key-from-file.ts';
import { withStoredSecrets } from './model-keys.ts';
import { SHELL_ENV } from './protocol.ts';
import { refuseUnfitTeam, type TeamSignIn, teamSignInOf } from './team-sign-in.ts';
import { HOST_VARIABLES } from './variables.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The words of `specwright serve`, as they were typed. */
export interface ServeOptions {
  readonly data?: string;
  readonly host?: string;
  readonly gatewayPort?: string;
  readonly platformPort?: string;
  readonly dashboardPort?: string;
  readonly studioPort?: string;
  readonly project?: string;
  readonly trust?: boolean;
  readonly platformUrl?: string;
  readonly platformKey?: string;
  readonly platformKeyFile?: string;
  /** The services' own listeners ask for no key, as the reference's do. */
  readonly open?: boolean;
  /** Names that every listener answers to beside its own. */
  readonly allowHost?: readonly string[];
}

/** Everything that a start needs to know, read from the command line and the environment once. */
export interface HostSettings {
  readonly dataFolder: string;
  readonly gateway: {
    readonly host: string;
    readonly port: number;
    readonly limits: SignInLimits;
    /** Proxies before the workbench that are believed. */
    readonly proxies: BlockList;
  };
  /** How people sign in at the services, on a team's server. */
  readonly signIn: TeamSignIn;
  /** False: the services' own listeners ask for no key. */
  readonly closed: boolean;
  /** Keys of the operator that open the listeners beside the generated one. */
  readonly operatorKeys: readonly string[];
  /** Names that every listener answers to beside its own. */
  readonly allowedHosts: readonly string[];
  readonly platform: {
    readonly config: PlatformConfig;
    readonly host: string;
    readonly port: number;
  };
  readonly dashboard: {
    readonly config: DashboardConfig;
    readonly host: string;
    readonly port: number;
  };
  readonly studio: { readonly config: StudioConfig; readonly host: string; readonly port: number };
  /** The tree of the studio's project `default`; undefined = the host's own, in the data folder. */
  readonly project: string | undefined;
  readonly trusted: boolean;
  /** The list of folders that this person trusts. */
  readonly trustFile: string;
  /** Another platform than the embedded one. */
  readonly remotePlatform: { readonly url: string; readonly key: string | undefined } | undefined;
  /** The window that started this process. */
  readonly shell: { readonly origin: string; readonly token: string } | undefined;
}

const GATEWAY_PORT = 8092;

/** A port as it was typed. @throws HostRefusal */
export function portOf(name: string, given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) {
    throw new HostRefusal('configuration', `--${name} must be a port number, 0 to 65535.`);
  }
  return port;
}

/** The platform that the words or the environment name. @throws HostRefusal */
export function remotePlatformOf(
  options: Pick<ServeOptions, 'platformUrl' | 'platformKey' | 'platformKeyFile'>,
  env: Env,
): HostSettings['remotePlatform'] {
  const given = options.platformUrl ?? env['PLATFORM_URL'];
  if (given === undefined || given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new HostRefusal(
      'configuration',
      'The platform address must be an http or https URL without credentials.',
    );
  }
  const { platformKey, platformKeyFile } = options;
  const key = keyOrFile(platformKey, platformKeyFile, 'platform-key') ?? env['PLATFORM_API_KEY'];
  return { url: withoutTrailingSlashes(given), key: key === '' ? undefined : key };
}

function shellOf(env: Env): HostSettings['shell'] {
  const origin = env[SHELL_ENV.origin];
  const token = env[SHELL_ENV.token];
  if (env[SHELL_ENV.supervised] !== '1' || origin === undefined || token === undefined) {
    return undefined;
  }
  return { origin, token };
}

/** The shell started in safe mode. */
function isSafe(env: Env): boolean {
  return env[SHELL_ENV.safe] === '1';
}

/** A list that is empty at each start: what somebody trusts in safe mode ends with it. */
function safeTrustFile(): string {
  return path.join(tmpdir(), `specwright-safe-${randomUUID()}`, 'trusted-folders.json');
}

function limitsOf(env: Env): SignInLimits {
  const { LINK_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } = readSettings(HOST_VARIABLES, env);
  return {
    linkMs: LINK_SECONDS * 1000,
    idleMs: SESSION_IDLE_SECONDS * 1000,
    lifeMs: SESSION_SECONDS * 1000,
  };
}

/**
 * Refuses to open listeners that others than this machine reach.
 * @throws HostRefusal
 */
export function refuseOpenListener(open: boolean | undefined, hosts: readonly string[]): void {
  const routable = open === true ? hosts.find((host) => !isLoopbackHost(host)) : undefined;
  if (routable === undefined) return;
  throw new HostRefusal(
    'configuration',
    `--open serves this machine only, not ${routable}. Leave --open away, or use 127.0.0.1.`,
  );
}

/** The services' own variables, with the defaults of an embedded start (decisions 32). */
function serviceEnv(env: Env): Env {
  return { ...env, DASH_AUTH_MODE: env['DASH_AUTH_MODE'] ?? 'static', DASH_DEV_MODE: '1' };
}

/**
 * Reads the settings of a start.
 * @throws HostRefusal, or the refusal of the service whose setting is wrong.
 */
export function readHostSettings(options: ServeOptions, env: Env): HostSettings {
  const own = serviceEnv(env);
  const dataFolder = chooseDataFolder(options.data, env);
  const platform = readPlatformConfig(withStoredSecrets(own, dataFolder));
  const dashboard = readDashboardConfig(own);
  const studio = readStudioConfig(own);
  const host = options.host;
  const project = options.project ?? studio.projectRoot;
  const shell = shellOf(env);
  const signIn = teamSignInOf(studio, dashboard);
  const { TRUSTED_PROXIES: proxies } = readSettings(HOST_VARIABLES, env);
  const gatewayHost = host ?? '127.0.0.1';
  refuseUnfitTeam(signIn, { isWindow: shell !== undefined, host: gatewayHost, proxies, studio });
  refuseOpenListener(options.open, [
    ...(host === undefined ? [platform.host, dashboard.host, studio.host] : [host]),
  ]);
  return {
    dataFolder,
    gateway: {
      host: gatewayHost,
      port: portOf('gateway-port', options.gatewayPort, GATEWAY_PORT),
      limits: limitsOf(env),
      proxies: trustedPeers(proxies, 'SPECWRIGHT_TRUSTED_PROXIES'),
    },
    signIn,
    closed: shell !== undefined || options.open !== true,
    operatorKeys: readOperatorKeys(own),
    allowedHosts: options.allowHost ?? [],
    platform: {
      config: platform,
      host: host ?? platform.host,
      port: portOf('platform-port', options.platformPort, platform.port),
    },
    dashboard: {
      config: dashboard,
      host: host ?? dashboard.host,
      port: portOf('dashboard-port', options.dashboardPort, dashboard.port),
    },
    studio: {
      config: studio,
      host: host ?? studio.host,
      port: portOf('studio-port', options.studioPort, studio.port),
    },
    project: project === undefined ? undefined : path.resolve(project),
    trusted: options.trust === true && !isSafe(env),
    trustFile: isSafe(env) ? safeTrustFile() : trustedFoldersFile(env),
    remotePlatform: remotePlatformOf(options, env),
    shell,
  };
}
