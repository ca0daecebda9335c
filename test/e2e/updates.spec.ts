import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startUpdateFeed, type UpdateFeed } from '../support/update-feed.ts';
import { makeDraft, openDraft, TIDY_SPEC } from './support/editor.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';
import {
  attach,
  nextVersion,
  openAt,
  packWithFeed,
  tarOf,
  type UpdatingWindow,
} from './support/updating.ts';

test.describe.configure({ timeout: 600_000 });
test.skip(process.platform !== 'linux', 'packages the form for Linux');

const packages = path.resolve(import.meta.dirname, '../../test-results/updates');
const FEED = `latest-linux${process.arch === 'x64' ? '' : `-${process.arch}`}.yml`;
const NOTES = '## What is new\n\n- It **updates itself**.\n';

let feed: UpdateFeed;
let folder: ScratchFolder;
let window: UpdatingWindow | undefined;

test.beforeAll(async () => {
  feed = await startUpdateFeed();
  folder = scratchFolder();
  rmSync(packages, { recursive: true, force: true });
});
test.afterAll(async () => {
  await window?.kill().catch(() => undefined);
  await feed.stop();
  folder.remove();
  rmSync(packages, { recursive: true, force: true });
});

const standing = (page: Page) => page.getByTestId('updates');
const step = (page: Page, name: string) => page.getByTestId(`update-${name}`).click();
const phase = (page: Page, name: string) =>
  expect(standing(page)).toHaveAttribute('data-state', name, { timeout: 120_000 });

async function openUpdates(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/settings?section=updates';
  });
  await expect(standing(page)).toBeVisible();
}

async function expectVersion(page: Page, version: string): Promise<void> {
  const told = page.locator('dt', { hasText: /^Version$/ }).locator('+ dd');
  await expect(told).toContainText(version);
}

test('a folder of a tar.gz updates itself: refused, paused, killed, installed, migrated, gone back', async () => {
  const keyFile = path.join(folder.path, 'key.pem');
  writeFileSync(keyFile, feed.secretPem, { mode: 0o600 });
  const program = packWithFeed(packages, feed.url, keyFile);
  const next = path.join(packages, 'specwright-0.1.1');
  nextVersion(program, next, '0.1.1', 'CREATE TABLE next_version (id TEXT) STRICT;');
  const offer = {
    version: '0.1.1',
    notes: NOTES,
    packageName: 'specwright-0.1.1.tar.gz',
    bytes: tarOf(next, path.join(packages, 'next.tar.gz')),
  };
  const launcher = path.join(program, 'specwright');
  const profile = path.join(folder.path, 'profile');
  mkdirSync(profile);
  const studio = path.join(profile, 'studio');

  await test.step('an older version, another signature and another checksum are refused', async () => {
    window = await openAt(launcher, profile);
    const { page } = window;
    await window.ready();
    await makeDraft(window, 'kept', TIDY_SPEC);
    await openUpdates(page);
    await expectVersion(page, '0.1.0');
    expect(feed.asked).toEqual([]);

    feed.offer(FEED, { ...offer, version: '0.0.9' });
    await step(page, 'check');
    await expect(page.getByTestId('update-problem')).toContainText('0.0.9 is older than this one');

    feed.offer(FEED, offer, { feedAfter: (text) => text.replace('0.1.1', '0.1.9') });
    await step(page, 'check');
    await expect(page.getByTestId('update-problem')).toContainText('its signature does not match');
    await phase(page, 'refused');
    await expect(page.getByTestId('status-update')).toHaveText(/Update refused/);
    await keepScreen(page, 'update-refused');

    const other = Buffer.from(offer.bytes.subarray(0, 5_000_000));
    feed.offer(FEED, { ...offer, bytes: other }, { packageAfter: Buffer.alloc(other.length) });
    await step(page, 'check');
    await phase(page, 'available');
    await step(page, 'download');
    await expect(page.getByTestId('update-problem')).toContainText('its checksum differs');
    await phase(page, 'refused');
  });

  await test.step('a download is paused, goes on, is killed, and goes on at the next start', async () => {
    const { page, kill } = window ?? (await openAt(launcher, profile));
    feed.offer(FEED, offer, { bytesPerSecond: 20_000_000 });
    await step(page, 'check');
    await phase(page, 'available');
    await expect(page.getByTestId('update-notes')).toContainText('It updates itself.');
    await step(page, 'download');
    await expect(page.getByTestId('update-standing')).toContainText(/Downloading [1-9]\d* MB/);
    await step(page, 'pause');
    await phase(page, 'paused');
    await keepScreen(page, 'update-paused');
    await step(page, 'resume');
    await phase(page, 'downloading');
    await kill();

    feed.offer(FEED, offer);
    window = await openAt(launcher, profile);
    await window.ready();
    await openUpdates(window.page);
    await step(window.page, 'check');
    await phase(window.page, 'available');
    await step(window.page, 'download');
    await phase(window.page, 'ready');
    expect(feed.asked.filter((line) => line.includes('bytes=')).length).toBeGreaterThan(1);
    await keepScreen(window.page, 'update-ready');
  });

  await test.step('it is installed, its store is migrated after a copy, and it starts', async () => {
    const before = window?.process;
    await step(window?.page as Page, 'restart');
    window = await attach(profile, before);
    const { page } = window;
    await window.ready();
    await openUpdates(page);
    await expectVersion(page, '0.1.1');
    await expect(page.getByTestId('status-update')).toHaveText(/Updated to 0\.1\.1/);
    const [copy] = readdirSync(studio).filter((name) => /before-v\d+$/.test(name));
    await expect(page.getByTestId('store-copy')).toContainText(path.join(studio, String(copy)));
    await keepScreen(page, 'update-done');
    await openDraft(page, 'kept.yaml');
  });

  await test.step('one click goes back to the version and the store before', async () => {
    const { page, process: before } = window as UpdatingWindow;
    await openUpdates(page);
    await page.getByTestId('go-back').click();
    window = await attach(profile, before);
    await window.ready();
    await openUpdates(window.page);
    await expectVersion(window.page, '0.1.0');
    expect(existsSync(path.join(studio, 'studio.db.newer-v9001'))).toBe(true);
    await openDraft(window.page, 'kept.yaml');
  });

  await test.step('an update whose services do not start offers the version before', async () => {
    const broken = path.join(program, '.versions/0.1.2');
    nextVersion(path.join(program, '.versions/0.1.1'), broken, '0.1.2', 'SELECT nonsense;');
    feed.offer(FEED, { ...offer, version: '0.1.2', bytes: Buffer.from('laid there by the test') });
    const { page, process: before, quit } = window as UpdatingWindow;
    await openUpdates(page);
    await step(page, 'check');
    await phase(page, 'available');
    await step(page, 'download');
    await phase(page, 'ready');
    // On quit: nothing is asked, the next start is the new version.
    await quit();
    expect(readFileSync(path.join(program, 'current'), 'utf8')).toBe('0.1.2\n');
    window = await openAt(launcher, profile);
    const banner = window.page.getByTestId('update-failed');
    await expect(banner).toContainText('The update to 0.1.2 did not start well', {
      timeout: 120_000,
    });
    await keepScreen(window.page, 'update-failed');
    const failed = window.process;
    expect(failed).not.toBe(before);
    await window.page.getByTestId('update-go-back').click();
    window = await attach(profile, failed);
    await window.ready();
    await openUpdates(window.page);
    await expectVersion(window.page, '0.1.0');
    await window.quit();
    window = undefined;
  });
});
