import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type AppFiles, findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { createHostLog } from '../../host/host-log.ts';
import { HostRefusal } from '../../host/host-refusal.ts';
import {
  type InstanceLock,
  lockDataFolder,
  readServedNote,
  type ServedNote,
} from '../../host/instance-lock.ts';
import { personalTrees } from '../../host/personal-trust.ts';
import { readPlatformConfig } from '../../platform/config.ts';
import { startPlatform } from '../../platform/service/service.ts';
import type { RunningPlatform } from '../../platform/service-options.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { CommandFailure } from '../command-failure.ts';
import { printNote } from '../output.ts';
import { localEnv } from '../project/local-secrets.ts';
import type { ProjectConfig } from '../project/project-config.ts';
import { openSecretsHere } from '../secrets/ask-passphrase.ts';

/** How long a command waits for others on the same store, in milliseconds. */
const WAIT = 10_000;
/**
 * The same for a command that executes runs: the commands that it waits for may execute runs too.
 */
const LONG_WAIT = 600_000;
/**
 * Seconds that unfinished work of other commands gets; the next start takes up what is left of it.
 */
const DRAIN_SECONDS = 2;

export interface LocalOptions {
  readonly data: string | undefined;
  /** True: queued runs are executed while the command lasts. */
  readonly background: boolean;
  readonly trusted?: boolean;
  readonly specRoot?: string | undefined;
  /** The project whose names for secrets count. */
  readonly project?: ProjectConfig | undefined;
}

/** The platform of this computer: in this process, or in the one that has its data folder. */
export type LocalPlatform =
  | {
      readonly kind: 'own';
      readonly platform: RunningPlatform;
      readonly key: string;
      stop(): Promise<void>;
    }
  | { readonly kind: 'served'; readonly note: ServedNote };

function lockOrNote(folder: string, background: boolean): InstanceLock | ServedNote {
  try {
    return lockDataFolder(folder, 0, ['platform']);
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error;
  }
  const note = readServedNote(folder);
  if (note !== undefined) return note;
  if (background) printNote('Waiting for another command on this data folder…');
  return lockDataFolder(folder, background ? LONG_WAIT : WAIT, ['platform']);
}

function isNote(found: InstanceLock | ServedNote): found is ServedNote {
  return 'pid' in found;
}

async function startOwn(
  folder: string,
  files: AppFiles,
  options: LocalOptions,
): Promise<{ platform: RunningPlatform; key: string }> {
  await openSecretsHere(folder);
  const config = readPlatformConfig(localEnv(folder, options.project));
  const key = randomBytes(32).toString('base64url');
  const platform = await startPlatform({
    config: { ...config, shutdownTimeoutSeconds: DRAIN_SECONDS },
    host: '127.0.0.1',
    port: 0,
    databaseFile: config.databasePath ?? path.join(folder, 'platform.db'),
    migrationsDir: path.join(files.migrations, 'platform'),
    specRoot: path.resolve(config.specRoot ?? options.specRoot ?? process.cwd()),
    trusted: options.trusted ?? false,
    projects: personalTrees(folder),
    extraKeys: [{ name: 'cli', key, role: 'admin' }],
    requireKey: true,
    background: options.background,
    clock: systemClock(),
    ids: randomIds(),
    log: createHostLog(path.join(folder, 'logs', 'cli.log')),
    appVersion: files.version,
  });
  return { platform, key };
}

/**
 * Opens the platform on the data folder. A store has one process at a time: one that serves it
 * already is used instead.
 * @throws the refusal of the start; see `describeRefusal`
 */
export async function openLocalPlatform(options: LocalOptions): Promise<LocalPlatform> {
  const folder = chooseDataFolder(options.data, process.env);
  prepareDataFolder(folder);
  const found = lockOrNote(folder, options.background);
  if (isNote(found)) return { kind: 'served', note: found };
  try {
    const { platform, key } = await startOwn(folder, findAppFiles(), options);
    return {
      kind: 'own',
      platform,
      key,
      async stop() {
        await platform.stop();
        found.release();
      },
    };
  } catch (error) {
    found.release();
    throw error;
  }
}

/** @throws CommandFailure always: the command needs the store for itself. */
export function refuseServed(note: ServedNote): never {
  throw new CommandFailure(
    `Process ${note.pid} serves this data folder at ${note.platform} and does this by itself. Stop it, or give --data another folder.`,
  );
}
