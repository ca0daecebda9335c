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
import { versionOf } from '../../files/file-version.ts';
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

interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** `root` may itself be reached through links; nothing below it may. */
function holdPlace(root: string, ref: string, creates: boolean): HeldPlace {
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

function inFolderOf<T>(
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

/** All bytes of a file that was just seen with `size` of them: in one reading, as a rule. */
function readWhole(file: number, size: number): Uint8Array {
  for (let room = size + 1; ; room *= 2) {
    const bytes = new Uint8Array(room);
    const count = readSync(file, bytes, 0, room, 0);
    if (count < room) return bytes.subarray(0, count);
  }
}

const READ_PLAIN = constants.O_RDONLY | NO_FOLLOW | NON_BLOCK;

function readOpen(file: number): ReadFile | undefined {
  const found = fstatSync(file);
  if (!found.isFile()) return undefined;
  const bytes = readWhole(file, found.size);
  if (!isUtf8(bytes)) return undefined;
  return { bytes, revision: sha256(bytes), mode: found.mode & 0o777 };
}

function readRegular(folder: HeldFolder, name: string): ReadFile | undefined {
  const file = openSync(path.join(folder.path, name), READ_PLAIN);
  try {
    return readOpen(file);
  } finally {
    closeSync(file);
  }
}

function orUnreadable<T>(read: () => T | undefined): T | undefined {
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

/** A file that is to be replaced, held open with its folder. */
interface Held {
  readonly folder: HeldFolder;
  readonly target: string;
  /** The old file, which may be written after it has lost its name. */
  readonly old: number | undefined;
  /** What the system says of the old file: another stands at its place when it says anything else. */
  readonly version: string;
}

/** A new file that is on the disk, beside the place that it is to take. */
export interface Prepared extends Held {
  readonly temporary: string;
  readonly before: ReadFile;
}

function letGoOf({ folder, old }: Pick<Held, 'folder' | 'old'>): void {
  if (old !== undefined) closeSync(old);
  letGo(folder);
}

function holdExpected(
  root: string,
  ref: string,
  expected: string,
): (Held & { name: string; before: ReadFile }) | undefined {
  const { folder, name } = holdPlace(root, ref, false);
  const target = path.join(folder.path, name);
  let old: number | undefined;
  let isHeld = false;
  try {
    old = openSync(target, READ_PLAIN);
    const version = versionOf(fstatSync(old, { bigint: true }));
    const before = readOpen(old);
    if (before?.revision !== expected) return undefined;
    if (process.platform === 'win32') {
      // It does not rename over a file that is open.
      closeSync(old);
      old = undefined;
    }
    isHeld = true;
    return { folder, name, target, old, version, before };
  } finally {
    if (!isHeld) letGoOf({ folder, old });
  }
}

/** Puts the bytes beside the file while that has the `expected` revision; its permissions stay. */
function prepare(
  root: string,
  ref: string,
  expected: string,
  bytes: Uint8Array,
): Prepared | 'changed' {
  const held = orUnreadable(() => holdExpected(root, ref, expected));
  if (held === undefined) return 'changed';
  const { name, before, ...rest } = held;
  try {
    return { ...rest, before, temporary: fillTemporary(rest.folder, name, bytes, before.mode) };
  } catch (error) {
    letGoOf(rest);
    throw error;
  }
}

const SETTLE_MS = 10;
const SETTLE_TRIES = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** What an old file that has lost its name holds when its writer is done. */
function lateContent(old: number, { revision, mode }: Omit<ReadFile, 'bytes'>) {
  const look = (): Uint8Array => readWhole(old, fstatSync(old).size);
  let bytes = look();
  if (sha256(bytes) === revision) return undefined;
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    Atomics.wait(sleeper, 0, 0, SETTLE_MS);
    const next = look();
    if (next.length > 0 && Buffer.compare(next, bytes) === 0) break;
    bytes = next;
  }
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  return { bytes, revision: sha256(bytes), mode };
}

/**
 * Ends what was prepared: flushes the new name, or takes the file away that did not get it. Answers
 * what somebody wrote into the old file at that very moment.
 */
function finish(
  { temporary, ...held }: Omit<Prepared, 'before'>,
  before: Omit<ReadFile, 'bytes'>,
  isPlaced: boolean,
): ReadFile | undefined {
  try {
    if (!isPlaced) {
      discard(temporary);
      return undefined;
    }
    flush(held.folder);
    return held.old === undefined ? undefined : lateContent(held.old, before);
  } finally {
    letGoOf(held);
  }
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

const WORK = { read, standing, prepare, finish, create };
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
    case 'prepare':
      return prepare(...order.words);
    case 'finish':
      return finish(...order.words);
    case 'create':
      return create(...order.words);
  }
}
