import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';
import { canMakeSmallDisk, makeSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { TINY } from '../support/specs.ts';

const QUIET = { SERV_SWEEP_INTERVAL_SECONDS: '0' };

let disk: SmallDisk;
let folder = '';
const file = () => path.join(folder, 'platform.db');

describe.skipIf(!canMakeSmallDisk())(
  'a small disk (contract/platform.md 4, store_unavailable)',
  () => {
    beforeEach(() => {
      const made = makeSmallDisk(12);
      if (made === undefined) throw new Error('no small disk');
      disk = made;
      folder = made.folder;
    });
    afterEach(() => disk.remove());

    test('full: 503 and nothing half-written; reads go on; with room again all is well', async () => {
      const p = await startTestPlatform({ file: file(), env: QUIET });
      const first = await p.post('/v1/runs', { input: 'first', spec: TINY });
      expect(first.status).toBe(200);
      const ballast = path.join(folder, 'ballast');
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 400_000)));
      const statuses: number[] = [];
      for (let i = 0; i < 200 && !statuses.includes(503); i += 1) {
        const answer = await p.post('/v1/runs', { input: `run ${i}`, spec: TINY });
        statuses.push(answer.status);
        if (answer.status !== 503) continue;
        expect(answer.body.detail.error).toBe('store_unavailable');
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.text).not.toMatch(/sqlite|disk|full/i);
      }
      expect(statuses.at(-1)).toBe(503);
      const kept = 1 + statuses.filter((status) => status === 200).length;
      expect((await p.get('/v1/runs?limit=1')).body.total).toBe(kept);
      rmSync(ballast);
      expect((await p.post('/v1/runs', { input: 'after', spec: TINY })).status).toBe(200);
      expect((await p.get('/v1/runs?q=after')).body.total).toBe(1);
      await p.stop();
      const stored = new BetterSqlite3(file(), { readonly: true });
      expect(stored.pragma('integrity_check', { simple: true })).toBe('ok');
      const runs = stored.prepare<[], { n: number }>('SELECT count(*) AS n FROM runs').get();
      expect(runs?.n).toBe(kept + 1);
      stored.close();
    }, 60_000);

    test('full in the middle of retention: what was removed stays removed, the rest goes later', async () => {
      const env = { ...QUIET, SERV_RETENTION_RUNS_DAYS: '1' };
      const first = await startTestPlatform({ file: file(), env: QUIET });
      for (let i = 0; i < 150; i += 1) {
        await first.post('/v1/runs', { input: `run ${i}`, spec: TINY });
      }
      // The log of the store begins anew and has to grow.
      await first.stop();
      const p = await startTestPlatform({ file: file(), env });
      p.clock.skewMs = 2 * 86_400_000;
      const ballast = path.join(folder, 'ballast');
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 300_000)));
      await expect(p.service.retain({ dryRun: false })).rejects.toMatchObject({
        code: expect.stringMatching(/^SQLITE_(FULL|IOERR)/),
      });
      const left = (await p.get('/v1/runs?limit=1')).body.total;
      expect(left).toBeGreaterThan(0);
      rmSync(ballast);
      expect(await p.service.retain({ dryRun: true })).toMatchObject({ runs: left });
      expect(await p.service.retain({ dryRun: false })).toMatchObject({ runs: left });
      expect((await p.get('/v1/runs')).body.total).toBe(0);
      await p.stop();
      const stored = new BetterSqlite3(file(), { readonly: true });
      expect(stored.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(stored.pragma('foreign_key_check')).toEqual([]);
      stored.close();
    }, 60_000);

    test('write-protected: the start is refused in one line and leaves the store as it was', async () => {
      const p = await startTestPlatform({ file: file(), env: QUIET });
      await p.post('/v1/runs', { input: 'first', spec: TINY });
      await p.stop();
      const before = readFileSync(file());
      disk.remount('ro');
      await expect(startTestPlatform({ file: file(), env: QUIET })).rejects.toMatchObject({
        code: 'store_unwritable',
        message: expect.stringMatching(
          /^The platform database cannot be (opened|written)\. Check /,
        ),
      });
      expect(readFileSync(file()).equals(before)).toBe(true);
      disk.remount('rw');
      const again = await startTestPlatform({ file: file(), env: QUIET });
      expect((await again.get('/v1/runs')).body.total).toBe(1);
      await again.stop();
    }, 30_000);

    test('write-protected without a store: refused as well, nothing is left', async () => {
      disk.remount('ro');
      await expect(startTestPlatform({ file: file(), env: QUIET })).rejects.toMatchObject({
        code: 'store_unwritable',
      });
    });
  },
);
