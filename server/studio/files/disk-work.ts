import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  // biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
  renameSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { flushFolderSync, makeFileSync } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { sha256 } from './sha256.ts';
import { BY_HANDLE, DIRECTORY, NO_FOLLOW, NON_BLOCK } from './tree-folder.ts';

/*
 * What is done to one file of a tree, each as one piece of work that waits for the disk where it is:
 * reading or saving a draft is a dozen small calls, and waiting for each beside the event loop took
 * longer than the calls. Runs in the disk thread.
 */

/** A regular UTF-8 file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`. */
  readonly revision: string;
  /** Permission bits. */
  readonly mode: number;
}

/** What stands at a name, links not followed; `other` is also a name below something that is no folder. */
export type Standing = 'file' | 'other' | 'absent';

/** A folder held open, or checked, so that nothing below it is reached through a link. */
interface HeldFolder {
  readonly path: string;
  readonly handle: number | undefined;
}

/** What a system says of a ref at which nothing of the tree can stand. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'ENXIO']);
const UNREADABLE = new Set([...ABSENT, 'EACCES', 'EPERM']);
/** What file systems answer that know no second name of a file. */
const NO_LINK = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

function isOneOf(error: unknown, codes: ReadonlySet<string>): boolean {
  return codes.has(systemCode(error) ?? '');
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

function letGo({ handle }: HeldFolder): void {
  if (handle !== undefined) closeSync(handle);
}

function flush(folder: HeldFolder): void {
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

/** `root` may itself be reached through links; nothing below it may. */
function inFolderOf<T>(
  root: string,
  ref: string,
  creates: boolean,
  use: (folder: HeldFolder, name: string) => T,
): T {
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
    return use(folder, name);
  } finally {
    letGo(folder);
  }
}

/** All bytes of a file that was just seen with `size` of them: in one reading, as a rule. */
function readWhole(file: number, size: number): Uint8Array {
  for (let room = size + 1; ; room *= 2) {
    const bytes = new Uint8Array(room);
    const count = readSync(file, bytes, 0, room, 0);
    if (count < room) return bytes.subarray(0, count);
  }
}

function readRegular(folder: HeldFolder, name: string): ReadFile | undefined {
  const location = path.join(folder.path, name);
  const file = openSync(location, constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return undefined;
    const bytes = readWhole(file, found.size);
    if (!isUtf8(bytes)) return undefined;
    return { bytes, revision: sha256(bytes), mode: found.mode & 0o777 };
  } finally {
    closeSync(file);
  }
}

function orUnreadable(read: () => ReadFile | undefined): ReadFile | undefined {
  try {
    return read();
  } catch (error) {
    if (isOneOf(error, UNREADABLE)) return undefined;
    throw error;
  }
}

function read(root: string, ref: string): ReadFile | undefined {
  return orUnreadable(() => inFolderOf(root, ref, false, readRegular));
}

function standing(root: string, ref: string): Standing {
  return inFolderOf(root, ref, true, (folder, name): Standing => {
    try {
      return lstatSync(path.join(folder.path, name)).isFile() ? 'file' : 'other';
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return 'absent';
      if (isOneOf(error, ABSENT)) return 'other';
      throw error;
    }
  });
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

function fillTemporary(folder: HeldFolder, name: string, bytes: Uint8Array, mode: number): string {
  const temporary = path.join(folder.path, temporaryName(name));
  makeFileSync(temporary, bytes, mode);
  return temporary;
}

function discard(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

const SETTLE_MS = 10;
const SETTLE_TRIES = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** What an old file that has lost its name holds when its writer is done. */
function lateContent(old: number, before: Before): ReadFile | undefined {
  const look = (): Uint8Array => readWhole(old, fstatSync(old).size);
  let bytes = look();
  if (sha256(bytes) === before.revision) return undefined;
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    Atomics.wait(sleeper, 0, 0, SETTLE_MS);
    const next = look();
    if (next.length > 0 && Buffer.compare(next, bytes) === 0) break;
    bytes = next;
  }
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  return { bytes, revision: sha256(bytes), mode: before.mode };
}

/** Windows does not rename over a file that is open. */
function holdOld(target: string): number | undefined {
  if (process.platform === 'win32') return undefined;
  return openSync(target, constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
}

function revisionIn(folder: HeldFolder, name: string): string | undefined {
  return orUnreadable(() => readRegular(folder, name))?.revision;
}

/** A file as it was when it was read. */
type Before = Pick<ReadFile, 'revision' | 'mode'>;
/** `late` is what somebody wrote into the old file at that very moment. */
type Replaced = 'changed' | { readonly late: ReadFile | undefined };

function putOver(folder: HeldFolder, name: string, temporary: string, before: Before): Replaced {
  const target = path.join(folder.path, name);
  const old = holdOld(target);
  try {
    if (revisionIn(folder, name) !== before.revision) {
      discard(temporary);
      return 'changed';
    }
    renameSync(temporary, target);
    flush(folder);
    return { late: old === undefined ? undefined : lateContent(old, before) };
  } finally {
    if (old !== undefined) closeSync(old);
  }
}

function replace(root: string, ref: string, bytes: Uint8Array, before: Before): Replaced {
  return inFolderOf(root, ref, false, (folder, name) => {
    const temporary = fillTemporary(folder, name, bytes, before.mode);
    try {
      return putOver(folder, name, temporary, before);
    } catch (error) {
      discard(temporary);
      if (systemCode(error) === 'ENOENT') return 'changed';
      throw error;
    }
  });
}

function renameUnlessPresent(temporary: string, target: string): boolean {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  renameSync(temporary, target);
  return true;
}

/** Gives a file its name; false when something stands there already. The old name may be left. */
function publish(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isOneOf(error, NO_LINK)) throw error;
  }
  return renameUnlessPresent(temporary, target);
}

function create(root: string, ref: string, bytes: Uint8Array, mode: number): boolean {
  return inFolderOf(root, ref, true, (folder, name) => {
    const temporary = fillTemporary(folder, name, bytes, mode);
    let isCreated = false;
    try {
      isCreated = publish(temporary, path.join(folder.path, name));
    } finally {
      discard(temporary);
    }
    if (isCreated) flush(folder);
    return isCreated;
  });
}

const WORK = { read, standing, replace, create };
/** All that the disk thread can do, by name. Failures are the system's. */
export type DiskWork = typeof WORK;

/** One piece of work as the thread is asked for it. */
export type DiskOrder = {
  [Name in keyof DiskWork]: {
    readonly id: number;
    readonly name: Name;
    readonly words: Parameters<DiskWork[Name]>;
  };
}[keyof DiskWork];

/** Does what is asked, at once. @throws the system's error */
export function perform(order: DiskOrder): ReturnType<DiskWork[keyof DiskWork]> {
  switch (order.name) {
    case 'read':
      return read(...order.words);
    case 'standing':
      return standing(...order.words);
    case 'replace':
      return replace(...order.words);
    case 'create':
      return create(...order.words);
  }
}
