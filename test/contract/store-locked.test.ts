// Another process holds the write lock of a store for seconds: nobody but the writer waits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type FakePlatform, startFakePlatform } from '../support/fake-platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

interface Subject {
  readonly url: string;
  readonly file: string;
  /** A request that only reads, and one that writes; `n` makes it another each time. */
  readonly read: string;
  write(n: number): { method: string; path: string; body: unknown; created: number };
}

let platform: FakePlatform;
let folder: string;
let dashboard: RunningService;
let studio: StudioUnderTest;

beforeAll(async () => {
  platform = await startFakePlatform();
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-locked-'));
  dashboard = await startTestDashboard(
    { url: platform.url },
    { databaseFile: path.join(folder, 'dashboard.db') },
  );
  studio = await startStudioUnderTest(platform.url);
});
afterAll(async () => {
  await studio.dispose();
  await dashboard.stop();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const SUBJECTS: readonly (readonly ['dashboard' | 'studio', () => Subject])[] = [
  [
    'dashboard',
    () => ({
      url: dashboard.url,
      file: path.join(folder, 'dashboard.db'),
      read: '/api/saved-filters',
      write: (n) => ({
        method: 'POST',
        path: '/api/saved-filters',
        body: { name: `f${n}`, filters: {} },
        created: 201,
      }),
    }),
  ],
  [
    'studio',
    () => ({
      url: studio.url,
      file: path.join(studio.folder, 'state', 'studio.db'),
      read: '/api/projects',
      write: (n) => ({
        method: 'POST',
        path: '/api/projects',
        body: { name: `p${n}` },
        created: 201,
      }),
    }),
  ],
];

describe.for(SUBJECTS)('the store of the %s is locked by another process', ([, subjectOf]) => {
  async function send(subject: Subject, n: number) {
    const { method, path: target, body } = subject.write(n);
    const begun = performance.now();
    const answer = await fetch(`${subject.url}${target}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, ms: performance.now() - begun };
  }

  /** Reads while the lock is held; answers the slowest read and the longest stall of the loop. */
  async function readOn(subject: Subject, forMs: number) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    let slowest = 0;
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      const begun = performance.now();
      const answer = await fetch(`${subject.url}${subject.read}`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      slowest = Math.max(slowest, performance.now() - begun);
      await sleep(10);
    }
    delays.disable();
    return { slowest, stalled: delays.max / 1e6 };
  }

  test('reads go on, and writes are carried out once it is free', { timeout: 30_000 }, async () => {
    const subject = subjectOf();
    expect((await send(subject, 0)).status).toBe(subject.write(0).created);
    const other = new BetterSqlite3(subject.file);
    other.exec('BEGIN IMMEDIATE');
    const writes = [send(subject, 1), send(subject, 2)];
    const { slowest, stalled } = await readOn(subject, 2_000);
    other.exec('COMMIT');
    for (const { status, text } of await Promise.all(writes)) {
      expect([status, text]).toEqual([subject.write(1).created, expect.any(String)]);
    }
    other.close();
    // Held by the lock it would be two seconds; the margin is for a machine under load.
    expect(slowest).toBeLessThan(1_000);
    expect(stalled).toBeLessThan(1_000);
  });

  test('a lock that stays is told in bounded time', { timeout: 40_000 }, async () => {
    const subject = subjectOf();
    const other = new BetterSqlite3(subject.file);
    other.exec('BEGIN IMMEDIATE');
    const writes = Promise.all([3, 4, 5].map((n) => send(subject, n)));
    const { slowest } = await readOn(subject, 6_000);
    for (const { status, headers, text, ms } of await writes) {
      expect([status, JSON.parse(text).code]).toEqual([503, 'store_unavailable']);
      expect(headers.get('retry-after')).not.toBeNull();
      expect(ms).toBeLessThan(10_000);
    }
    expect(slowest).toBeLessThan(1_000);
    other.exec('COMMIT');
    other.close();
    expect((await send(subject, 6)).status).toBe(subject.write(6).created);
  });
});
