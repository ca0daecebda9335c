import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  // biome-ignore lint/style/noRestrictedImports: a name inside of a folder that is held open.
  renameSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { makeFileSync } from '../../files/durable-write.ts';
import { versionOf } from '../../files/file-version.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { contentsOf, filesAmong, revisionsOf } from './disk-looks.ts';
import { flush, type HeldFolder, holdPlace, inFolderOf, letGo } from './held-folder.ts';
import { READ_PLAIN, type ReadFile, readOpen, readRegular, readWhole } from './read-held.ts';
import { sha256 } from './sha256.ts';

/*
 * What is done to one file of a tree, each as one piece of work that waits for the disk where it is:
 * reading or saving a draft is a dozen small calls, and waiting for each beside the event loop took
 * longer than the calls. Runs in the disk thread.
 */

/** What stands at a name, links not followed; `other` is also a name below something that is no folder. */
export type Standing = 'file' | 'other' | 'absent';

/** What a system says of a ref at which nothing of the tree can stand. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'ENXIO']);
const UNREADABLE = new Set([...ABSENT, 'EACCES', 'EPERM']);
/** What file systems answer that know no second name of a file. */
const NO_LINK = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

function isOneOf(error: unknown, codes: ReadonlySet<string>): boolean {
  return codes.has(systemCode(error) ?? '');
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
    const found = fstatSync(old, { bigint: true });
    const version = versionOf(found);
    const before = readOpen(old, found);
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

const WORK = { read, standing, prepare, finish, create, revisionsOf, contentsOf, filesAmong };
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
    case 'revisionsOf':
      return revisionsOf(...order.words);
    case 'contentsOf':
      return contentsOf(...order.words);
    case 'filesAmong':
      return filesAmong(...order.words);
  }
}
