import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../../test/support/small-disk.ts';
import { openDatabase } from './open-database.ts';
import { dropOldCopies, listCopies, putCopyBack, schemaOf } from './store-copies.ts';
import { StoreError } from './store-error.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'copies-'));
  migration(1, 'CREATE TABLE notes (text TEXT) STRICT;');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function migration(number: number, sql: string): void {
  writeFileSync(path.join(folder, `${String(number).padStart(4, '0')}_step.sql`), sql);
}

const storeFile = () => path.join(folder, 'x.db');

function open(file = storeFile()) {
  return openDatabase<{ notes: { text: string } }>({
    name: 'studio',
    file,
    migrations: folder,
    now: () => 0,
  });
}

function write(text: string, file = storeFile()): void {
  const store = open(file);
  store.sqlite.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
  store.close();
}

function notesIn(file: string): string[] {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  const texts = sqlite.prepare<[], string>('SELECT text FROM notes ORDER BY text').pluck().all();
  sqlite.close();
  return texts;
}

const copyOf = (number: number) => {
  const copy = listCopies(storeFile()).find((one) => one.number === number);
  if (copy === undefined) throw new Error(`there is no copy ${number}`);
  return copy;
};

describe('a store that was brought up to date goes back', () => {
  test('the copy takes its place, and the newer one is kept beside it with all that it holds', () => {
    write('old');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    write('new');
    const kept = putCopyBack('studio', storeFile(), copyOf(2));
    expect(kept).toBe(`${storeFile()}.newer-v2`);
    expect(notesIn(storeFile())).toEqual(['old']);
    expect(notesIn(String(kept))).toEqual(['new', 'old']);
    expect(schemaOf(storeFile())).toBe(1);
    expect(existsSync(`${storeFile()}-wal`)).toBe(false);
  });

  test('what was written in the older version is in the copy of the next update', () => {
    write('old');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    open().close();
    putCopyBack('studio', storeFile(), copyOf(2));
    rmSync(path.join(folder, '0002_step.sql'));
    write('later');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    open().close();
    expect(notesIn(copyOf(2).file)).toEqual(['later', 'old']);
  });

  test('a copy of a store that changed since is made again', () => {
    write('old');
    writeFileSync(`${storeFile()}.before-v2`, 'somebody restored the store by hand');
    write('later');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    open().close();
    expect(notesIn(copyOf(2).file)).toEqual(['later', 'old']);
  });

  test('a damaged store is put aside with its log, which the copy never meets', () => {
    write('old');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    open().close();
    writeFileSync(storeFile(), 'this is no database any more');
    writeFileSync(`${storeFile()}-wal`, 'nor is this its log');
    const kept = putCopyBack('studio', storeFile(), copyOf(2));
    expect(notesIn(storeFile())).toEqual(['old']);
    expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('nor is this its log');
  });

  test('a store that another process reads is left as it is', () => {
    write('old');
    migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
    write('new');
    const reader = new BetterSqlite3(storeFile());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM notes').get();
    const writer = new BetterSqlite3(storeFile());
    writer.prepare("INSERT INTO notes (text) VALUES ('newest')").run();
    expect(() => putCopyBack('studio', storeFile(), copyOf(2))).toThrow(
      'locked by another process',
    );
    writer.close();
    reader.close();
    expect(notesIn(storeFile())).toEqual(['new', 'newest', 'old']);
  });

  test('two copies of earlier states are kept, and one that was put aside', () => {
    write('first');
    for (const number of [2, 3, 4]) {
      migration(number, `ALTER TABLE notes ADD COLUMN c${number} TEXT;`);
      open().close();
    }
    writeFileSync(`${storeFile()}.newer-v8`, '');
    writeFileSync(`${storeFile()}.newer-v9`, '');
    dropOldCopies(storeFile());
    expect(listCopies(storeFile()).map(({ kind, number }) => `${kind} ${number}`)).toEqual([
      'newer 9',
      'before 4',
      'before 3',
    ]);
  });
});

test.skipIf(!canMakeSmallDisk())(
  'a disk without room for the copy refuses the migration before anything is changed (OD-019)',
  () => {
    const disk = makeSmallDisk(18);
    if (disk === undefined) throw new Error('there was a small disk a moment ago');
    try {
      const file = path.join(disk.folder, 'y.db');
      write('x'.repeat(3_000_000), file);
      const before = readFileSync(file);
      migration(2, 'ALTER TABLE notes ADD COLUMN more TEXT;');
      let refused: unknown;
      try {
        open(file);
      } catch (error) {
        refused = error;
      }
      expect(refused).toBeInstanceOf(StoreError);
      expect(refused).toMatchObject({ code: 'store_full' });
      expect(String(refused)).toMatch(
        /That needs 2\d MB of the disk, 1\d MB are free\. Nothing was/,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(listCopies(file)).toEqual([]);
    } finally {
      disk.remove();
    }
  },
);
