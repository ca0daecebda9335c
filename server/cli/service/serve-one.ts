import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { createHostLog, type HostLog } from '../../host/host-log.ts';
import { describeRefusal } from '../../host/host-refusal.ts';
import { portOf, refuseOpenListener, remotePlatformOf } from '../../host/host-settings.ts';
import { type InstanceLock, lockDataFolder, type StoreName } from '../../host/instance-lock.ts';
import { withStoredSecrets } from '../../host/model-keys.ts';
import { personalTrees, personalTrust } from '../../host/personal-trust.ts';
import { EXIT_REFUSED } from '../../host/protocol.ts';
import { openSecretsAtStart } from '../../host/secrets/open-at-start.ts';
import type { RunningService } from '../../kernel/running-service.ts';
import { readOperatorKeys } from '../../platform/config.ts';
import type { PlatformNodeRole } from '../../platform/service-options.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { isServedFrom } from '../connect/served-here.ts';
import { endProcess } from '../end-process.ts';
import { printLine, printNote } from '../output.ts';
import { outliveReaders } from '../readers.ts';

/** Words of a service that runs alone. */
export interface ServeOneOptions {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly project?: string;
  readonly trust?: boolean;
  readonly platformUrl?: string;
  readonly platformKey?: string;
  readonly platformKeyFile?: string;
  readonly open?: boolean;
  readonly allowHost?: readonly string[];
  /** Of the platform alone. */
  readonly role?: PlatformNodeRole;
}

interface Start {
  readonly folder: string;
  readonly options: ServeOneOptions;
  readonly log: HostLog;
  readonly lock: InstanceLock;
  /** Opens the listener for programs of the same person. */
  readonly key: string;
}

const PLATFORM_URL = 'http://127.0.0.1:8000';

function common(name: StoreName, log: HostLog) {
  const migrationsDir = path.join(findAppFiles().migrations, name);
  return { clock: systemClock(), ids: randomIds(), log, migrationsDir };
}

/** Where the service listens: the words win over the configuration. @throws HostRefusal */
function listenerOf(options: ServeOneOptions, config: { host: string; port: number }) {
  const host = options.host ?? config.host;
  refuseOpenListener(options.open, [host]);
  return {
    host,
    port: portOf('port', options.port, config.port),
    allowedHosts: options.allowHost ?? [],
  };
}

/** The keys that a dashboard or studio asks for; none with `--open`. */
function requiredKeys({ options, key }: Start): string[] {
  return options.open === true ? [] : [key, ...readOperatorKeys(process.env)];
}

async function servePlatform({ folder, options, log, lock, key }: Start): Promise<RunningService> {
  const { readPlatformConfig } = await import('../../platform/config.ts');
  const { startPlatform } = await import('../../platform/service/service.ts');
  await openSecretsAtStart(folder, process.env);
  const config = readPlatformConfig(withStoredSecrets(process.env, folder));
  const service = await startPlatform({
    ...common('platform', log),
    config,
    ...listenerOf(options, config),
    databaseFile: config.databasePath ?? path.join(folder, 'platform.db'),
    specRoot: path.resolve(config.specRoot ?? options.project ?? process.cwd()),
    trusted: options.trust ?? false,
    projects: personalTrees(folder),
    extraKeys: [{ name: 'local', key, role: 'admin' }],
    requireKey: options.open !== true,
    role: options.role ?? 'all',
    appVersion: findAppFiles().version,
  });
  lock.publish({
    platform: service.url,
    gateway: null,
    key_required: config.authEnabled || options.open !== true,
  });
  return service;
}

async function serveDashboard(start: Start): Promise<RunningService> {
  const { folder, options, log } = start;
  const { readDashboardConfig } = await import('../../dashboard/config.ts');
  const { startDashboard } = await import('../../dashboard/service.ts');
  const config = readDashboardConfig(process.env);
  const files = findAppFiles();
  const remote = remotePlatformOf(options, process.env);
  return startDashboard({
    ...common('dashboard', log),
    config,
    ...listenerOf(options, config),
    databaseFile: config.databaseFile ?? path.join(folder, 'dashboard.db'),
    platform: {
      ...(remote === undefined ? {} : { url: remote.url }),
      ...(remote?.key === undefined ? {} : { apiKey: remote.key }),
    },
    requireKeys: requiredKeys(start),
    spaDir: config.spaDir ?? files.ui,
    version: files.version,
  });
}

async function serveStudio(start: Start): Promise<RunningService> {
  const { folder, options, log } = start;
  const { readStudioConfig } = await import('../../studio/config.ts');
  const { startStudio } = await import('../../studio/service.ts');
  const { chooseDefaultProject } = await import('../../host/default-project.ts');
  const config = readStudioConfig(process.env);
  const named = options.project ?? config.projectRoot;
  const project = chooseDefaultProject(named && path.resolve(named), folder);
  const remote = remotePlatformOf(options, process.env);
  const url = remote?.url ?? PLATFORM_URL;
  return startStudio({
    ...common('studio', log),
    config,
    ...listenerOf(options, config),
    databaseFile: path.join(folder, 'studio', 'studio.db'),
    appVersion: findAppFiles().version,
    spaDir: findAppFiles().ui,
    stateDir: path.join(folder, 'studio'),
    workspaceBase: config.workspaceBase ?? path.join(folder, 'projects'),
    projectRoot: project.root,
    trusted: options.trust === true || project.own,
    requireKeys: requiredKeys(start),
    codeTrust: personalTrust(folder, options.trust ?? false),
    // The platform of this data folder may start later, and end before.
    platform: { url, apiKey: remote?.key, embedded: () => isServedFrom(folder, url) },
  });
}

const SERVES: Readonly<Record<StoreName, (start: Start) => Promise<RunningService>>> = {
  platform: servePlatform,
  dashboard: serveDashboard,
  studio: serveStudio,
};

function stopOnRequest(service: RunningService, lock: InstanceLock): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await service.stop();
    lock.release();
    await endProcess(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

async function start(name: StoreName, options: ServeOneOptions): Promise<void> {
  const folder = chooseDataFolder(options.data, process.env);
  prepareDataFolder(folder);
  const lock = lockDataFolder(folder, undefined, [name]);
  try {
    const log = createHostLog(path.join(folder, 'logs', `${name}.log`));
    const key = randomBytes(32).toString('base64url');
    const keyFile = lock.publishKey(key);
    const service = await SERVES[name]({ folder, options, log, lock, key });
    stopOnRequest(service, lock);
    printLine(service.url);
    log.release('stderr');
    if (options.open !== true) printNote(`It asks for the key that ${keyFile} holds.`);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Runs one service alone until a signal ends it: its address on standard output once it answers,
 * logs on standard error, exit 3 when the start is refused.
 */
export async function serveOne(name: StoreName, options: ServeOneOptions): Promise<void> {
  outliveReaders();
  try {
    await start(name, options);
  } catch (error) {
    const refused = describeRefusal(error);
    if (refused === undefined) throw error;
    printNote(`specwright: ${refused.message}`);
    process.exitCode = EXIT_REFUSED;
  }
}
