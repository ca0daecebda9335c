import { chmodSync, existsSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { placeFileSync } from '../../files/durable-write.ts';
import { requireNewestSchema } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import { StoreError, toStoreError } from '../store-error.ts';
import type { StoreName } from '../store-step.ts';
import type { CopySource, CopyTarget } from './copy-side.ts';
import { copySourceOfFile, copyTargetOfFile, holdsRows, isUnderWay } from './copy-sqlite.ts';

interface FilePlace {
  readonly store: StoreName;
  readonly file: string;
  /** Folder of the migrations. */
  readonly migrations: string;
}

const BESIDE = ['-wal', '-shm', '.made'];

function remove(file: string): void {
  for (const ending of ['', ...BESIDE]) rmSync(`${file}${ending}`, { force: true });
}

/** A store that is a file, to be read; nobody has it. @throws StoreError */
export function openFileSource({ store, file, migrations }: FilePlace): CopySource {
  if (!existsSync(file)) {
    throw new StoreError('copy_refused', `There is no ${store} store in the source.`);
  }
  let sqlite: BetterSqlite3.Database | undefined;
  try {
    sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    requireNewestSchema(sqlite, store, migrations);
    return copySourceOfFile(sqlite);
  } catch (error) {
    sqlite?.close();
    throw toStoreError(store, error);
  }
}

function refuseRows({ store, file }: FilePlace): void {
  if (!existsSync(file)) return;
  const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    if (!holdsRows(sqlite)) return;
  } finally {
    sqlite.close();
  }
  throw new StoreError(
    'copy_refused',
    `The ${store} store of the target holds rows already. Name a folder without one: nothing was written.`,
  );
}

/** What an earlier process left of a copy; undefined when there is nothing that can be gone on with. */
function openHalf({ store, migrations }: FilePlace, part: string) {
  if (!existsSync(part)) return undefined;
  let sqlite: BetterSqlite3.Database | undefined;
  try {
    sqlite = new BetterSqlite3(part, { fileMustExist: true });
    if (isUnderWay(sqlite)) {
      requireNewestSchema(sqlite, store, migrations);
      return sqlite;
    }
  } catch {
    // Killed while it was made, or of another version: it is made anew.
  }
  sqlite?.close();
  return undefined;
}

function openPart(place: FilePlace, part: string, now: number): BetterSqlite3.Database {
  const half = openHalf(place, part);
  if (half !== undefined) return half;
  remove(part);
  const { store: name, migrations } = place;
  openDatabase({ name, file: part, migrations, now: () => now }).close();
  return new BetterSqlite3(part, { fileMustExist: true });
}

/** A file that is filled beside its place, and put there when it is whole. */
export interface FileTarget {
  readonly target: CopyTarget;
  /** Puts the whole store in its place; `before` may still change it. */
  place(before: (sqlite: BetterSqlite3.Database) => void): Promise<void>;
}

/**
 * A store that is a file and is filled; nobody has its folder. What a stopped copy left is gone on with.
 * @throws StoreError where the place holds a store with rows
 */
export function openFileTarget(place: FilePlace, now: number): FileTarget {
  const { store, file } = place;
  const part = `${file}.part`;
  try {
    refuseRows(place);
    const sqlite = openPart(place, part, now);
    return {
      target: copyTargetOfFile(sqlite),
      async place(before) {
        before(sqlite);
        if (sqlite.pragma('quick_check(1)', { simple: true }) !== 'ok') {
          throw new StoreError('store_corrupt', `The copy of the ${store} store is damaged.`);
        }
        sqlite.pragma('wal_checkpoint(TRUNCATE)');
        sqlite.close();
        chmodSync(part, 0o600);
        remove(file);
        placeFileSync(part, file);
        remove(part);
      },
    };
  } catch (error) {
    throw toStoreError(store, error);
  }
}
