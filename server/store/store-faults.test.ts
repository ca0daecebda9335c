import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { StoreError } from './store-error.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-faults-'));
  migration('0001_notes', 'CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT) STRICT;');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const migration = (name: string, sql: string) =>
  writeFileSync(path.join(folder, `${name}.sql`), sql);
const file = () => path.join(folder, 'x.db');
const open = () =>
  openDatabase<{ notes: { id: string; body: string } }>({
    name: 'platform',
    file: file(),
    migrations: folder,
    now: () => 0,
  });

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return 'nothing';
}

function fill(count: number): void {
  const store = open();
  const insert = store.sqlite.prepare('INSERT INTO notes VALUES (?, ?)');
  for (let i = 0; i < count; i += 1) insert.run(`n${i}`, 'x'.repeat(2000));
  store.close();
}

describe('a store that fails', () => {
  test('a full store refuses the write, keeps what it had and goes on when there is room', () => {
    fill(5);
    const { sqlite, close } = open();
    const pages = sqlite.pragma('page_count', { simple: true });
    sqlite.pragma(`max_page_count = ${Number(pages) + 2}`);
    const write = sqlite.transaction(() => {
      for (let i = 0; i < 50; i += 1) {
        sqlite.prepare('INSERT INTO notes VALUES (?, ?)').run(`more${i}`, 'y'.repeat(2000));
      }
    });
    expect(codeOf(write)).toBe('SQLITE_FULL');
    const count = sqlite.prepare<[], { n: number }>('SELECT count(*) AS n FROM notes');
    expect(count.get()?.n).toBe(5);
    sqlite.pragma('max_page_count = 1000000');
    write();
    expect(count.get()?.n).toBe(55);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    close();
  });

  test('damaged pages are said at the start or by the statement, never repaired in silence', () => {
    fill(200);
    const bytes = readFileSync(file());
    bytes.fill(0x5a, 100, 4096);
    writeFileSync(file(), bytes);
    expect(codeOf(open)).toBe('store_corrupt');
    expect(readFileSync(file()).equals(bytes)).toBe(true);
  });

  test('a store that another process is migrating is left alone', () => {
    fill(1);
    migration('0002_more', 'ALTER TABLE notes ADD COLUMN more TEXT;');
    const other = new BetterSqlite3(file());
    other.exec('BEGIN EXCLUSIVE');
    const from = performance.now();
    expect(codeOf(open)).toBe('store_locked');
    expect(performance.now() - from).toBeLessThan(15_000);
    other.exec('ROLLBACK');
    other.close();
    const store = open();
    expect(store.schemaVersion).toBe(2);
    store.close();
  }, 20_000);

  test('a copy that was cut off is made again, a whole one stays', () => {
    fill(3);
    writeFileSync(`${file()}.before-v2.part`, 'half of a copy');
    migration('0002_more', 'ALTER TABLE notes ADD COLUMN more TEXT;');
    open().close();
    expect(existsSync(`${file()}.before-v2.part`)).toBe(false);
    const restored = path.join(folder, 'restored.db');
    copyFileSync(`${file()}.before-v2`, restored);
    const copy = new BetterSqlite3(restored, { readonly: true });
    expect(copy.prepare<[], { n: number }>('SELECT count(*) AS n FROM notes').get()?.n).toBe(3);
    copy.close();
  });

  test('numbers of migrations may leave gaps; one that appears below another is applied', () => {
    migration('0010_late', 'CREATE TABLE late (id TEXT) STRICT;');
    open().close();
    migration('0003_between', 'CREATE TABLE between_ (id TEXT) STRICT;');
    const store = open();
    expect(store.schemaVersion).toBe(10);
    const names = store.sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    expect(JSON.stringify(names)).toContain('between_');
    store.close();
  });
});

describe('a store that lost what it held', () => {
  const messageOf = (action: () => unknown): string => {
    try {
      action();
    } catch (error) {
      if (error instanceof StoreError) return `${error.code}: ${error.message}`;
      throw error;
    }
    return 'opened';
  };

  test('an empty file that was larger before is told, and left as it is', () => {
    fill(20);
    truncateSync(file(), 0);
    for (let n = 0; n < 2; n += 1) {
      expect(messageOf(open)).toMatch(
        /^store_lost: The platform database is empty, but it held data before\. .*x\.db/,
      );
      expect(statSync(file()).size).toBe(0);
    }
    rmSync(file());
    expect(messageOf(() => open().close())).toBe('opened');
  });

  test.each([0.5, 0.9])('one cut to %s of its size is told as damaged', (share) => {
    fill(200);
    truncateSync(file(), Math.floor(statSync(file()).size * share));
    const size = statSync(file()).size;
    expect(messageOf(open)).toMatch(/^store_corrupt: The platform database is damaged\./);
    expect(statSync(file()).size).toBe(size);
  });

  test('one cut in its first page is told', () => {
    fill(20);
    truncateSync(file(), 300);
    expect(messageOf(open)).toMatch(/^store_corrupt: /);
  });

  test('what a killed first start leaves, an empty file, is a new store', () => {
    writeFileSync(file(), '');
    expect(messageOf(() => open().close())).toBe('opened');
    truncateSync(file(), 0);
    expect(messageOf(open)).toMatch(/^store_lost: /);
  });
});
