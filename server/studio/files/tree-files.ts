// biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { fileVersion } from '../../files/file-version.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { disk } from './disk.ts';
import type { Part } from './disk-looks.ts';
import type { Prepared, Standing } from './disk-work.ts';
import type { ReadFile } from './read-held.ts';
import { sha256 } from './sha256.ts';
import { inFolderOf, NO_FOLLOW, NON_BLOCK, type TreeFolder } from './tree-folder.ts';

/** The bytes of a draft as they stand on disk. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly text: string;
  /** SHA-256 of `bytes`. */
  readonly revision: string;
  /** Permission bits. */
  readonly mode: number;
}

/** All bytes of a file that was just seen with `size` of them: in one reading, as a rule. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const room = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await handle.read(room, 0, room.length, 0);
  return bytesRead === size ? room.subarray(0, size) : handle.readFile();
}

/** A regular UTF-8 file in a folder that is held; else undefined. @throws the system's error. */
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

function contentOf(found: ReadFile): FileContent {
  const bytes = Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.byteLength);
  return { ...found, bytes, text: bytes.toString() };
}

/**
 * Reads a regular UTF-8 file below `root` without following a link in any component; byte order
 * mark and line ends are kept. Undefined when it is absent, unreadable, no such file or not UTF-8.
 */
export async function readFile(root: string, ref: string): Promise<FileContent | undefined> {
  const found = await disk.run('read', root, ref);
  return found && contentOf(found);
}

/** All that an order makes of many files, which is answered in parts. */
async function allParts<T>(
  refs: readonly string[],
  order: (refs: readonly string[]) => Promise<Part<T>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let left = refs; left.length > 0; ) {
    const part = await order(left);
    for (const thing of part.made) all.push(thing);
    left = part.left;
  }
  return all;
}

/** Revisions of many files as they stand; refs that cannot be read are absent. */
export async function readRevisions(
  root: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  return new Map(await allParts(refs, (part) => disk.run('revisionsOf', root, part)));
}

/** As {@link readRevisions}, with the bytes: for the few files that are wanted whole. */
export async function readFiles(
  root: string,
  refs: readonly string[],
): Promise<Map<string, FileContent>> {
  const read = await allParts(refs, (part) => disk.run('contentsOf', root, part));
  return new Map(read.map(([ref, found]) => [ref, contentOf(found)]));
}

/** Those of the refs at which no plain file stands; none of the files is read. */
export async function missingFiles(root: string, refs: readonly string[]): Promise<string[]> {
  const standing = new Set(await allParts(refs, (part) => disk.run('filesAmong', root, part)));
  return refs.filter((ref) => !standing.has(ref));
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
      readonly before: FileContent;
      /** What somebody wrote into the old file at that very moment. */
      readonly late: FileContent | undefined;
    }
  /** Somebody else changed it first: it is as they left it. */
  | { readonly state: 'changed' };

/**
 * Gives the new file its name unless another stands there by now. Looked at and renamed without a
 * pause in between, in which others could write.
 */
function takePlace({ target, version, temporary }: Prepared): boolean {
  if (fileVersion(target) !== version) return false;
  try {
    renameSync(temporary, target);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Replaces the file at `ref` while it has the `expected` revision; its permissions stay. A reader or
 * a crash sees the old bytes or the new ones, nothing between.
 */
export async function replaceFile(
  root: string,
  ref: string,
  expected: string,
  bytes: Uint8Array,
): Promise<Replaced> {
  const prepared = await disk.run('prepare', root, ref, expected, bytes);
  if (prepared === 'changed') return { state: 'changed' };
  const { before, ...held } = prepared;
  const { revision, mode } = before;
  let isPlaced = false;
  let late: ReadFile | undefined;
  try {
    isPlaced = takePlace(prepared);
  } finally {
    late = await disk.run('finish', held, { revision, mode }, isPlaced);
  }
  if (!isPlaced) return { state: 'changed' };
  return { state: 'replaced', before: contentOf(before), late: late && contentOf(late) };
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

/** Creates a file whole; false when something stands at `ref` already. Folders are made on the way. */
export function createFile(
  root: string,
  ref: string,
  bytes: Uint8Array,
  mode = 0o644,
): Promise<boolean> {
  return disk.run('create', root, ref, bytes, mode);
}

/** What stands at `ref`; folders are made on the way, and no link on it is followed. */
export function standingAt(root: string, ref: string): Promise<Standing> {
  return disk.run('standing', root, ref);
}

/** Removes the file at `ref`; a link is removed, not followed. */
export async function removeFile(root: string, ref: string): Promise<void> {
  await inFolderOf(root, ref, async (folder, name) => {
    await discard(path.join(folder.path, name));
    await folder.sync();
  });
}
