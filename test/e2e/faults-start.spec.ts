// Starts that bring a store of an earlier version up to date, and what may go wrong in the middle:
// what is on the screen, and that the next start goes on with nothing lost.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { canMakeSmallDisk, makeSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { draftText, makeDraft, openDraft, TIDY_SPEC } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { changeStore } from './support/stores.ts';

test.describe.configure({ timeout: 300_000 });

const folder = scratchFolder();
const disks: SmallDisk[] = [];
test.afterAll(() => {
  for (const disk of disks) disk.remove();
  folder.remove();
});
const SLOW = { timeout: 60_000 };

/** Makes a data folder whose studio is one change behind, with so many megabytes in it. */
async function olderStudio(profile: string, data: string, megabytes: number): Promise<string> {
  const desktop = await openDesktop({ folder: profile, args: ['--data', data] });
  await desktop.ready();
  await makeDraft(desktop, 'kept', TIDY_SPEC);
  await desktop.close();
  const store = path.join(data, 'studio/studio.db');
  changeStore(
    store,
    `ALTER TABLE project_exposure DROP COLUMN privileged_entries;
     DROP INDEX audit_by_principal;
     DELETE FROM schema_migrations WHERE version = 8;
     CREATE TABLE ballast AS WITH RECURSIVE part (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM part
       WHERE n < ${megabytes}) SELECT n, randomblob(1000000) AS bytes FROM part;
     PRAGMA wal_checkpoint(TRUNCATE);`,
  );
  return store;
}

async function expectKept(desktop: Desktop): Promise<void> {
  await desktop.ready();
  await openDraft(desktop.page, 'kept');
  await expect.poll(() => draftText(desktop.page), SLOW).toContain('tidy');
}

test('a disk with no room for the copy of a store: the window says how much it needs, and goes on', async () => {
  test.skip(!canMakeSmallDisk(), 'no disk can be mounted here');
  const disk = makeSmallDisk(120);
  if (disk === undefined) throw new Error('no small disk');
  disks.push(disk);
  const profile = path.join(folder.path, 'full');
  const data = path.join(disk.folder, 'data');
  const store = await olderStudio(profile, data, 20);
  const fill = path.join(disk.folder, 'everything');
  const { bavail, bsize } = statfsSync(disk.folder);
  writeFileSync(fill, Buffer.alloc(bavail * bsize - 12_000_000));
  const before = statSync(store).size;

  const desktop = await openDesktop({ folder: profile, args: ['--data', data] });
  const banner = desktop.page.locator('.sw-banner');
  await expect(banner).toContainText('The services are not running.', SLOW);
  await expect(banner).toContainText(/That needs 3\d MB of the disk, 1\d MB are free/);
  await expect(banner).toContainText('Nothing was changed: free some space and start again');
  await checkLooks(desktop, 'fault-no-room-for-copy');
  expect(statSync(store).size).toBe(before);
  expect(readdirSync(path.dirname(store)).filter((name) => name.includes('.part'))).toEqual([]);
  rmSync(fill);
  await desktop.page.getByTestId('restart-services').click();
  await expectKept(desktop);
  await desktop.close();
  expect(existsSync(`${store}.before-v8`)).toBe(true);
});

test('killed while a store is copied, services and program: the next start shows it and loses nothing', async () => {
  const profile = path.join(folder.path, 'killed');
  const data = path.join(profile, 'data');
  const store = await olderStudio(profile, data, 600);
  const start = () => openDesktop({ folder: profile, args: ['--data', data] });
  const desktop = await start();
  const preparing = desktop.page.getByTestId('preparing');
  await expect(preparing).toContainText('The studio data is copied before', SLOW);
  await expect(preparing).toContainText('nothing is lost');
  // The services alone: the window says that they are started again, and they begin the copy anew.
  const shell = desktop.app.process();
  const [services = ''] = execFileSync('pgrep', ['-P', String(shell.pid), '-f', 'server.mjs'], {
    encoding: 'utf8',
  }).split('\n');
  process.kill(Number(services), 'SIGKILL');
  await expect(desktop.page.locator('.sw-banner')).toContainText(/started again|is copied/, SLOW);
  await expect(preparing).toContainText('The studio data is copied before', SLOW);
  // Then the whole program, in the middle of the second copy.
  const gone = new Promise((resolve) => shell.once('exit', resolve));
  shell.kill('SIGKILL');
  await gone;
  expect(existsSync(`${store}.before-v8`)).toBe(false);

  const again = await start();
  await expectKept(again);
  await again.close();
  expect(existsSync(`${store}.before-v8.part`)).toBe(false);
  expect(statSync(`${store}.before-v8`).size).toBeGreaterThan(600_000_000);
});
