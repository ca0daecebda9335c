import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex } from '../../kernel/sha256.ts';
import { inFolderOf, openFolder, type TreeFolder } from './tree-folder.ts';

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

/** The system's word for a failure, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

async function readRegular(folder: TreeFolder, name: string): Promise<FileContent | undefined> {
  const location = path.join(folder.path, name);
  const handle = await open(location, constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return undefined;
    const bytes = await handle.readFile();
    const text = decode(bytes);
    if (text === undefined) return undefined;
    return { bytes, text, revision: sha256Hex(bytes), mode: found.mode & 0o777 };
  } finally {
    await handle.close();
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
export async function readFile(root: string, ref: string): Promise<FileContent | undefined> {
  try {
    return await inFolderOf(root, ref, readRegular);
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
  revisions: Map<string, string>,
): Promise<void> {
  const segments = location === '.' ? [] : location.split('/');
  const folder = await openFolder(root, segments).catch(() => undefined);
  if (folder === undefined) return;
  const queue = [...names];
  const work = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const content = await readRegular(folder, name).catch(() => undefined);
      if (content === undefined) continue;
      revisions.set(location === '.' ? name : `${location}/${name}`, content.revision);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await folder.close();
  }
}

/** Revisions of many files, each folder opened once; refs that cannot be read are absent. */
export async function readRevisions(
  root: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const folders = new Map<string, string[]>();
  for (const ref of refs) {
    const location = path.posix.dirname(ref);
    const names = folders.get(location) ?? [];
    names.push(path.posix.basename(ref));
    folders.set(location, names);
  }
  const revisions = new Map<string, string>();
  for (const [location, names] of folders) await readFolder(root, location, names, revisions);
  return revisions;
}

/** What stands at a ref, links not followed. */
export async function statFile(root: string, ref: string): Promise<'file' | 'other' | 'absent'> {
  try {
    return await inFolderOf(root, ref, async (folder, name) => {
      const found = await lstat(path.join(folder.path, name));
      return found.isFile() ? 'file' : 'other';
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return 'absent';
    if (code !== undefined && ABSENT.has(code)) return 'other';
    throw error;
  }
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

async function syncFolder(folder: TreeFolder): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder.path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function fillTemporary(
  folder: TreeFolder,
  name: string,
  bytes: Uint8Array,
  mode: number,
): Promise<string> {
  const temporary = path.join(folder.path, temporaryName(name));
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await unlink(temporary);
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

async function discard(temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** Replaces the file at `ref`: a reader or a crash sees the old bytes or the new ones, nothing between. */
export async function replaceFile(
  root: string,
  ref: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  await inFolderOf(root, ref, async (folder, name) => {
    const temporary = await fillTemporary(folder, name, bytes, mode);
    try {
      await rename(temporary, path.join(folder.path, name));
    } catch (error) {
      await discard(temporary);
      throw error;
    }
    await syncFolder(folder);
  });
}

async function publish(temporary: string, target: string): Promise<boolean> {
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
export async function createFile(root: string, ref: string, bytes: Uint8Array): Promise<boolean> {
  return inFolderOf(
    root,
    ref,
    async (folder, name) => {
      const temporary = await fillTemporary(folder, name, bytes, 0o644);
      try {
        const created = await publish(temporary, path.join(folder.path, name));
        if (created) await syncFolder(folder);
        return created;
      } finally {
        await discard(temporary);
      }
    },
    { create: true },
  );
}

/** Removes the file at `ref`; a link is removed, not followed. */
export async function removeFile(root: string, ref: string): Promise<void> {
  await inFolderOf(root, ref, async (folder, name) => {
    await discard(path.join(folder.path, name));
    await syncFolder(folder);
  });
}
