import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './open-database.ts';
import { keepWal } from './wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from './write-lock.ts';

const MIB = 1024 * 1024;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'wal-'));
  writeFileSync(path.join(folder, '0001_notes.sql'), 'CREATE TABLE notes (text TEXT) STRICT;');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the log of writers that never pause stays short, and its space comes back after them', async () => {
  const file = path.join(folder, 'x.db');
  const store = openDatabase({ name: 'platform', file, migrations: folder, now: () => 0 });
  const memory = writeLockMemory();
  const lock = createWriteLock(memory, LOCK_HOLDERS.main);
  const keeper = keepWal(store, { file, durability: 'normal', lock: memory }, lock);
  expect(keeper).toBeDefined();
  const insert = store.sqlite.prepare('INSERT INTO notes (text) VALUES (?)');
  const log = (): number => statSync(`${file}-wal`).size;
  let longest = 0;
  for (let written = 0; written < 300 * MIB; written += MIB) {
    lock.run(() => insert.run('x'.repeat(MIB)));
    longest = Math.max(longest, log());
    await new Promise((resolve) => setTimeout(resolve, 5));
    await turn();
  }
  expect(longest).toBeLessThan(200 * MIB);
  await vi.waitFor(() => expect(log()).toBeLessThan(4 * MIB), { timeout: 20_000, interval: 100 });
  expect(store.sqlite.prepare('SELECT count(*) AS n FROM notes').get()).toEqual({ n: 300 });
  await keeper?.stop();
  store.close();
}, 60_000);

test('a service at rest, which still writes a little, gets the space back and keeps no thread', async () => {
  const file = path.join(folder, 'x.db');
  const store = openDatabase({ name: 'platform', file, migrations: folder, now: () => 0 });
  const memory = writeLockMemory();
  const lock = createWriteLock(memory, LOCK_HOLDERS.main);
  const keeper = keepWal(store, { file, durability: 'normal', lock: memory }, lock);
  const insert = store.sqlite.prepare('INSERT INTO notes (text) VALUES (?)');
  const threads = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const atFirst = threads();
  for (let written = 0; written < 40; written += 1) {
    lock.run(() => insert.run('x'.repeat(MIB)));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const beats = setInterval(() => lock.run(() => insert.run('a beat')), 300);
  const log = (): number => statSync(`${file}-wal`).size;
  await vi.waitFor(() => expect(log()).toBeLessThan(4 * MIB), { timeout: 20_000, interval: 100 });
  await vi.waitFor(() => expect(threads()).toBe(atFirst), { timeout: 20_000, interval: 100 });
  clearInterval(beats);
  await keeper?.stop();
  store.close();
}, 60_000);
