// /readyz of each service on a disk without room, and one that takes no writes.
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { startTestPlatform } from '../support/platform.ts';
import { canMakeSmallDisk, makeSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { startStudioUnderTest } from '../support/studio-app.ts';

const PLATFORM = 'http://127.0.0.1:9';
let disk: SmallDisk;
let stop: () => Promise<unknown>;

describe.skipIf(!canMakeSmallDisk())('readiness on a small disk', () => {
  beforeEach(() => {
    const made = makeSmallDisk(12);
    if (made === undefined) throw new Error('no small disk');
    disk = made;
  });
  afterEach(async () => {
    disk.remount('rw');
    await stop();
    disk.remove();
  });

  async function platform(file: string): Promise<string> {
    const started = await startTestPlatform({ file });
    stop = () => started.stop();
    return `${started.url}/v1/readyz`;
  }
  async function dashboard(databaseFile: string): Promise<string> {
    const started = await startTestDashboard({ url: PLATFORM }, { databaseFile });
    stop = () => started.stop();
    return `${started.url}/api/readyz`;
  }
  async function studio(databaseFile: string): Promise<string> {
    const started = await startStudioUnderTest(PLATFORM, { databaseFile });
    stop = () => started.dispose();
    return `${started.url}/api/readyz`;
  }

  test.for([
    ['platform', platform],
    ['dashboard', dashboard],
    ['studio', studio],
  ] as const)('%s', { timeout: 30_000 }, async ([name, start]) => {
    const url = await start(path.join(disk.folder, 'store.db'));
    const ask = async () => {
      const answer = await fetch(url);
      return { status: answer.status, text: await answer.text() };
    };
    expect((await ask()).status).toBe(200);
    const ballast = path.join(disk.folder, 'ballast');
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    const full = await ask();
    expect(full.status).toBe(503);
    if (name === 'platform') {
      const { checks } = JSON.parse(full.text).detail.metadata;
      const failed = { name: 'run_state_store', ok: false, error: 'check_failed' };
      expect(checks['run_state_store']).toEqual(failed);
      expect(checks['queue'].ok).toBe(true);
    } else {
      expect(full.text).toMatch(/"store":false/);
    }
    rmSync(ballast);
    expect((await ask()).status).toBe(200);
  });
});
