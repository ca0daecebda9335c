import { chooseDataFolder } from '../../host/data-folder.ts';
import { CommandFailure } from '../command-failure.ts';
import { findProjectConfig } from '../project/project-config.ts';
import { readPlatformKey } from '../secrets/platform-keys.ts';
import {
  type Connection,
  type ConnectionOptions,
  chooseConnection,
  isSamePlace,
  type ServedPlatform,
} from './choose-connection.ts';
import { type CliSettings, readCliSettings } from './cli-settings.ts';
import { openSession, type PlatformSession } from './platform-session.ts';
import { readProfiles } from './profiles.ts';

/** What a command wants of the platform when it is the one of this computer. */
export interface LocalWishes {
  /** True: queued runs are executed while the command lasts. */
  readonly background?: boolean;
  readonly trusted?: boolean;
}

async function openLocal(
  data: string | undefined,
  settings: CliSettings,
  wishes: LocalWishes,
): Promise<PlatformSession> {
  const { openLocalPlatform } = await import('./local-platform.ts');
  const project = findProjectConfig(settings.projectConfig);
  const local = await openLocalPlatform({
    data,
    background: wishes.background ?? false,
    trusted: wishes.trusted ?? false,
    specRoot: project?.root,
    project: project?.config,
  });
  if (local.kind === 'own') {
    const target = { url: local.platform.url, apiKey: local.key, place: 'this computer' };
    return openSession(target, settings, () => local.stop());
  }
  const { pid, platform, key_required, key } = local.note;
  // Whoever has the data folder has its platform; SERV_API_KEY may be meant for another one.
  const apiKey = key ?? settings.apiKey;
  if (key_required && apiKey === undefined) {
    throw new CommandFailure(
      `Another Specwright (process ${pid}) uses the data folder, and its platform at ${platform} wants a key. Close it, set SERV_API_KEY, or give --data another folder.`,
    );
  }
  return openSession({ url: platform, apiKey, place: platform }, settings);
}

/** The platform that serves the usual data folder. */
async function servedHere(): Promise<ServedPlatform | undefined> {
  // Loaded where it is asked for: it brings the library of the stores.
  const { servedFrom } = await import('./served-here.ts');
  const note = servedFrom(chooseDataFolder(undefined, process.env));
  return note === undefined ? undefined : { url: note.platform, key: note.key };
}

/** A platform by its address; the one of this person gets its key unless another one is given. */
async function openRemote(
  { url, secret, apiKey: other }: Extract<Connection, { kind: 'remote' }>,
  settings: CliSettings,
): Promise<PlatformSession> {
  const apiKey = secret === undefined ? other : await readPlatformKey(secret);
  const served = apiKey === undefined ? await servedHere() : undefined;
  const key = served !== undefined && isSamePlace(served.url, url) ? served.key : apiKey;
  return openSession({ url, apiKey: key, place: url }, settings);
}

async function connectionOf(
  options: ConnectionOptions,
  settings: CliSettings,
): Promise<Connection> {
  const named = options.profile ?? options.serviceUrl ?? options.data;
  const project = named === undefined ? findProjectConfig(settings.projectConfig) : undefined;
  const projectUrl = project?.config.service.default_url;
  const served = projectUrl === undefined ? undefined : await servedHere();
  return chooseConnection(options, {
    settings,
    profiles: () => readProfiles(settings, process.env),
    projectUrl: () => projectUrl,
    served: () => served,
  });
}

/** Runs an action with the platform that the words of a command and its surroundings name. */
export async function withPlatform<T>(
  options: ConnectionOptions,
  action: (platform: PlatformSession) => Promise<T>,
  wishes: LocalWishes = {},
): Promise<T> {
  const settings = readCliSettings(process.env);
  const connection = await connectionOf(options, settings);
  const session =
    connection.kind === 'local'
      ? await openLocal(connection.data, settings, wishes)
      : await openRemote(connection, settings);
  try {
    return await action(session);
  } finally {
    await session.close();
  }
}
