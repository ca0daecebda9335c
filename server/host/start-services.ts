import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Connection, OwnSignIn, Target } from '../gateway/connection.ts';
import { type RunningGateway, startGateway } from '../gateway/gateway.ts';
import type { AskSystemProxy } from '../gateway/remotes/system-proxy.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { RunningService } from '../kernel/running-service.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { notePlaces } from '../runtime/project-places.ts';
import { freeMemoryAtRest } from '../runtime/rest-memory.ts';
import { openTrustedFolders } from '../runtime/trusted-folders.ts';
import type { OnStoreStep } from '../store/store-step.ts';
import type { AppFiles } from './app-root.ts';
import { openConnectionBook } from './connection-book.ts';
import { placesFile, prepareDataFolder } from './data-folder.ts';
import { chooseDefaultProject, type DefaultProject } from './default-project.ts';
import type { HostLog } from './host-log.ts';
import type { HostSettings } from './host-settings.ts';
import { lockDataFolder } from './instance-lock.ts';
import { createModelKeys, secretsFile } from './model-keys.ts';
import { noteProgramVersion } from './program-versions.ts';
import { createFilePassphrase } from './secrets/file-passphrase.ts';
import { openSecretsAtStart } from './secrets/open-at-start.ts';
import { createSecretStore } from './secrets/secret-store.ts';
import { createSecretsDesk } from './secrets/secrets-desk.ts';
import type {
  PlatformAccess,
  RunningDashboard,
  RunningStudio,
  ServiceDoors,
} from './service-doors.ts';

export interface HostDeps {
  readonly doors: ServiceDoors;
  readonly files: AppFiles;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Opened after the data folder exists. */
  log(file: string): HostLog;
  /** Is told how far stores of an earlier version are brought up to date. */
  readonly onStoreStep?: OnStoreStep | undefined;
  /** How the desktop would reach an address; undefined where the services run without it. */
  readonly askSystem?: AskSystemProxy | undefined;
}

/** Services that all answer. */
export interface RunningHost {
  readonly gateway: RunningGateway;
  readonly urls: {
    readonly gateway: string;
    readonly platform: string;
    readonly dashboard: string;
    readonly studio: string;
  };
  /** Holds the key that the services' own listeners ask for; undefined when they ask for none. */
  readonly keyFile: string | undefined;
  readonly log: HostLog;
  /** As the studio does it. @throws Refusal */
  openFolder: RunningStudio['openFolder'];
  /** Drains and closes everything, last started first. Never rejects: what fails is logged. */
  stop(): Promise<void>;
}

interface Started {
  readonly name: string;
  stop(): Promise<void> | void;
}

async function stopAll(started: readonly Started[], log: HostLog | undefined): Promise<void> {
  for (const service of started.toReversed()) {
    try {
      await service.stop();
    } catch (error) {
      log?.error({ service: service.name, err: error }, 'stop failed');
    }
  }
}

/** An address of this machine for a listener on all addresses. */
function innerUrl(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

/** Starts one after the other; keeps what runs so that a failed start leaves nothing behind. */
class Starter {
  readonly started: Started[] = [];
  readonly #settings: HostSettings;
  readonly #deps: HostDeps;
  readonly #log: HostLog;
  readonly #project: DefaultProject;
  /** Known to this process tree, and to who can read the key file (decisions 32, 44). */
  readonly key = randomBytes(32).toString('base64url');

  constructor(settings: HostSettings, deps: HostDeps, log: HostLog, project: DefaultProject) {
    this.#settings = settings;
    this.#deps = deps;
    this.#log = log;
    this.#project = project;
  }

  #keep<S extends Started | RunningService>(name: string, service: S): S {
    this.started.push({ name, stop: () => service.stop() });
    return service;
  }

  #common(name: 'platform' | 'dashboard' | 'studio') {
    const { clock, ids, files } = this.#deps;
    const migrationsDir = path.join(files.migrations, name);
    const { allowedHosts } = this.#settings;
    const { onStoreStep } = this.#deps;
    return { clock, ids, log: this.#log, migrationsDir, allowedHosts, onStoreStep };
  }

  #databaseFile(...segments: string[]): string {
    return path.join(this.#settings.dataFolder, ...segments);
  }

  /** What opens the dashboard's and the studio's own listeners (decisions 42, 44). */
  #requireKeys(): string[] {
    const { closed, operatorKeys } = this.#settings;
    return closed ? [this.key, ...operatorKeys] : [];
  }

  #projectsBase(): string {
    return this.#settings.studio.config.workspaceBase ?? this.#databaseFile('projects');
  }

  #specRoot(): string {
    const { config } = this.#settings.platform;
    const fallback =
      this.#settings.project !== undefined || this.#settings.shell !== undefined
        ? this.#project.root
        : process.cwd();
    return config.specRoot ?? fallback;
  }

  async platform(): Promise<PlatformAccess> {
    const remote = this.#settings.remotePlatform;
    if (remote !== undefined) {
      return remote.key === undefined
        ? { url: remote.url, embedded: false }
        : { url: remote.url, apiKey: remote.key, embedded: false };
    }
    const { config, host, port } = this.#settings.platform;
    const service = await this.#deps.doors.platform({
      ...this.#common('platform'),
      config,
      host,
      port,
      databaseFile: config.databasePath ?? this.#databaseFile('platform.db'),
      specRoot: path.resolve(this.#specRoot()),
      trusted: this.#settings.trusted,
      projects: {
        trustFile: this.#settings.trustFile,
        placesFile: placesFile(this.#settings.dataFolder),
        defaultRoot: this.#project.root,
        base: this.#projectsBase(),
      },
      extraKeys: [{ name: 'embedded', key: this.key, role: 'admin' }],
      requireKey: this.#settings.closed,
      appVersion: this.#deps.files.version,
    });
    this.#keep('platform', service);
    return { url: innerUrl(service.url), apiKey: this.key, embedded: true };
  }

  async dashboard(platform: PlatformAccess): Promise<RunningDashboard> {
    const { config, host, port } = this.#settings.dashboard;
    const service = await this.#deps.doors.dashboard({
      ...this.#common('dashboard'),
      config,
      host,
      port,
      databaseFile: config.databaseFile ?? this.#databaseFile('dashboard.db'),
      platform,
      spaDir: config.spaDir ?? this.#deps.files.ui,
      version: this.#deps.files.version,
      requireKeys: this.#requireKeys(),
    });
    return this.#keep('dashboard', service);
  }

  async studio(platform: PlatformAccess, { tell }: RunningDashboard): Promise<RunningStudio> {
    const { config, host, port } = this.#settings.studio;
    const service = await this.#deps.doors.studio({
      ...this.#common('studio'),
      config,
      host,
      port,
      databaseFile: this.#databaseFile('studio', 'studio.db'),
      appVersion: this.#deps.files.version,
      stateDir: this.#databaseFile('studio'),
      workspaceBase: this.#projectsBase(),
      projectRoot: this.#project.root,
      // Nobody but this program writes into the tree that it made itself.
      trusted: this.#settings.trusted || this.#project.own,
      codeTrust: {
        folders: openTrustedFolders(this.#settings.trustFile),
        notePlaces: (places) => notePlaces(placesFile(this.#settings.dataFolder), places),
        defaultTrusted: this.#settings.trusted,
      },
      platform,
      requireKeys: this.#requireKeys(),
      gatewayKey: this.key,
      tellDashboard: tell,
    });
    return this.#keep('studio', service);
  }

  async gateway(
    platform: PlatformAccess,
    dashboard: string,
    studio: string,
  ): Promise<RunningGateway> {
    const own = (url: string, signIn: OwnSignIn | undefined): Target => ({
      baseUrl: innerUrl(url),
      ...(signIn === undefined
        ? { authorization: `Bearer ${this.key}` }
        : { signIn, gatewayKey: this.key }),
    });
    const { signIn } = this.#settings;
    const connection: Connection = {
      id: 'embedded',
      name: 'This computer',
      kind: 'embedded',
      targets: {
        studio: own(studio, signIn.studio),
        dashboard: own(dashboard, signIn.dashboard),
        platform: {
          baseUrl: platform.url,
          apart: !platform.embedded,
          ...(platform.apiKey === undefined ? {} : { authorization: `Bearer ${platform.apiKey}` }),
        },
      },
    };
    const secrets = secretsFile(this.#settings.dataFolder);
    const store = createSecretStore(secrets, this.#deps.clock);
    const { env } = this.#settings.platform.config;
    const gateway = await startGateway({
      ...this.#settings.gateway,
      connection,
      uiFolder: this.#deps.files.ui,
      window: this.#settings.shell,
      allowedHosts: this.#settings.allowedHosts,
      linkKeys: [this.key, ...this.#settings.operatorKeys],
      clock: this.#deps.clock,
      version: this.#deps.files.version,
      modelKeys: createModelKeys(store, env, platform.embedded),
      secrets: createSecretsDesk(store, createFilePassphrase(secrets)),
      trustedFolders: openTrustedFolders(this.#settings.trustFile),
      remotes: {
        ...{ secrets: store, env, askSystem: this.#deps.askSystem },
        book: openConnectionBook(this.#settings.dataFolder),
      },
      ids: this.#deps.ids,
      log: this.#log,
    });
    return this.#keep('gateway', gateway);
  }
}

/**
 * Starts the platform, then the dashboard and the studio over it, then the gateway. Either all of
 * them run or none is left.
 * @throws the refusal of the step that failed; see `describeRefusal`
 */
export async function startServices(settings: HostSettings, deps: HostDeps): Promise<RunningHost> {
  prepareDataFolder(settings.dataFolder);
  const lock = lockDataFolder(settings.dataFolder);
  let starter: Starter | undefined;
  let log: HostLog | undefined;
  try {
    const project = chooseDefaultProject(settings.project, settings.dataFolder);
    log = deps.log(path.join(settings.dataFolder, 'logs', 'services.log'));
    await openSecretsAtStart(settings.dataFolder, settings.platform.config.env);
    starter = new Starter(settings, deps, log, project);
    const platform = await starter.platform();
    const dashboard = await starter.dashboard(platform);
    const studio = await starter.studio(platform, dashboard);
    const gateway = await starter.gateway(platform, dashboard.url, studio.url);
    starter.started.push({ name: 'memory', stop: freeMemoryAtRest() });
    noteProgramVersion(settings.dataFolder, deps.files, toTimestamp(deps.clock.now()));
    const running = { started: starter.started, log };
    const keyFile = lock.publishKey(starter.key);
    lock.publish({
      platform: platform.embedded ? platform.url : null,
      gateway: gateway.url,
      key_required: settings.platform.config.authEnabled || settings.closed,
    });
    return {
      gateway,
      keyFile: settings.closed ? keyFile : undefined,
      urls: {
        gateway: gateway.url,
        platform: platform.url,
        dashboard: dashboard.url,
        studio: studio.url,
      },
      log,
      openFolder: (folder) => studio.openFolder(folder),
      async stop() {
        await stopAll(running.started, running.log);
        lock.release();
      },
    };
  } catch (error) {
    await stopAll(starter?.started ?? [], log);
    lock.release();
    throw error;
  }
}
