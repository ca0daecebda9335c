import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { StorePreparations } from './store-preparation.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'preparation-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a copy is told as it grows, changes by their number, and nothing once it is over', async () => {
  let changes = 0;
  const preparations = new StorePreparations(() => {
    changes += 1;
  });
  const file = path.join(folder, 'studio.db.part');
  const copying = { step: 'copying', file, bytes: 4_000_000 } as const;
  preparations.told({ type: 'store_step', step: { store: 'studio', ...copying } });
  expect(preparations.now).toEqual({ store: 'studio', step: 'copying', done: 0, of: 4 });
  appendFileSync(file, Buffer.alloc(3_000_000));
  await expect.poll(() => preparations.now?.done, { timeout: 5_000 }).toBe(3);
  appendFileSync(file, Buffer.alloc(3_000_000));
  await expect.poll(() => preparations.now?.done, { timeout: 5_000 }).toBe(4);

  const changing = { step: 'changing', change: 2, changes: 5 } as const;
  preparations.told({ type: 'store_step', step: { store: 'studio', ...changing } });
  expect(preparations.now).toEqual({ store: 'studio', step: 'changing', done: 1, of: 5 });
  preparations.told({ type: 'store_step', step: { store: 'studio', step: 'done' } });
  expect(preparations.now).toBeNull();
  expect(changes).toBe(5);
  preparations.told({ type: 'store_step', step: { store: 'platform', ...copying } });
  preparations.over();
  expect(preparations.now).toBeNull();
});
