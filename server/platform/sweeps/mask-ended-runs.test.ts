// What a run with many resume points leaves is masked in pieces; a stop or a run that goes on in between costs nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommitQueue } from '../../store/commit-queue.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';
import type { PlatformTables, ResumePointsTable } from '../../store/platform-tables.ts';
import { createWriteLock, writeLockMemory } from '../../store/write-lock.ts';
import { PooledTexts, TextPool } from '../stored-forms/text-pool.ts';
import { createMasker, type Masker } from '../stored-states/masker.ts';
import {
  createMaskingRepository,
  type MaskingRepository,
} from '../stored-states/masking-repository.ts';
import { maskEndedRuns } from './mask-ended-runs.ts';

const POINTS = 1500;
const MOST_IN_A_PIECE = 200;

let folder: string;
let store: Database<PlatformTables>;
let masker: Masker;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-mask-'));
  store = openDatabase<PlatformTables>({
    name: 'platform',
    file: path.join(folder, 'platform.db'),
    migrations: fileURLToPath(new URL('../../../migrations/platform', import.meta.url)),
    now: Date.now,
  });
  masker = createMasker(createMaskingRepository(store), store.sqlite.name);
});
afterEach(async () => {
  await masker.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each other text goes on from the one before it, its secret in the part that both hold. */
function textAt(number: number): string {
  const even = number - (number % 2);
  const text = `${'a long sentence of a step '.repeat(4)}${even} password="hunter2-${even}-x" and`;
  return even === number ? text : `${text} then api_key="hunter3-${number}-x" too`;
}

function endedRun(): MaskingRepository {
  const { sqlite } = store;
  sqlite
    .prepare(
      `INSERT INTO runs (id, status, target, workflow_kind, created_metadata, created_at, updated_at)
       VALUES ('r', 'completed', 't', 'sequential', '{}', '2026-01-01', '2026-01-01')`,
    )
    .run();
  const insert = sqlite.prepare<[ResumePointsTable]>(
    'INSERT INTO resume_points (run_id, number, change) VALUES (@run_id, @number, @change)',
  );
  const pool = new TextPool();
  sqlite.transaction(() => {
    for (let number = 1; number <= POINTS; number += 1) {
      const value = pool.encode({ set: { said: textAt(number) } });
      const made = number === 1 ? { full: value } : { delta: value };
      const change = JSON.stringify({ texts: pool.take(), ...made });
      insert.run({ run_id: 'r', number, change });
    }
  })();
  const masking = createMaskingRepository(store);
  masking.note('r');
  return masking;
}

function storedTexts(): string[] {
  const rows = store.sqlite
    .prepare<[], ResumePointsTable>('SELECT * FROM resume_points ORDER BY number')
    .all();
  const texts = new PooledTexts();
  return rows.map(({ change }) => {
    const { texts: fresh, full, delta } = JSON.parse(change);
    texts.add(fresh);
    return JSON.stringify(texts.decode(full ?? delta));
  });
}

const depsOf = (masking: MaskingRepository) => ({
  masking,
  masker,
  commits: createCommitQueue(store, createWriteLock(writeLockMemory(), 1)),
});

test('the points of a long run are read, masked and written in pieces', async () => {
  const stored = endedRun();
  const pieces: number[] = [];
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  const masking: MaskingRepository = {
    ...stored,
    points: (id, after) => {
      const piece = stored.points(id, after);
      pieces.push(piece.points.length);
      return piece;
    },
    writePoints: (run, points) => {
      pieces.push(points.length);
      return stored.writePoints(run, points);
    },
    write: (masked, points) => {
      pieces.push(points.length);
      return stored.write(masked, points);
    },
  };
  await maskEndedRuns(depsOf(masking), new AbortController().signal);
  clearInterval(counting);
  expect(Math.max(...pieces)).toBe(MOST_IN_A_PIECE);
  expect(pieces.reduce((sum, count) => sum + count)).toBe(2 * POINTS);
  expect(turns).toBeGreaterThanOrEqual(POINTS / MOST_IN_A_PIECE);
  const texts = storedTexts();
  expect(texts.join()).not.toMatch(/hunter[23]/);
  expect(texts).toHaveLength(POINTS);
  expect(texts.every((text) => text.includes('a long sentence of a step'))).toBe(true);
  expect(stored.waiting()).toEqual([]);
});

test('after a stop in the middle every point can be read, and the next start masks the rest', async () => {
  const stored = endedRun();
  const stop = new AbortController();
  let written = 0;
  const masking: MaskingRepository = {
    ...stored,
    writePoints: (run, points) => {
      written += 1;
      if (written === 3) stop.abort();
      return stored.writePoints(run, points);
    },
  };
  await maskEndedRuns(depsOf(masking), stop.signal);
  const halfway = storedTexts();
  expect(halfway.filter((text) => /hunter2/.test(text)).length).toBeGreaterThan(POINTS / 2);
  expect(halfway.at(-1)).not.toMatch(/hunter[23]/);
  expect(halfway.map((text) => text.replace(/(password|api_key).*?(?= and| too)/g, ''))).toEqual(
    Array.from({ length: POINTS }, (_, i) =>
      JSON.stringify({ set: { said: textAt(i + 1) } }).replace(
        /(password|api_key).*?(?= and| too)/g,
        '',
      ),
    ),
  );
  expect(stored.waiting()).toEqual(['r']);
  masker = createMasker(createMaskingRepository(store), store.sqlite.name);
  await maskEndedRuns(depsOf(stored), new AbortController().signal);
  expect(storedTexts().join()).not.toMatch(/hunter[23]/);
  expect(stored.waiting()).toEqual([]);
});

test('a run that goes on while its points are masked keeps them as they are', async () => {
  const stored = endedRun();
  const before = storedTexts();
  const masking: MaskingRepository = {
    ...stored,
    points: (id, after) => {
      if (after > 0) store.sqlite.exec("UPDATE runs SET execution_token = 'somebody'");
      return stored.points(id, after);
    },
  };
  await maskEndedRuns(depsOf(masking), new AbortController().signal);
  expect(storedTexts()).toEqual(before);
});
