import { randomBytes } from 'node:crypto';
// biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFile } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { sha256 } from './sha256.ts';
import { allDone, inFolderOf, openFolder, type TreeFolder } from './tree-folder.ts';

/** The bytes of a draft as they stand on disk. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly text: string;
  /** SHA-256 of `bytes`. */
  readonly revision: string;
  /** Permission bits. */
  readonly mode: number;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NON_BLOCK = constants.O_NONBLOCK ?? 0;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'ENXIO']);

/** All bytes of a file that was just seen with `size` of them: in one reading, as a rule. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const room = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await handle.read(room, 0, room.length, 0);
  return bytesRead === size ? room.subarray(0, size) : handle.readFile();
}

/** As {@link readFile}, in a folder that is held. @throws the system's error. */
export async function readRegular(
  folder: TreeFolder,
  name: string,
): Promise<FileContent | undefined> {
  const location = path.join(folder.path, name);
  const handle = await open(location, constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return undefined;
    const bytes = await readWhole(handle, found.size);
    const text = decode(bytes);
    if (text === undefined) return undefined;
    return { bytes, text, revision: sha256(bytes), mode: found.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

/**
 * The text of a regular UTF-8 file in a folder that is held, at once: for many small ones, where the
 * ways of waiting cost more than the reading. Undefined as {@link readFile}.
 */
export function readTextSync(folder: TreeFolder, name: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path.join(folder.path, name), constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
    return fstatSync(file).isFile() ? decode(readFileSync(file)) : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads a regular UTF-8 file below `root` without following a link in any component; byte order
 * mark and line ends are kept. Undefined when it is absent, unreadable, no such file or not UTF-8.
 */
export function readFile(root: string, ref: string): Promise<FileContent | undefined> {
  return orUnreadable(() => inFolderOf(root, ref, readRegular));
}

async function orUnreadable(
  read: () => Promise<FileContent | undefined>,
): Promise<FileContent | undefined> {
  try {
    return await read();
  } catch (error) {
    const code = systemCode(error);
    if (code !== undefined && (ABSENT.has(code) || code === 'EACCES' || code === 'EPERM')) {
      return undefined;
    }
    throw error;
  }
}

const AT_ONCE = 16;

async function readFolder(
  root: string,
  location: string,
  names: readonly string[],
  take: (ref: string, content: FileContent) => void,
): Promise<void> {
  const segments = location === '.' ? [] : location.split('/');
  const folder = await openFolder(root, segments).catch(() => undefined);
  if (folder === undefined) return;
  const queue = [...names];
  const work = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const content = await readRegular(folder, name).catch(() => undefined);
      if (content === undefined) continue;
      take(location === '.' ? name : `${location}/${name}`, content);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await folder.close();
  }
}

async function readEach(
  root: string,
  refs: readonly string[],
  take: (ref: string, content: FileContent) => void,
): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const ref of refs) {
    const location = path.posix.dirname(ref);
    const names = folders.get(location) ?? [];
    names.push(path.posix.basename(ref));
    folders.set(location, names);
  }
  for (const [location, names] of folders) await readFolder(root, location, names, take);
}

/** Revisions of many files, each folder opened once; refs that cannot be read are absent. */
export async function readRevisions(
  root: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const revisions = new Map<string, string>();
  await readEach(root, refs, (ref, { revision }) => revisions.set(ref, revision));
  return revisions;
}

/** As {@link readRevisions}, with the bytes: for the few files that are wanted whole. */
export async function readFiles(
  root: string,
  refs: readonly string[],
): Promise<Map<string, FileContent>> {
  const contents = new Map<string, FileContent>();
  await readEach(root, refs, (ref, content) => contents.set(ref, content));
  return contents;
}

/** Name of the file beside the target that a write fills first. */
function temporaryName(name: string): string {
  const suffix = `.tmp-${randomBytes(8).toString('hex')}`;
  const full = `.${name}${suffix}`;
  return Buffer.byteLength(full) > 255 ? suffix : full;
}

/** Matches what an interrupted write of `name` may have left behind. */
export function isTemporaryOf(name: string, entry: string): boolean {
  const rest = entry.startsWith(`.${name}.tmp-`) ? entry.slice(name.length + 6) : '';
  return /^[0-9a-f]{16}$/.test(rest);
}

/** Work that the processor does while a created file goes to the disk; it must not throw. */
export interface Meanwhile {
  /** While the bytes go. */
  bytes?(): void;
  /** While the file's name goes: it is the final one. */
  name?(): void;
}

async function fillTemporary(
  folder: TreeFolder,
  name: string,
  bytes: Uint8Array,
  mode: number,
  meanwhile?: () => void,
): Promise<string> {
  const temporary = path.join(folder.path, temporaryName(name));
  await makeFile(temporary, bytes, mode, meanwhile);
  return temporary;
}

async function discard(temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** What became of a file that was to be replaced. */
export type Replaced =
  | {
      readonly state: 'replaced';
      /** What somebody wrote into the old file at that very moment. */
      readonly late: FileContent | undefined;
    }
  /** Somebody else changed it first: it is as they left it. */
  | { readonly state: 'changed' };

const SETTLE_MS = 10;
const SETTLE_TRIES = 20;

/** What an old file that has lost its name holds when its writer is done. */
async function lateContent(old: FileHandle, before: FileContent): Promise<FileContent | undefined> {
  const read = async () => readWhole(old, (await old.stat()).size);
  let bytes = await read();
  if (bytes.equals(before.bytes)) return undefined;
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    await delay(SETTLE_MS);
    const next = await read();
    if (next.equals(bytes) && next.length > 0) break;
    bytes = next;
  }
  const text = decode(bytes);
  return text === undefined || text === ''
    ? undefined
    : { bytes, text, revision: sha256(bytes), mode: before.mode };
}

/** Windows does not rename over a file that is open. */
function holdOld(target: string): Promise<FileHandle> | undefined {
  if (process.platform === 'win32') return undefined;
  return open(target, constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
}

async function putOver(
  folder: TreeFolder,
  name: string,
  temporary: string,
  before: FileContent,
): Promise<Replaced> {
  const target = path.join(folder.path, name);
  const old = await holdOld(target);
  try {
    // Looked at and renamed without a pause in between, in which others could write.
    if (readTextSync(folder, name) !== before.text) {
      await discard(temporary);
      return { state: 'changed' };
    }
    renameSync(temporary, target);
    await folder.sync();
    return { state: 'replaced', late: old && (await lateContent(old, before)) };
  } finally {
    await old?.close();
  }
}

/**
 * Replaces the file at `ref` while it holds what `before` says: a reader or a crash sees the old
 * bytes or the new ones, nothing between.
 */
export async function replaceFile(
  root: string,
  ref: string,
  bytes: Uint8Array,
  before: FileContent,
): Promise<Replaced> {
  return inFolderOf(root, ref, async (folder, name) => {
    const temporary = await fillTemporary(folder, name, bytes, before.mode);
    try {
      return await putOver(folder, name, temporary, before);
    } catch (error) {
      await discard(temporary);
      if (systemCode(error) === 'ENOENT') return { state: 'changed' };
      throw error;
    }
  });
}

/** Gives a file its name; false when something stands there already. The old name may be left. */
export async function publish(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'EMLINK') {
      throw error;
    }
  }
  return renameUnlessPresent(temporary, target);
}

async function renameUnlessPresent(temporary: string, target: string): Promise<boolean> {
  try {
    await lstat(target);
    return false;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  await rename(temporary, target);
  return true;
}

async function createIn(
  folder: TreeFolder,
  name: string,
  bytes: Uint8Array,
  meanwhile: Meanwhile = {},
  mode = 0o644,
): Promise<boolean> {
  const temporary = await fillTemporary(folder, name, bytes, mode, () => meanwhile.bytes?.());
  let created = false;
  try {
    created = await publish(temporary, path.join(folder.path, name));
  } finally {
    if (!created) await discard(temporary);
  }
  if (!created) return false;
  const settled = allDone([folder.sync(), discard(temporary)]);
  meanwhile.name?.();
  await settled;
  return true;
}

/** Creates a file whole; false when something stands at `ref` already. Folders are made on the way. */
export async function createFile(
  root: string,
  ref: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<boolean> {
  return inFolderOf(root, ref, (folder, name) => createIn(folder, name, bytes, {}, mode), {
    create: true,
  });
}

/** The files of one folder of a tree, by their names. */
export interface HeldFolder {
  /** What stands at a name, links not followed. */
  stat(name: string): Promise<'file' | 'other' | 'absent'>;
  /** As {@link readFile}. */
  read(name: string): Promise<FileContent | undefined>;
  /** As {@link createFile}. */
  create(name: string, bytes: Uint8Array, meanwhile?: Meanwhile): Promise<boolean>;
}

async function statIn(folder: TreeFolder, name: string): Promise<'file' | 'other' | 'absent'> {
  try {
    const found = await lstat(path.join(folder.path, name));
    return found.isFile() ? 'file' : 'other';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return 'absent';
    if (code !== undefined && ABSENT.has(code)) return 'other';
    throw error;
  }
}

/** Opens, or makes, a folder below `root` for the time of `use`; no link on the way is followed. */
export async function holdFolder<T>(
  root: string,
  segments: readonly string[],
  use: (held: HeldFolder) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(root, segments, { create: true });
  try {
    return await use({
      stat: (name) => statIn(folder, name),
      read: (name) => orUnreadable(() => readRegular(folder, name)),
      create: (name, bytes, meanwhile) => createIn(folder, name, bytes, meanwhile),
    });
  } finally {
    await folder.close();
  }
}

/** Removes the file at `ref`; a link is removed, not followed. */
export async function removeFile(root: string, ref: string): Promise<void> {
  await inFolderOf(root, ref, async (folder, name) => {
    await discard(path.join(folder.path, name));
    await folder.sync();
  });
}
