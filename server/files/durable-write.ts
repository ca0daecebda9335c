import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../kernel/system-code.ts';

/*
 * The one way in which the program writes a file that must be there after a crash: all bytes beside
 * its place, flushed; renamed over the old file; the folder flushed. A reader sees the old file or
 * the new one, a failure leaves the old one and nothing beside it. A link stays a link, and without
 * a mode of its own the new file has the permissions of the old one.
 */

export interface WriteOptions {
  /** Permission bits, whatever the process masks. Without them: those of the old file, else the usual ones. */
  readonly mode?: number | undefined;
}

/** What the process masks is taken from it. */
const USUAL_MODE = 0o644;
const PERMISSIONS = 0o777;
/** What a file system answers that does not flush folders. */
const NO_FOLDER_FLUSH = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES']);

/** What a file system answers that knows no second name of a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A name in the same folder, short enough whatever the target is called. */
function besideOf(target: string): string {
  return path.join(path.dirname(target), `.${randomUUID()}.new`);
}

function tolerateNoFlush(error: unknown): void {
  if (!NO_FOLDER_FLUSH.has(systemCode(error) ?? '')) throw error;
}

/** Waits until the disk holds the names of a folder, where the system can say so. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync().catch(tolerateNoFlush);
  } finally {
    await handle.close();
  }
}

/** As {@link flushFolder}, at once. */
export function flushFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    tolerateNoFlush(error);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a file that is not there yet, its bytes on the disk; a failure leaves none.
 * @throws the system's error, EEXIST when something stands there
 */
export async function makeFile(
  file: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const handle = await open(file, 'wx', mode ?? USUAL_MODE);
  try {
    await handle.writeFile(content);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** As {@link makeFile}, at once. */
export function makeFileSync(
  file: string,
  content: string | Uint8Array,
  mode: number | undefined,
): void {
  const descriptor = openSync(file, 'wx', mode ?? USUAL_MODE);
  try {
    writeFileSync(descriptor, content);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * As {@link makeFileSync}, and whoever looks meanwhile, or after a kill, finds no file or all of it:
 * for a file that several may make at once, such as a key.
 * @throws the system's error, EEXIST when something stands there
 */
export function makeWholeFileSync(file: string, content: string | Uint8Array, mode: number): void {
  const beside = besideOf(file);
  makeFileSync(beside, content, mode);
  try {
    linkSync(beside, file);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
    makeFileSync(file, content, mode);
  } finally {
    rmSync(beside, { force: true });
  }
  flushFolderSync(path.dirname(file));
}

/** Flushes a file that somebody else filled and puts it at its place, over what stands there. */
export function placeFileSync(beside: string, target: string): void {
  const descriptor = openSync(beside, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, target);
  flushFolderSync(path.dirname(target));
}

/** As {@link placeFileSync}, while others go on. */
export async function placeFile(beside: string, target: string): Promise<void> {
  const handle = await open(beside, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await placeFolder(beside, target);
}

/** Gives a folder that somebody else filled its name, where nothing stands yet. */
export async function placeFolder(beside: string, target: string): Promise<void> {
  await rename(beside, target);
  await flushFolder(path.dirname(target));
}

/** Replaces a file, or makes it. The folder must be there. @throws the system's error */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode }: WriteOptions = {},
): Promise<void> {
  const older = await stat(file).catch(absent);
  const target = older === undefined ? file : await realpath(file);
  const beside = besideOf(target);
  await makeFile(beside, content, mode ?? modeOf(older));
  try {
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await flushFolder(path.dirname(target));
}

/** As {@link replaceFile}, at once: for starts, command lines and files of some kilobytes. */
export function replaceFileSync(
  file: string,
  content: string | Uint8Array,
  { mode }: WriteOptions = {},
): void {
  const older = statSync(file, { throwIfNoEntry: false });
  const target = older === undefined ? file : realpathSync(file);
  const beside = besideOf(target);
  makeFileSync(beside, content, mode ?? modeOf(older));
  try {
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  flushFolderSync(path.dirname(target));
}

function absent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

function modeOf(older: { readonly mode: number } | undefined): number | undefined {
  return older === undefined ? undefined : older.mode & PERMISSIONS;
}
