import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../store/open-database.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations/platform');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (migrations: string) =>
  openDatabase({
    name: 'platform',
    file: path.join(folder, 'platform.db'),
    migrations,
    now: () => 0,
  });

/** A value for each column of a table, by its declared type; `given` are those that matter. */
function fill(
  store: ReturnType<typeof open>,
  table: string,
  given: Readonly<Record<string, string | number | null>>,
): void {
  const columns = store.sqlite
    .prepare<[string], { name: string; type: string }>(
      'SELECT name, type FROM pragma_table_info(?)',
    )
    .all(table);
  const values = columns.map(({ name, type }) =>
    name in given ? given[name] : type === 'TEXT' ? name : 7,
  );
  const places = columns.map(() => '?').join(', ');
  store.sqlite
    .prepare(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${places})`,
    )
    .run(...values);
}

test('a store from before plain rows keeps each of them, in their order (RP store)', () => {
  const before = path.join(folder, 'before');
  mkdirSync(before);
  for (const file of readdirSync(MIGRATIONS)) {
    if (file < '0030') cpSync(path.join(MIGRATIONS, file), path.join(before, file));
  }
  const older = open(before);
  for (const id of ['b', 'a']) {
    fill(older, 'runs', { id, code_bundle: null });
    for (const number of [1, 2]) {
      const own = { run_id: id, sequence: number, number };
      fill(older, 'checkpoints', { ...own, id: `${id}${number}`, created_at: `${number}` });
      fill(older, 'trace_events', { ...own, payload: `{"of":"${id}${number}"}` });
      fill(older, 'resume_points', own);
      fill(older, 'audit_events', { id: `${id}${number}`, run_id: id });
    }
  }
  const tables = ['checkpoints', 'trace_events', 'resume_points'];
  const rowsOf = (store: ReturnType<typeof open>) => ({
    ...Object.fromEntries(
      tables.map((table) => [
        table,
        store.sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
      ]),
    ),
    audit: store.sqlite.prepare('SELECT rowid, * FROM audit_events ORDER BY rowid').all(),
  });
  const stored = rowsOf(older);
  older.close();
  const newer = open(MIGRATIONS);
  expect(rowsOf(newer)).toEqual(stored);
  newer.sqlite.prepare('DELETE FROM runs WHERE id = ?').run('a');
  for (const table of tables) {
    expect(newer.sqlite.prepare(`SELECT DISTINCT run_id FROM ${table}`).all()).toEqual([
      { run_id: 'b' },
    ]);
  }
  newer.close();
});
