import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { fillRuns } from '../support/fill-runs.ts';
import { startTestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

const SCRIPT = fileURLToPath(new URL('../support/fault-process.ts', import.meta.url));
const QUIET = { SERV_SWEEP_INTERVAL_SECONDS: '0' };
/** Everything that is over before the pass begins. */
const AT_ONCE = { SERV_RETENTION_RUNS_DAYS: '0', SERV_RETENTION_RUN_STATUSES: 'completed,failed' };
const DAY_MS = 86_400_000;
const CHILDREN = ['trace_events', 'checkpoints', 'run_queue', 'run_list', 'continuations'];

let folder = '';
const file = () => path.join(folder, 'platform.db');
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platform-retention-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function read<T>(work: (db: BetterSqlite3.Database) => T): T {
  const db = new BetterSqlite3(file(), { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const numberOf = (db: BetterSqlite3.Database, sql: string): number =>
  db.prepare<[], number>(sql).pluck().get() ?? 0;
/** Runs that any pass from now on lets go. */
let old = "status IN ('completed', 'failed')";
const leftOver = () => read((db) => numberOf(db, `SELECT count(*) FROM runs WHERE ${old}`));

/** Fills the file by hand: tests that need it are left out where there is none. */
async function fill(runs: number): Promise<void> {
  await fillRuns(file(), runs);
  old = `status IN ('completed', 'failed') AND updated_at < '${new Date().toISOString()}'`;
}

/** Each run is there with all that belongs to it, or gone with it. */
function expectWhole(): void {
  read((db) => {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    for (const table of CHILDREN) {
      const lost = `SELECT count(*) FROM ${table} WHERE run_id NOT IN (SELECT id FROM runs)`;
      expect([table, numberOf(db, lost)]).toEqual([table, 0]);
    }
    const runs = numberOf(db, 'SELECT count(*) FROM runs');
    expect(numberOf(db, 'SELECT count(*) FROM run_list')).toBe(runs);
    expect(numberOf(db, 'SELECT coalesce(sum(runs), 0) FROM run_counts')).toBe(runs);
    expect(numberOf(db, 'SELECT count(*) FROM run_created')).toBe(runs);
    const short = `SELECT count(*) FROM runs WHERE trace_event_count > (SELECT count(*)
      FROM trace_events WHERE run_id = runs.id) AND id IN (SELECT run_id FROM trace_events)`;
    expect(numberOf(db, short)).toBe(0);
  });
}

async function start(): Promise<ChildProcess> {
  const args = [SCRIPT, file(), path.join(folder, 'effects'), JSON.stringify(AT_ONCE)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  return child;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('retention (contract/platform.md 12)', () => {
  test.skipIf(onPostgres)(
    'killed in between, a pass has removed whole runs; the next start goes on',
    async () => {
      await fill(800);
      let left = leftOver();
      const all = () => read((db) => numberOf(db, 'SELECT count(*) FROM runs'));
      const kept = all() - left;
      let between = 0;
      for (let kill = 0; kill < 4 && left > 0; kill += 1) {
        const child = await start();
        await until(() => leftOver() < left);
        child.kill('SIGKILL');
        await once(child, 'exit');
        left = leftOver();
        if (left > 0) between += 1;
        expectWhole();
      }
      expect(between).toBeGreaterThan(0);
      await start();
      await until(() => leftOver() === 0);
      expect(all()).toBeLessThanOrEqual(kept);
      expect(all()).toBeGreaterThan(0);
      expectWhole();
    },
    60_000,
  );

  test.skipIf(onPostgres)(
    'reads and writes go on beside a pass; its report is that of the dry run',
    async () => {
      await fill(1000);
      const days = { SERV_RETENTION_RUNS_DAYS: '1', SERV_RETENTION_CHECKPOINTS_DAYS: '1' };
      const p = await startTestPlatform({ file: file(), env: { ...QUIET, ...days } });
      try {
        p.clock.skewMs = 2 * DAY_MS;
        const counted = await p.service.retain({ dryRun: true });
        let over = false;
        const pass = p.service.retain({ dryRun: false }).finally(() => {
          over = true;
        });
        let answered = 0;
        while (!over) {
          const run = await p.post('/v1/runs', { input: 'young', spec: TINY });
          const list = await p.get('/v1/runs?limit=10');
          expect([run.status, list.status]).toEqual([200, 200]);
          expect(list.body.runs[0].input_text).toBe('young');
          answered += 1;
        }
        expect(answered).toBeGreaterThan(3);
        expect(counted.runs).toBeGreaterThan(900);
        expect(await pass).toEqual(counted);
        expect((await p.get('/v1/runs?q=young')).body.total).toBe(answered);
        expectWhole();
      } finally {
        await p.stop();
      }
    },
    60_000,
  );

  test.skipIf(onPostgres)(
    'a stop ends a pass between two removals; the next start goes on',
    async () => {
      await fill(1000);
      const p = await startTestPlatform({ file: file(), env: { ...QUIET, ...AT_ONCE } });
      await until(() => leftOver() < 950);
      await p.stop();
      expect(leftOver()).toBeGreaterThan(0);
      expectWhole();
      const again = await startTestPlatform({ file: file(), env: { ...QUIET, ...AT_ONCE } });
      await until(() => leftOver() === 0);
      await again.stop();
      expectWhole();
    },
    60_000,
  );

  test.skipIf(onPostgres)(
    'while another process writes too long a pass fails and takes nothing half',
    async () => {
      await fill(50);
      const env = { ...QUIET, SERV_RETENTION_RUNS_DAYS: '1' };
      const p = await startTestPlatform({ file: file(), env });
      const other = new BetterSqlite3(file());
      try {
        p.clock.skewMs = 2 * DAY_MS;
        other.exec('BEGIN IMMEDIATE');
        const pass = p.service.retain({ dryRun: false });
        const refused = expect(pass).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
        expect((await p.get('/v1/runs?limit=1')).status).toBe(200);
        await refused;
        other.exec('ROLLBACK');
        expectWhole();
        const { runs } = await p.service.retain({ dryRun: true });
        expect(runs).toBeGreaterThan(40);
        expect((await p.service.retain({ dryRun: false })).runs).toBe(runs);
      } finally {
        other.close();
        await p.stop();
      }
    },
  );
});
