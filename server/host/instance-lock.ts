import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../kernel/json.ts';
import { type HeldFile, holdFile } from './held-file-sqlite.ts';
import { HostRefusal } from './host-refusal.ts';
import { makePrivateFile, writePrivateFile } from './private-file.ts';

/** How long a predecessor may still be draining, in milliseconds. */
const WAIT = 2_000;

/** The stores of a data folder; each has one process at a time. */
const STORES = ['platform', 'dashboard', 'studio'] as const;
/** A store of the data folder. */
export type StoreName = (typeof STORES)[number];

/** What the files of a store's process begin with. */
const FILE_NAMES: Readonly<Record<StoreName, string>> = {
  platform: 'instance',
  dashboard: 'dashboard',
  studio: 'studio',
};

/** What the process on a data folder tells other programs of the same person. */
export interface InstanceNote {
  readonly pid: number;
  /** Address of its platform; null when it uses one of another computer. */
  readonly platform: string | null;
  /** Address of its gateway; null when it has none. */
  readonly gateway: string | null;
  /** True: the platform answers nobody without a key. */
  readonly key_required: boolean;
}

/** Held until it is released or the process ends, however that ends. */
export interface InstanceLock {
  /** Tells the addresses; forgotten at `release`. */
  publish(note: Omit<InstanceNote, 'pid'>): void;
  /** Writes the key of this start for programs of the same person; forgotten at `release`. */
  publishKey(key: string): string;
  release(): void;
}

const pidFile = (folder: string): string => path.join(folder, 'instance.pid');
const noteFile = (folder: string): string => path.join(folder, 'instance.json');
const keyFile = (folder: string, store: StoreName): string =>
  path.join(folder, `${FILE_NAMES[store]}.key`);

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
    const { pid, platform, gateway, key_required } = note;
    if (typeof pid !== 'number') return undefined;
    return {
      pid,
      platform: typeof platform === 'string' ? platform : null,
      gateway: typeof gateway === 'string' ? gateway : null,
      key_required: key_required === true,
    };
  } catch {
    return undefined;
  }
}

/** The key that opens the platform and the gateway of that process; undefined when there is none. */
export function readInstanceKey(folder: string): string | undefined {
  try {
    const key = readFileSync(keyFile(folder, 'platform'), 'utf8').trim();
    return key === '' ? undefined : key;
  } catch {
    return undefined;
  }
}

/** The process that serves a platform from the data folder, with the key that opens it. */
export interface ServedNote extends InstanceNote {
  readonly platform: string;
  readonly key: string | undefined;
}

/** What the process on a data folder tells of its platform; undefined when it serves none. */
export function readServedNote(folder: string): ServedNote | undefined {
  const note = readInstanceNote(folder);
  if (note === undefined || note.platform === null) return undefined;
  return { ...note, platform: note.platform, key: readInstanceKey(folder) };
}

function lockStore(folder: string, store: StoreName, waitMs: number): HeldFile {
  const file = path.join(folder, `${FILE_NAMES[store]}.lock`);
  makePrivateFile(file);
  const held = holdFile(file, waitMs);
  if (held !== undefined) return held;
  throw new HostRefusal(
    'data_in_use',
    `Another Specwright${ownerOf(pidFile(folder))} uses the data folder ${folder}. Close it, or give --data another folder.`,
  );
}

/**
 * Makes this process the only one on the stores of a data folder, all of them unless some are named.
 * The lock is one of the operating system on a file, so that it ends with the process however that
 * ends.
 * @throws HostRefusal data_in_use
 */
export function lockDataFolder(
  folder: string,
  waitMs = WAIT,
  stores: readonly StoreName[] = STORES,
): InstanceLock {
  const held: HeldFile[] = [];
  try {
    for (const store of stores) held.push(lockStore(folder, store, waitMs));
  } catch (error) {
    for (const file of held) file.release();
    throw error;
  }
  const forget = (): void => {
    if (stores.includes('platform')) rmSync(noteFile(folder), { force: true });
    for (const store of stores) rmSync(keyFile(folder, store), { force: true });
  };
  // A killed process left its note; without this, it would be taken for the note of whoever has the
  // folder now.
  forget();
  writePrivateFile(pidFile(folder), `${process.pid}\n`);
  return {
    publish(note) {
      writePrivateFile(noteFile(folder), `${JSON.stringify({ pid: process.pid, ...note })}\n`);
    },
    publishKey(key) {
      const file = keyFile(folder, stores[0] ?? 'platform');
      writePrivateFile(file, `${key}\n`);
      return file;
    },
    release() {
      forget();
      for (const file of held) file.release();
    },
  };
}
