// What a run leaves holds no secret in the end, and the loop turns while a large one is masked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { pooled } from '../stored-forms/text-pool.ts';
import { maskStored } from './mask-run.ts';
import { createMasker, type Masker } from './masker.ts';
import { createMaskingRepository, type MaskingRepository } from './masking-repository.ts';

let folder: string;
let store: Database<PlatformTables>;
let masking: MaskingRepository;
let masker: Masker;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'masker-'));
  const file = path.join(folder, 'platform.db');
  const migrations = fileURLToPath(new URL('../../../migrations/platform', import.meta.url));
  store = openDatabase<PlatformTables>({ name: 'platform', file, migrations, now: Date.now });
  masking = createMaskingRepository(store);
  masker = createMasker(masking, file);
});
afterEach(async () => {
  await masker.close();
  store.close();
  rmSync(folder, { recursive: true });
});

function left(text: string): void {
  store.sqlite
    .prepare(
      `INSERT INTO runs (id, status, target, workflow_kind, input_text, created_metadata, created_at, updated_at)
       VALUES ('r', 'completed', 't', 'sequential', ?, ?, '2026-01-01', '2026-01-01')`,
    )
    .run(text, JSON.stringify({ note: text }));
  store.sqlite
    .prepare("INSERT INTO run_states (run_id, state, updated_at) VALUES ('r', ?, '2026-01-01')")
    .run(JSON.stringify(pooled({ said: text })));
  masking.note('r');
}

function secrets(count: number): string {
  return Array.from({ length: count }, (_, i) => `password="hunter2-${i}-x"`).join('\n');
}

test('a small run is masked where it is asked for', async () => {
  left(secrets(3));
  const kept = await masker.mask('r');
  expect(kept).toEqual(maskStored(masking, 'r'));
  expect(kept?.row?.input_text).toContain('password=');
  expect(JSON.stringify(kept)).not.toContain('hunter2');
});

test('a text of 900 KB full of secrets is masked beside the event loop, with the same result', async () => {
  left(secrets(35_000));
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const kept = await masker.mask('r');
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(kept).toEqual(maskStored(masking, 'r'));
}, 60_000);

test.each([
  ['small', 3],
  ['large', 100_000],
])('a %s run without secrets is done without a write of its texts', async (_, size) => {
  left('plain words '.repeat(size));
  const kept = await masker.mask('r');
  expect(kept).toMatchObject({ row: null, state: null });
  if (kept !== null) expect(masking.write(kept, [])).toBe(true);
  expect(masking.waiting()).toEqual([]);
  expect(store.sqlite.prepare('SELECT input_text FROM runs').get()).toEqual({
    input_text: 'plain words '.repeat(size),
  });
});

test('a run without secrets that went on meanwhile is not called done', async () => {
  left('plain words');
  const kept = await masker.mask('r');
  store.sqlite.exec("UPDATE runs SET execution_token = 'somebody'");
  if (kept !== null) expect(masking.write(kept, [])).toBe(false);
  store.sqlite.exec('UPDATE runs SET execution_token = NULL');
  expect(masking.waiting()).toEqual(['r']);
});

test('a run that is gone needs nothing', async () => {
  expect(await masker.mask('gone')).toBeNull();
});
