import { homedir } from 'node:os';
import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration folder of this person (decisions 30); it may not exist yet. */
export function configFolder(env: Env, platform: string = process.platform): string {
  const given = env['XDG_CONFIG_HOME'];
  if (given !== undefined && path.isAbsolute(given)) return path.join(given, 'specwright');
  if (platform === 'win32' && env['APPDATA']) return path.join(env['APPDATA'], 'specwright');
  if (platform === 'darwin') {
    return path.join(homedir(), 'Library', 'Application Support', 'specwright');
  }
  return path.join(env['HOME'] || homedir(), '.config', 'specwright');
}

/** The list of folders that this person trusts, for window, services and command line. */
export function trustedFoldersFile(env: Env): string {
  return path.join(configFolder(env), 'trusted-folders.json');
}
