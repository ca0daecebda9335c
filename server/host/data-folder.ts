import { accessSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { systemCode } from '../kernel/system-code.ts';
import { HostRefusal } from './host-refusal.ts';
import { closeToOthers, isOpenToOthers } from './private-file.ts';
import { SHELL_ENV } from './protocol.ts';

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

/** Where the studio notes the folders of its projects, for the platform on the same data folder. */
export function placesFile(folder: string): string {
  return path.join(folder, 'project-folders.json');
}

/** What a data folder holds that an earlier version, or a copy, may have left readable. */
const PRIVATE_FILES = [
  ...['platform.db', 'dashboard.db', path.join('studio', 'studio.db')].flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]),
  ...['instance', 'dashboard', 'studio'].flatMap((name) => [`${name}.lock`, `${name}.key`]),
  ...['instance.json', 'instance.pid', 'default-project', 'program-versions.json'],
  ...['secrets.json', 'secrets.key'].map((file) => path.join('secrets', file)),
];

/** What no other program writes: a folder that holds one of these was a data folder before. */
const MARKS = PRIVATE_FILES.filter((file) => !/-(?:wal|shm)$/.test(file));

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

/** True for the home folder of this person and for what holds it. */
function holdsHome(folder: string): boolean {
  const below = path.relative(realOf(folder), realOf(homedir()));
  return below === '' || !(below.startsWith('..') || path.isAbsolute(below));
}

function isOurs(folder: string, env: Env): boolean {
  const shell = env[SHELL_ENV.folder];
  if (shell !== undefined && path.resolve(shell) === path.resolve(folder)) return true;
  const entries = readdirSync(folder);
  const isMarked = MARKS.some(
    (file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true,
  );
  return entries.length === 0 || isMarked;
}

/**
 * A folder that others may look into is closed when it is ours; one that holds somebody's other files
 * is left as it is, since closing it could take them from whoever reads them there.
 * @throws HostRefusal configuration
 */
function refuseForeign(folder: string, env: Env): void {
  if (!isOpenToOthers(folder)) return;
  const own = path.join(folder, 'specwright');
  if (holdsHome(folder)) {
    throw new HostRefusal(
      'configuration',
      `The data folder must be a folder of its own, closed to others, and not your home folder or what holds it. Give --data ${own}.`,
    );
  }
  if (isOurs(folder, env)) return;
  throw new HostRefusal(
    'configuration',
    `The folder ${folder} holds other files and is open to others, so it is not made the data folder. Give --data ${own}, or close it yourself (chmod 700).`,
  );
}

/**
 * Creates the folder for nobody but its owner; one of ours that is there is closed to others.
 * @throws HostRefusal data_unwritable, configuration
 */
export function prepareDataFolder(folder: string, env: Env = process.env): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseForeign(folder, env);
    closeToOthers(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(path.join(folder, 'logs'), { recursive: true, mode: 0o700 });
    mkdirSync(path.join(folder, 'studio'), { recursive: true, mode: 0o700 });
    for (const file of PRIVATE_FILES) closeToOthers(path.join(folder, file));
  } catch (error) {
    if (error instanceof HostRefusal) throw error;
    const code = systemCode(error) ?? 'unknown';
    throw new HostRefusal(
      'data_unwritable',
      `The data folder ${folder} cannot be used (${code}). It must be yours, and closed to others: check its owner and permissions, or give --data another folder.`,
    );
  }
}
