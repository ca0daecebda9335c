import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { placeFolder } from '../files/durable-write.ts';
import { freeBytesSync } from '../files/free-space.ts';
import { copyStore } from '../store/copy-store.ts';
import { newestMigration } from '../store/migration-files.ts';
import { schemaOf } from '../store/store-copies.ts';
import { HostRefusal } from './host-refusal.ts';
import type { StoreName } from './instance-lock.ts';
import { externalStores, type StoreFile, type StoresDeps, storeFiles } from './store-copies.ts';

/*
 * A backup is a data folder of its own: each store as it was at one moment, also while services
 * write to it, and the files beside the stores. Stores are copied first: a file is written before
 * the row that names it.
 */

/** A data folder that was copied. */
export interface FolderCopy {
  readonly folder: string;
  readonly stores: readonly { readonly name: StoreName; readonly bytes: number }[];
  /** Files beside the stores. */
  readonly files: number;
  /** Of all of it. */
  readonly bytes: number;
}

/** What a backup holds. */
export interface Backup extends FolderCopy {
  /** Stores that are databases of their own, which no backup holds. */
  readonly external: readonly StoreName[];
}

/** Where a data folder has its stores when no setting places them elsewhere. */
export const STORE_PLACES: Readonly<Record<StoreName, string>> = {
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
  /\.db\.code$/,
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

function liesInside(folder: string, parent: string): boolean {
  const below = path.relative(parent, folder);
  return below === '' || !(below.startsWith('..') || path.isAbsolute(below));
}

/** @throws HostRefusal that names the option to change */
function refuseFilled(target: string, option: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return;
  throw new HostRefusal(
    'configuration',
    `The folder ${target} holds something. Give ${option} a new or an empty folder.`,
  );
}

function requireRoom(parent: string, bytes: number): void {
  const free = freeBytesSync(parent);
  if (free >= bytes + SPARE_BYTES) return;
  throw new HostRefusal(
    'store',
    `The copy needs ${megabytes(bytes + SPARE_BYTES)} MB of the disk, ${megabytes(free)} MB are free. Nothing was written.`,
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

/** What is copied: stores from where they are, and the files of their data folder. */
interface CopiedFolder {
  readonly folder: string;
  readonly stores: readonly StoreFile[];
}

function fill({ folder, stores: given }: CopiedFolder, part: string): Omit<FolderCopy, 'folder'> {
  const stores = given.map(({ name, file }) => {
    const copy = path.join(part, STORE_PLACES[name]);
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
    return { name, bytes: copyStore(name, file, copy) };
  });
  const files = filesOf(folder).filter((file) =>
    copyFile(path.join(folder, file), path.join(part, file)),
  );
  const stored = stores.reduce((sum, { bytes }) => sum + bytes, 0);
  return { stores, files: files.length, bytes: stored + bytesOf(part, files) };
}

/** Copies a data folder to a new place, whole or not at all. */
async function copyFolder(source: CopiedFolder, to: string): Promise<FolderCopy> {
  const parent = path.dirname(to);
  mkdirSync(parent, { recursive: true });
  const stored = source.stores.reduce((sum, { file }) => sum + statSync(file).size, 0);
  requireRoom(parent, stored + bytesOf(source.folder, filesOf(source.folder)));
  const part = `${to}.${randomUUID()}.part`;
  mkdirSync(part, { mode: 0o700 });
  try {
    const filled = fill(source, part);
    if (existsSync(to)) rmdirSync(to);
    await placeFolder(part, to);
    return { folder: to, ...filled };
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Makes a backup of a data folder at `to`, whole or not at all, while services may run. It holds the
 * keys that the folder holds, and no folder of a project that stands elsewhere.
 * @throws HostRefusal for a target or a disk that cannot take it; StoreError for a damaged store
 */
export async function makeBackup(deps: StoresDeps, to: string): Promise<Backup> {
  const folder = path.resolve(to);
  if (liesInside(folder, deps.folder)) {
    throw new HostRefusal(
      'configuration',
      'A backup inside the data folder would be lost with it. Give --to another folder.',
    );
  }
  refuseFilled(folder, '--to');
  const stores = storeFiles(deps).filter(({ file }) => existsSync(file));
  const external = externalStores(deps.env);
  if (stores.length === 0 && external.length === 0) {
    throw new HostRefusal('store', 'There are no stores here yet, so there is nothing to back up.');
  }
  // What stands beside a store that is a database of its own belongs to it all the same.
  const made = await copyFolder({ folder: deps.folder, stores }, folder);
  return { ...made, external };
}

function requireKnown({ name, file }: StoreFile, migrations: string): void {
  const schema = schemaOf(file);
  if (schema === undefined) {
    throw new HostRefusal('store', `The ${name} database of the backup cannot be read.`);
  }
  const newest = newestMigration(path.join(migrations, name), name);
  if (schema <= newest) return;
  throw new HostRefusal(
    'store',
    `The ${name} database of the backup has schema version ${schema}, this program knows ${newest}. ` +
      'Restore it with the newer program.',
  );
}

function storesIn(folder: string): StoreFile[] {
  const names: readonly StoreName[] = ['platform', 'dashboard', 'studio'];
  return names
    .map((name) => ({ name, file: path.join(folder, STORE_PLACES[name]) }))
    .filter(({ file }) => existsSync(file));
}

/**
 * Makes a data folder out of a backup, whole or not at all: each store is checked, and the backup
 * stays as it is. `migrations` is the folder of this program's.
 * @throws HostRefusal for a backup or a folder that cannot be used; StoreError for a damaged store
 */
export async function restoreBackup(
  from: string,
  to: string,
  migrations: string,
): Promise<FolderCopy> {
  const [folder, target] = [path.resolve(from), path.resolve(to)];
  const stores = storesIn(folder);
  if (stores.length === 0) {
    throw new HostRefusal(
      'store',
      `There are no stores in ${folder}. Give --from a backup; files of a studio whose store is a ` +
        'database are copied back by hand.',
    );
  }
  if (liesInside(target, folder)) {
    throw new HostRefusal('configuration', 'Give --data a folder outside of the backup.');
  }
  refuseFilled(target, '--data');
  for (const store of stores) requireKnown(store, migrations);
  return copyFolder({ folder, stores }, target);
}
