import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';
import { flushFolderSync } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { BY_HANDLE, DIRECTORY, NO_FOLLOW } from './tree-folder.ts';

/** A folder held open, or checked, so that nothing below it is reached through a link. */
export interface HeldFolder {
  readonly path: string;
  readonly handle: number | undefined;
}

function holdFolder(location: string, expected: string): HeldFolder {
  if (BY_HANDLE) {
    const handle = openSync(location, constants.O_RDONLY | DIRECTORY | NO_FOLLOW);
    return { path: `/proc/self/fd/${handle}`, handle };
  }
  const found = lstatSync(location);
  const real = realpathSync.native(location);
  if (!found.isDirectory() || real !== expected) {
    throw Object.assign(new Error('not a plain folder'), { code: 'ELOOP' });
  }
  return { path: real, handle: undefined };
}

/** Ends the holding of a folder. */
export function letGo({ handle }: HeldFolder): void {
  if (handle !== undefined) closeSync(handle);
}

/** Waits until the disk holds the folder's entries as they are. */
export function flush(folder: HeldFolder): void {
  if (folder.handle === undefined) flushFolderSync(folder.path);
  else fsyncSync(folder.handle);
}

function makeFolder(location: string): void {
  try {
    mkdirSync(location, { mode: 0o755 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function holdChild(parent: HeldFolder, name: string, creates: boolean): HeldFolder {
  const location = path.join(parent.path, name);
  try {
    return holdFolder(location, location);
  } catch (error) {
    if (!creates || systemCode(error) !== 'ENOENT') throw error;
    makeFolder(location);
    return holdFolder(location, location);
  }
}

interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/**
 * Holds the folder of a ref; the caller lets go of it. `root` may itself be reached through links;
 * nothing below it may. @throws the system's error (ENOENT, ELOOP, ENOTDIR …)
 */
export function holdPlace(root: string, ref: string, creates: boolean): HeldPlace {
  const segments = ref.split('/');
  const name = segments.pop() ?? '';
  const real = realpathSync.native(root);
  let folder = holdFolder(real, real);
  try {
    for (const segment of segments) {
      const child = holdChild(folder, segment, creates);
      letGo(folder);
      folder = child;
    }
  } catch (error) {
    letGo(folder);
    throw error;
  }
  return { folder, name };
}

/** Holds the folder of a ref for the time of `use`. @throws as {@link holdPlace} */
export function inFolderOf<T>(
  root: string,
  ref: string,
  creates: boolean,
  use: (folder: HeldFolder, name: string) => T,
): T {
  const { folder, name } = holdPlace(root, ref, creates);
  try {
    return use(folder, name);
  } finally {
    letGo(folder);
  }
}
