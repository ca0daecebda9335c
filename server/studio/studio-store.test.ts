import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFileStore, type StudioStore } from './studio-store.ts';

let folder = '';
let store: StudioStore;
const file = () => path.join(folder, 'studio.db');
const open = (): StudioStore =>
  openFileStore({
    databaseFile: file(),
    migrationsDir: fileURLToPath(new URL('../../migrations/studio', import.meta.url)),
    clock: { now: () => Date.UTC(2026, 10, 21) },
    log: { info() {}, warn() {}, error() {} },
  });
const principal = (id: string, name = 'n') => ({
  ...{ id, kind: 'static' as const, issuer: 'i', subject: id, display_name: name },
  ...{ state: 'active' as const, created_at: 'now' },
});

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'studio-store-'));
  store = open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a statement answers for the values it is given, however many others came between', async () => {
  const { db } = store;
  const ask = (number: number) =>
    sql<{ n: number }>`SELECT ${sql.raw(String(number))} + ${number} AS n`.execute(db);
  for (const round of [1, 2]) {
    for (let number = 0; number < 300; number += 1) {
      const { rows } = await ask(number);
      expect(rows, `round ${round}`).toEqual([{ n: number * 2 }]);
    }
  }
});

test('what a failed transaction wrote is gone, and the next one uses the same statements', async () => {
  const { db } = store;
  const failed = db.transaction().execute(async (trx) => {
    await trx.insertInto('principal').values(principal('a')).execute();
    await trx.insertInto('principal').values(principal('a')).execute();
  });
  await expect(failed).rejects.toThrow('UNIQUE');
  const add = (id: string) =>
    db.transaction().execute((trx) => trx.insertInto('principal').values(principal(id)).execute());
  await Promise.all([add('b'), add('c')]);
  const rows = await db.selectFrom('principal').select('id').orderBy('id').execute();
  expect(rows.map((row) => row.id)).toEqual(['b', 'c']);
});

test('the log is moved into the store while it is open, and what was written is there again', async () => {
  const large = 'x'.repeat(1024 * 1024);
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await store.db.insertInto('principal').values(principal(id, large)).execute();
  }
  // The thread that writes never moves it.
  const { rows: own } = await sql`PRAGMA wal_autocheckpoint`.execute(store.db);
  expect(own).toEqual([{ wal_autocheckpoint: 0 }]);
  await vi.waitFor(() => expect(statSync(file()).size).toBeGreaterThan(6 * 1024 * 1024), 10_000);
  await store.close();
  store = open();
  const { rows } = await sql<{ n: number }>`SELECT sum(length(display_name)) AS n
    FROM principal`.execute(store.db);
  expect(rows).toEqual([{ n: 6 * large.length }]);
});
