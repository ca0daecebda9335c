// More runs than a list reaches (contract/platform.md 1.5; RP-151).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillRuns } from '../support/fill-runs.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const FILLED = 10_060;
const folder = mkdtempSync(path.join(tmpdir(), 'window-'));
const file = path.join(folder, 'platform.db');

let p: TestPlatform;
let newest: { id: string; created_at: string }[];
beforeAll(async () => {
  await fillRuns(file, FILLED);
  const sqlite = new Sqlite(file, { readonly: true });
  newest = sqlite
    .prepare<[], Loose>('SELECT id, created_at FROM runs ORDER BY updated_at DESC')
    .all();
  sqlite.close();
  p = await startTestPlatform({ file, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
}, 60_000);
afterAll(async () => {
  await p.stop();
  rmSync(folder, { recursive: true, force: true });
});

const list = async (query: string): Promise<Loose> => (await p.get(`/v1/runs?${query}`)).body;

test('the total is that of all; the rows past the window are not reached', async () => {
  expect(newest.length).toBeGreaterThan(10_050);
  for (const sort of ['updated_at', 'created_at', 'id', 'metadata.caller_metadata.none']) {
    for (const order of ['asc', 'desc']) {
      const query = `sort_by=${sort}&sort_order=${order}`;
      const last = await list(`${query}&offset=9990&limit=1000`);
      expect([query, last.total, last.window, last.count]).toEqual([
        query,
        newest.length,
        10_000,
        10,
      ]);
      const beyond = await list(`${query}&offset=10000&limit=1`);
      expect([query, beyond.total, beyond.count]).toEqual([query, newest.length, 0]);
    }
  }
});

test('an ascending order begins inside of the window, not with the oldest of all', async () => {
  const reached = new Set(newest.slice(0, 10_000).map(({ id }) => id));
  for (const sort of ['updated_at', 'created_at', 'metadata.caller_metadata.none']) {
    const first = await list(`sort_by=${sort}&sort_order=asc&limit=100`);
    const outside = first.runs.filter(({ id }: Loose) => !reached.has(id));
    expect([sort, outside.length]).toEqual([sort, 0]);
  }
});
