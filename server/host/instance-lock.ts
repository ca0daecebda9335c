import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { HostRefusal } from './host-refusal.ts';

/** How long a predecessor may still be draining, in milliseconds. */
const WAIT = 2_000;

export interface InstanceLock {
  release(): void;
}

function ownerOf(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/**
 * Makes this process the only one on a data folder. The lock is one of the operating system on a
 * file, held through SQLite, so that it ends with the process however that ends.
 * @throws HostRefusal data_in_use
 */
export function lockDataFolder(folder: string, waitMs = WAIT): InstanceLock {
  const owner = path.join(folder, 'instance.pid');
  const database = new Database(path.join(folder, 'instance.lock'), { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new HostRefusal(
        'data_in_use',
        `Another Specwright${ownerOf(owner)} uses the data folder ${folder}. Close it, or give --data another folder.`,
      );
    }
    throw error;
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return { release: () => database.close() };
}
