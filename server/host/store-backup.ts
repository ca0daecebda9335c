import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { placeFolder } from '../files/durable-write.ts';
import { freeBytesSync } from '../files/free-space.ts';
import { copyStore } from '../store/copy-store.ts';
import { HostRefusal } from './host-refusal.ts';
import type { StoreName } from './instance-lock.ts';
import { type StoresDeps, storeFiles } from './store-copies.ts';

/*
 * A backup is a data folder of its own: each store as it was at one moment, also while services
 * write to it, and the files beside the stores. Stores are copied first: a file is written before
 * the row that names it.
 */

/** What a backup holds. */
export interface Backup {
  readonly folder: string;
  readonly stores: readonly { readonly name: StoreName; readonly bytes: number }[];
  /** Files beside the stores. */
  readonly files: number;
  /** Of all of it. */
  readonly bytes: number;
}

/** Where a data folder has its stores when no setting places them elsewhere. */
const PLACES: Readonly<Record<StoreName, string>> = {
  platform: 'platform.db',
  dashboard: 'dashboard.db',
  studio: path.join('studio', 'studio.db'),
};
/** Folders whose own files may belong to a running process, a start or an update; below them all is data. */
const OF_THE_PROGRAM = new Set(['.', 'studio']);
const PASSING = [
  /^logs$/,
  /\.(?:lock|pid|part)$/,
  /^instance\.(?:json|key)$/,
  /^(?:dashboard|studio)\.key$/,
  /\.db(?:-wal|-shm)?$/,
  /\.db\.(?:before|newer)-v\d+(?:-wal|-shm)?$/,
];
/** What the first writes after a copy need beside it. */
const SPARE_BYTES = 16 * 1024 * 1024;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

function isPassing(file: string): boolean {
  const isOfTheProgram = OF_THE_PROGRAM.has(path.dirname(file));
  return isOfTheProgram && PASSING.some((pattern) => pattern.test(path.basename(file)));
}

/** The files of a folder that are data, by their path in it; links are not followed. */
function filesOf(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(below, entry.name);
    if (isPassing(file)) return [];
    if (entry.isDirectory()) return filesOf(folder, file);
    return entry.isFile() || entry.isSymbolicLink() ? [file] : [];
  });
}

function bytesOf(folder: string, files: readonly string[]): number {
  const sizes = files.map(
    (file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function refuseTarget(source: string, target: string): void {
  const below = path.relative(source, target);
  if (below === '' || !(below.startsWith('..') || path.isAbsolute(below))) {
    throw new HostRefusal(
      'configuration',
      'A backup inside the data folder would be lost with it. Give --to another folder.',
    );
  }
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new HostRefusal(
      'configuration',
      `The folder ${target} holds something. Give --to a new or an empty folder.`,
    );
  }
}

function requireRoom(parent: string, bytes: number): void {
  const free = freeBytesSync(parent);
  if (free >= bytes + SPARE_BYTES) return;
  throw new HostRefusal(
    'store',
    `The backup needs ${megabytes(bytes + SPARE_BYTES)} MB of the disk, ${megabytes(free)} MB are free. Nothing was written.`,
  );
}

/** A file that goes away meanwhile belongs to nothing that was copied before it. */
function copyFile(from: string, to: string): boolean {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    cpSync(from, to, { verbatimSymlinks: true, preserveTimestamps: true });
    return true;
  } catch (error) {
    if (!existsSync(from)) return false;
    throw error;
  }
}

function fill(deps: StoresDeps, part: string): Omit<Backup, 'folder'> {
  const stores = storeFiles(deps)
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const copy = path.join(part, PLACES[name]);
      mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
      return { name, bytes: copyStore(name, file, copy) };
    });
  const files = filesOf(deps.folder).filter((file) =>
    copyFile(path.join(deps.folder, file), path.join(part, file)),
  );
  const stored = stores.reduce((sum, { bytes }) => sum + bytes, 0);
  return { stores, files: files.length, bytes: stored + bytesOf(part, files) };
}

/**
 * Makes a backup of a data folder at `to`, whole or not at all, while services may run. It holds the
 * keys that the folder holds, and no folder of a project that stands elsewhere.
 * @throws HostRefusal for a target or a disk that cannot take it; StoreError for a damaged store
 */
export async function makeBackup(deps: StoresDeps, to: string): Promise<Backup> {
  const folder = path.resolve(to);
  refuseTarget(deps.folder, folder);
  const present = storeFiles(deps).filter(({ file }) => existsSync(file));
  if (present.length === 0) {
    throw new HostRefusal('store', 'There are no stores here yet, so there is nothing to back up.');
  }
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  const stored = present.reduce((sum, { file }) => sum + statSync(file).size, 0);
  requireRoom(parent, stored + bytesOf(deps.folder, filesOf(deps.folder)));
  const part = `${folder}.${randomUUID()}.part`;
  mkdirSync(part, { mode: 0o700 });
  try {
    const filled = fill(deps, part);
    if (existsSync(folder)) rmdirSync(folder);
    await placeFolder(part, folder);
    return { folder, ...filled };
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}
