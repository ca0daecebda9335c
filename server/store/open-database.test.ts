import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { StoreError } from './store-error.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-'));
  writeFileSync(
    path.join(folder, '0001_notes.sql'),
    'CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT;',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (
  file = path.join(folder, 'x.db'),
  note: (facts: object, message: string) => void = () => undefined,
) =>
  openDatabase<{ notes: { id: string } }>({
    name: 'studio',
    file,
    migrations: folder,
    now: () => 0,
    note,
  });

function refusal(action: () => unknown): StoreError {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('openDatabase', () => {
  test('migrates once, keeps rows, and copies the file before the next migration (OD-019)', async () => {
    const first = open();
    await first.db.insertInto('notes').values({ id: 'a' }).execute();
    first.close();
    writeFileSync(path.join(folder, '0002_more.sql'), 'ALTER TABLE notes ADD COLUMN body TEXT;');
    const told: unknown[] = [];
    const second = open(undefined, (facts, message) => told.push({ ...facts, message }));
    expect(second.schemaVersion).toBe(2);
    expect(told).toEqual([
      {
        schema_version: 1,
        megabytes: 1,
        message: 'the store is copied before it is brought up to date',
      },
      { from: 1, schema_version: 2, message: 'the store was brought up to date' },
    ]);
    expect(await second.db.selectFrom('notes').select('id').execute()).toEqual([{ id: 'a' }]);
    expect(readFileSync(path.join(folder, 'x.db.before-v2')).length).toBeGreaterThan(0);
    second.close();
  });

  test('a newer schema, an edited migration and a foreign file are refused and left as they were (OD-020, RP-148)', () => {
    const more = path.join(folder, '0002_more.sql');
    writeFileSync(more, 'ALTER TABLE notes ADD COLUMN body TEXT;');
    open().close();
    const file = path.join(folder, 'x.db');
    const before = readFileSync(file);
    writeFileSync(more, 'ALTER TABLE notes ADD COLUMN text TEXT;');
    expect(refusal(() => open()).code).toBe('migration_edited');
    rmSync(more);
    const newer = refusal(() => open());
    expect([newer.code, newer.message.includes(folder)]).toEqual(['store_newer', false]);
    writeFileSync(path.join(folder, '0001_notes.sql'), 'CREATE TABLE notes (id TEXT) STRICT;');
    const unreleased = refusal(() => open());
    expect(unreleased.code).toBe('store_from_unreleased_version');
    expect(unreleased.message).toContain('move it away, or name another data folder');
    expect(readFileSync(file).equals(before)).toBe(true);
    writeFileSync(path.join(folder, 'junk.db'), 'this is no database at all, only some text');
    expect(refusal(() => open(path.join(folder, 'junk.db'))).code).toBe('store_corrupt');
  });

  test('an older program goes on over steps that it works with, and is refused over others', () => {
    const [more, most] = [path.join(folder, '0002_more.sql'), path.join(folder, '0003_most.sql')];
    const file = path.join(folder, 'x.db');
    writeFileSync(more, '-- compatible: yes\nALTER TABLE notes ADD COLUMN body TEXT;');
    open().close();
    rmSync(more);
    const before = readFileSync(file);
    const older = open();
    expect(older.schemaVersion).toBe(1);
    older.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    // Over a step of its own first.
    writeFileSync(more, '-- compatible: yes\nALTER TABLE notes ADD COLUMN body TEXT;');
    writeFileSync(most, '-- compatible: no\nALTER TABLE notes RENAME COLUMN body TO text;');
    writeFileSync(
      path.join(folder, '0004_last.sql'),
      '-- compatible: yes\nCREATE VIEW v AS SELECT 1;',
    );
    open().close();
    rmSync(path.join(folder, '0004_last.sql'));
    open().close();
    rmSync(most);
    const refused = refusal(() => open());
    expect(refused.code).toBe('store_newer');
    expect(refused.message).toContain('4 (for programs that know 3), this program knows 2');
  });

  test('a failing migration keeps nothing of itself', () => {
    writeFileSync(
      path.join(folder, '0002_bad.sql'),
      'CREATE TABLE kept (id TEXT) STRICT; SELECT nonsense;',
    );
    expect(refusal(() => open()).code).toBe('migration_failed');
    rmSync(path.join(folder, '0002_bad.sql'));
    const store = open();
    const tables = store.sqlite.prepare("SELECT name FROM sqlite_master WHERE name = 'kept'").all();
    expect(tables).toEqual([]);
    store.close();
  });
});
