import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { diffObjects } from '../stored-forms/json-delta.ts';
import { TextPool } from '../stored-forms/text-pool.ts';
import { createResumePoints } from './resume-points-repository.ts';

const POINTS = 1500;

let folder: string;
let store: Database<PlatformTables>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-points-'));
  store = openDatabase<PlatformTables>({
    name: 'platform',
    file: path.join(folder, 'platform.db'),
    migrations: fileURLToPath(new URL('../../../migrations/platform', import.meta.url)),
    now: Date.now,
  });
  store.sqlite.exec(
    `INSERT INTO runs (id, status, target, workflow_kind, created_metadata, created_at, updated_at)
     VALUES ('r', 'completed', 't', 'graph', '{}', '2026-01-01', '2026-01-01')`,
  );
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function pointAt(number: number): JsonObject {
  const said = Array.from({ length: number }, (_, i) => ({ role: 'user', content: `said ${i}` }));
  return { number, place: { next: number }, histories: { a: said } };
}

test('a point of a long run is read in pieces, and is what was stored', async () => {
  const points = createResumePoints(store);
  const pool = new TextPool();
  let before: JsonObject = {};
  store.sqlite.transaction(() => {
    for (let number = 1; number <= POINTS; number += 1) {
      const next = pointAt(number);
      const change = diffObjects(before, next, (_key, value) => pool.encode(value));
      const made = number === 1 ? { full: change } : { delta: change };
      const row = { run_id: 'r', number, change: JSON.stringify({ texts: pool.take(), ...made }) };
      points.insert(row);
      before = next;
    }
  })();
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  expect(await points.find('r', POINTS)).toEqual(pointAt(POINTS));
  over = true;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(POINTS / 200));
  expect(await points.find('r', 201)).toEqual(pointAt(201));
  expect(await points.find('r', 200)).toEqual(pointAt(200));
});

test('a point that was not stored is the very beginning', async () => {
  const points = createResumePoints(store);
  expect(await points.find('r', 0)).toEqual({ number: 0, place: null, histories: {} });
  expect(await points.find('r', 7)).toEqual({ number: 7, place: null, histories: {} });
});
