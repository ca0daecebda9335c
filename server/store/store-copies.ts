import { chmodSync, cpSync, existsSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { placeFileSync } from '../files/durable-write.ts';
import { freeBytesSync } from '../files/free-space.ts';
import { newestSchema } from './migrate.ts';
import { StoreError } from './store-error.ts';
import type { OnStoreStep, StoreName } from './store-step.ts';

/*
 * Copies that stand beside a store. `before-vN` is the store as it was before migration N, made when
 * a newer program opens it; `newer-vN` is the store that was put aside when such a copy was put back.
 */

/** A whole file beside a store that holds an earlier or a later state of it. */
export interface StoreCopy {
  readonly kind: 'before' | 'newer';
  /** N of its name. */
  readonly number: number;
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

const COPY_NAME = /^\.(before|newer)-v(\d{1,6})$/;
/** Copies of each kind that a store keeps. */
const KEPT = { before: 2, newer: 1 } as const;
/** What the first writes after a copy need beside it. */
const SPARE_BYTES = 16 * 1024 * 1024;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** What the store holds, the log beside it included. */
function bytesIn(sqlite: BetterSqlite3.Database): number {
  const pages = Number(sqlite.pragma('page_count', { simple: true }));
  return pages * Number(sqlite.pragma('page_size', { simple: true }));
}

function requireRoom(name: string, file: string, bytes: number): void {
  const free = freeBytesSync(path.dirname(file));
  if (free >= bytes + SPARE_BYTES) return;
  throw new StoreError(
    'store_full',
    `The ${name} database is copied before it is brought up to date. That needs ` +
      `${megabytes(bytes + SPARE_BYTES)} MB of the disk, ${megabytes(free)} MB are free. Nothing was ` +
      'changed: free some space and start again, or start the version before.',
  );
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A start that ended after the copy and before any migration need not make it once more. */
function isOfNow(copy: string, file: string): boolean {
  if (!existsSync(copy)) return false;
  return changedAt(copy) > Math.max(changedAt(file), changedAt(`${file}-wal`));
}

export interface CopiedStore {
  readonly name: StoreName;
  readonly file: string;
  note?(facts: Readonly<Record<string, number>>, message: string): void;
  readonly onStep?: OnStoreStep | undefined;
}

/**
 * Copies an open store beside itself before its schema changes; what stands there under the name is
 * kept only when the store has not changed since. The disk is asked for room first.
 * @throws StoreError `store_full`
 */
export function copyBeforeMigration(
  sqlite: BetterSqlite3.Database,
  { name, file, note, onStep }: CopiedStore,
  fromVersion: number,
): void {
  if (file === ':memory:') return;
  const copy = `${file}.before-v${fromVersion + 1}`;
  // Named only once it is whole: what a stopped start left of one is made again.
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  if (isOfNow(copy, file)) return;
  const bytes = bytesIn(sqlite);
  requireRoom(name, file, bytes);
  note?.(
    { schema_version: fromVersion, megabytes: megabytes(bytes) },
    'the store is copied before it is brought up to date',
  );
  onStep?.({ store: name, step: 'copying', file: part, bytes });
  sqlite.prepare('VACUUM INTO ?').run(part);
  chmodSync(part, 0o600);
  placeFileSync(part, copy);
}

/** Copies beside a store, the newest number first. */
export function listCopies(file: string): StoreCopy[] {
  const folder = path.dirname(file);
  const base = path.basename(file);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((entry): StoreCopy[] => {
    const match = entry.startsWith(base) ? COPY_NAME.exec(entry.slice(base.length)) : null;
    if (match === null) return [];
    const whole = path.join(folder, entry);
    const { size: bytes, mtimeMs: madeAt } = statSync(whole);
    const kind = match[1] === 'newer' ? 'newer' : 'before';
    return [{ kind, number: Number(match[2]), file: whole, bytes, madeAt }];
  });
  return found.toSorted((a, b) => b.number - a.number);
}

/** Removes a copy with the log that may stand beside it. */
export function removeCopy(copy: StoreCopy): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${copy.file}${ending}`, { force: true });
}

/** Removes all copies of a store but the newest of each kind. */
export function dropOldCopies(file: string): void {
  if (file === ':memory:') return;
  for (const kind of ['before', 'newer'] as const) {
    const copies = listCopies(file).filter((copy) => copy.kind === kind);
    for (const copy of copies.slice(KEPT[kind])) removeCopy(copy);
  }
}

/** The newest migration that a store or a copy of one has; undefined for what is no readable store. */
export function schemaOf(file: string): number | undefined {
  let sqlite: BetterSqlite3.Database | undefined;
  try {
    sqlite = new BetterSqlite3(file, { fileMustExist: true, readonly: true });
    return newestSchema(sqlite);
  } catch {
    // Damaged, no database or none of ours: what it is does not matter to who puts a copy back.
    return undefined;
  } finally {
    sqlite?.close();
  }
}

/** Does something with a copy and its store; undefined when one of them cannot be read. */
export function withCopy<T>(
  copyFile: string,
  file: string,
  work: (copy: BetterSqlite3.Database, store: BetterSqlite3.Database) => T,
): T | undefined {
  const opened: BetterSqlite3.Database[] = [];
  try {
    const copy = new BetterSqlite3(copyFile, { fileMustExist: true });
    opened.push(copy);
    const store = new BetterSqlite3(file, { fileMustExist: true, readonly: true });
    opened.push(store);
    return work(copy, store);
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) return undefined;
    throw error;
  } finally {
    for (const one of opened) one.close();
  }
}

/** Writes the log beside a readable store into it. @throws StoreError `store_locked` */
function foldLog(name: string, file: string): void {
  const sqlite = new BetterSqlite3(file, { fileMustExist: true });
  try {
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    sqlite.close();
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StoreError(
      'store_locked',
      `The ${name} database is locked by another process. Close that process and try again.`,
    );
  }
}

/** A second name for a file, or a copy where the disk knows no second names. */
function keepBeside(file: string, kept: string): void {
  rmSync(kept, { force: true });
  try {
    linkSync(file, kept);
  } catch {
    cpSync(file, kept);
  }
}

/**
 * Puts a copy back in the place of its store, in one step that a kill cannot halve; the store that
 * stood there is kept beside as `newer-vN`. Nobody may have the store open. Answers the kept file.
 * @throws StoreError `store_locked`
 */
export function putCopyBack(name: string, file: string, copy: StoreCopy): string | undefined {
  let kept: string | undefined;
  if (existsSync(file)) {
    const schema = schemaOf(file);
    kept = `${file}.newer-v${schema ?? 0}`;
    // A damaged one keeps its log, for whoever may mend it.
    if (schema !== undefined) foldLog(name, file);
    keepBeside(file, kept);
    // Left there, they would be read as the log of the copy.
    for (const ending of ['-wal', '-shm']) {
      if (existsSync(file + ending)) placeFileSync(file + ending, kept + ending);
    }
  }
  placeFileSync(copy.file, file);
  dropOldCopies(file);
  return kept;
}
