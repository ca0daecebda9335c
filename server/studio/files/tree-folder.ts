import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';

/** A folder held open, or checked, so that nothing below it is reached through a link. */
export interface TreeFolder {
  /** Prefix under which the folder's entries are reached. */
  readonly path: string;
  /** Waits until the disk holds the folder's entries as they are. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
export const NON_BLOCK = constants.O_NONBLOCK ?? 0;
export const DIRECTORY = constants.O_DIRECTORY ?? 0;
/** Where the system offers it, a folder is reached through its open handle, not through its name. */
export const BY_HANDLE = process.platform === 'linux' && existsSync('/proc/self/fd');

async function holdOpen(location: string): Promise<TreeFolder> {
  const handle: FileHandle = await open(location, constants.O_RDONLY | DIRECTORY | NO_FOLLOW);
  return {
    path: `/proc/self/fd/${handle.fd}`,
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Without handles: the entry is no link, and its real path is where its name says. */
async function checkedFolder(location: string, expected: string): Promise<TreeFolder> {
  const found = await lstat(location);
  const real = await realpath(location);
  if (!found.isDirectory() || real !== expected) {
    throw Object.assign(new Error('not a plain folder'), { code: 'ELOOP' });
  }
  return { path: real, sync: () => flushFolder(real), close: async () => undefined };
}

/** Waits for all of them, also when one fails: none goes on with a file that is closed by then. */
async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(works);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Opens the root of a tree. `root` may itself be reached through links; nothing below it may. */
async function openRoot(root: string): Promise<TreeFolder> {
  const real = await realpath(root);
  return BY_HANDLE ? holdOpen(real) : checkedFolder(real, real);
}

async function openChild(
  parent: TreeFolder,
  name: string,
  options: { create?: boolean },
): Promise<TreeFolder> {
  const location = path.join(parent.path, name);
  const openIt = () => (BY_HANDLE ? holdOpen(location) : checkedFolder(location, location));
  try {
    return await openIt();
  } catch (error) {
    if (options.create !== true || systemCode(error) !== 'ENOENT') throw error;
    await makeFolder(location);
    return openIt();
  }
}

/**
 * Opens the folder at `segments` below `root`, refusing links on the way.
 * @throws the system's error (ENOENT, ELOOP, ENOTDIR …).
 */
export async function openFolder(
  root: string,
  segments: readonly string[],
  options: { create?: boolean } = {},
): Promise<TreeFolder> {
  // Nobody waits for a folder on the way to be closed before the last one is.
  const left: Promise<void>[] = [];
  let folder = await openRoot(root);
  const close = (): Promise<void> => allDone([...left, folder.close()]);
  try {
    for (const name of segments) {
      const next = await openChild(folder, name, options);
      left.push(folder.close());
      folder = next;
    }
    return { path: folder.path, sync: () => folder.sync(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeFolder(location: string): Promise<void> {
  try {
    await mkdir(location, { mode: 0o755 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Opens the folder of a ref for the time of `use`. */
export async function inFolderOf<T>(
  root: string,
  ref: string,
  use: (folder: TreeFolder, name: string) => Promise<T>,
  options: { create?: boolean } = {},
): Promise<T> {
  const segments = ref.split('/');
  const name = segments.pop() ?? '';
  const folder = await openFolder(root, segments, options);
  try {
    return await use(folder, name);
  } finally {
    await folder.close();
  }
}
