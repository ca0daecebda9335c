import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { isObject } from '../kernel/json.ts';
import { HostRefusal } from './host-refusal.ts';

/** How long a predecessor may still be draining, in milliseconds. */
const WAIT = 2_000;

/** The stores of a data folder; each has one process at a time. */
const STORES = ['platform', 'dashboard', 'studio'] as const;
/** A store of the data folder. */
export type StoreName = (typeof STORES)[number];

const LOCK_FILES: Readonly<Record<StoreName, string>> = {
  platform: 'instance.lock',
  dashboard: 'dashboard.lock',
  studio: 'studio.lock',
};

/** What the process on a data folder tells other programs of the same person. */
export interface InstanceNote {
  readonly pid: number;
  /** Address of its platform. */
  readonly platform: string;
  /** True: the platform answers nobody without a key. */
  readonly key_required: boolean;
}

/** Held until it is released or the process ends, however that ends. */
export interface InstanceLock {
  /** Tells the address of the platform; forgotten at `release`. */
  publish(note: Omit<InstanceNote, 'pid'>): void;
  release(): void;
}

const pidFile = (folder: string): string => path.join(folder, 'instance.pid');
const noteFile = (folder: string): string => path.join(folder, 'instance.json');

function ownerOf(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/** What the process on the folder has published; meaningful only while the lock is held by it. */
export function readInstanceNote(folder: string): InstanceNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(noteFile(folder), 'utf8'));
    if (!isObject(note)) return undefined;
    const { pid, platform, key_required } = note;
    return typeof pid === 'number' && typeof platform === 'string'
      ? { pid, platform, key_required: key_required === true }
      : undefined;
  } catch {
    return undefined;
  }
}

function lockStore(folder: string, store: StoreName, waitMs: number): Database.Database {
  const database = new Database(path.join(folder, LOCK_FILES[store]), { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new HostRefusal(
        'data_in_use',
        `Another Specwright${ownerOf(pidFile(folder))} uses the data folder ${folder}. Close it, or give --data another folder.`,
      );
    }
    throw error;
  }
}

/**
 * Makes this process the only one on the stores of a data folder, all of them unless some are named.
 * The lock is one of the operating system on a file, held through SQLite, so that it ends with the
 * process however that ends.
 * @throws HostRefusal data_in_use
 */
export function lockDataFolder(
  folder: string,
  waitMs = WAIT,
  stores: readonly StoreName[] = STORES,
): InstanceLock {
  const held: Database.Database[] = [];
  try {
    for (const store of stores) held.push(lockStore(folder, store, waitMs));
  } catch (error) {
    for (const database of held) database.close();
    throw error;
  }
  writeFileSync(pidFile(folder), `${process.pid}\n`, { mode: 0o600 });
  let published = false;
  return {
    publish(note) {
      published = true;
      const text = JSON.stringify({ pid: process.pid, ...note });
      writeFileSync(noteFile(folder), `${text}\n`, { mode: 0o600 });
    },
    release() {
      if (published) rmSync(noteFile(folder), { force: true });
      for (const database of held) database.close();
    },
  };
}
