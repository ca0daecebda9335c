import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { HostRefusal } from './host-refusal.ts';
import { closeToOthers } from './private-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `--data`, else SPECWRIGHT_HOME, else the system's place for state (decisions 30). */
export function chooseDataFolder(given: string | undefined, env: Env): string {
  if (given !== undefined) return path.resolve(given);
  const home = env['SPECWRIGHT_HOME'];
  if (home !== undefined && home !== '') return path.resolve(home);
  const state = env['XDG_STATE_HOME'];
  // The XDG specification ignores relative values.
  const base =
    state !== undefined && path.isAbsolute(state) ? state : path.join(homedir(), '.local', 'state');
  return path.join(base, 'specwright');
}

/** What a data folder holds that an earlier version, or a copy, may have left readable. */
const PRIVATE_FILES = [
  ...['platform.db', 'dashboard.db', path.join('studio', 'studio.db')].flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]),
  ...['instance', 'dashboard', 'studio'].flatMap((name) => [`${name}.lock`, `${name}.key`]),
  ...['instance.json', 'instance.pid', 'default-project'],
];

/**
 * Creates the folder for nobody but its owner; one that is there is closed to others.
 * @throws HostRefusal data_unwritable
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeToOthers(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(path.join(folder, 'logs'), { recursive: true, mode: 0o700 });
    mkdirSync(path.join(folder, 'studio'), { recursive: true, mode: 0o700 });
    for (const file of PRIVATE_FILES) closeToOthers(path.join(folder, file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new HostRefusal(
      'data_unwritable',
      `The data folder ${folder} cannot be used (${code}). It must be yours, and closed to others: check its owner and permissions, or give --data another folder.`,
    );
  }
}
