// Faults of the machine, in the real window: what is on the screen, and that nothing is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { canMakeSmallDisk, makeSmallDisk } from '../support/small-disk.ts';
import { endWithTests } from './support/children.ts';
import { environment, executable, openDesktop, windowSwitches } from './support/desktop.ts';
import { draftText, makeDraft, openDraft, TIDY_SPEC, typeAtEnd } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';
import { changeStore } from './support/stores.ts';

test.describe.configure({ timeout: 300_000 });

const root = path.resolve(import.meta.dirname, '../..');
const folder = scratchFolder();
test.afterAll(() => folder.remove());
const inFolder = (name: string): string => path.join(folder.path, name);
const SLOW = { timeout: 60_000 };

test('a data folder of a newer version is left as it is, and the window says which program opens it', async () => {
  const profile = inFolder('newer');
  const first = await openDesktop({ folder: profile });
  await first.ready();
  await first.close();
  const store = path.join(profile, 'studio/studio.db');
  changeStore(
    store,
    "INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (9900, 'from_the_future', 'x', '2030-01-01T00:00:00Z')",
  );
  const before = readFileSync(store);
  const desktop = await openDesktop({ folder: profile });
  const banner = desktop.page.locator('.sw-banner');
  await expect(banner).toContainText('The studio database has schema version 9900', SLOW);
  await expect(banner).toContainText('Start the newer program, or restore a backup');
  await checkLooks(desktop, 'fault-newer-data');
  await desktop.close();
  expect(readFileSync(store).equals(before)).toBe(true);
});

test.describe('a small disk', () => {
  test.skip(!canMakeSmallDisk(), 'no disk can be mounted here');

  test('that is full keeps what was there and what is typed, and goes on when there is room', async () => {
    const disk = makeSmallDisk(60);
    if (disk === undefined) throw new Error('no small disk');
    const args = ['--data', path.join(disk.folder, 'data')];
    const desktop = await openDesktop({ folder: inFolder('full'), args });
    const { page } = desktop;
    await desktop.ready();
    await makeDraft(desktop, 'kept', TIDY_SPEC);
    await openDraft(page, 'kept');
    const fill = path.join(disk.folder, 'everything');
    expect(() => writeFileSync(fill, Buffer.alloc(80_000_000))).toThrow('ENOSPC');
    await typeAtEnd(page, '# typed on a full disk');
    await page.keyboard.press('Control+s');
    await expect(
      page.getByText(/could not be written|takes no change right now/).first(),
    ).toBeVisible(SLOW);
    await expect(page.getByText(/disk/).first()).toBeVisible();
    await checkLooks(desktop, 'fault-disk-full');
    expect(await draftText(page)).toContain('# typed on a full disk');
    await desktop.close();

    const again = await openDesktop({ folder: inFolder('full'), args });
    await expect.poll(async () => (await again.services()).phase, SLOW).toMatch(/ready|crashed/);
    if ((await again.services()).phase === 'crashed') {
      await expect(again.page.locator('.sw-banner')).toContainText(/disk is full/i);
      await keepScreen(again.page, 'fault-disk-full-start');
    }
    rmSync(fill);
    await again.page.waitForTimeout(500);
    if ((await again.services()).phase === 'crashed') {
      await again.page.getByTestId('restart-services').click();
    }
    await again.ready();
    await openDraft(again.page, 'kept');
    await expect.poll(() => draftText(again.page), SLOW).toContain('# typed on a full disk');
    await again.page.locator('.monaco-editor .view-lines').click();
    await again.page.keyboard.press('Control+s');
    const saved = () =>
      readdirSync(disk.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('kept.yaml'))
        .map((name) => readFileSync(path.join(disk.folder, name), 'utf8'));
    await expect.poll(saved, SLOW).toEqual([expect.stringContaining('# typed on a full disk')]);
    await again.close();
    disk.remove();
  });

  test('that can only be read: the window says that the data folder cannot be used, and what to do', async () => {
    const disk = makeSmallDisk(60);
    if (disk === undefined) throw new Error('no small disk');
    disk.remount('ro');
    const args = ['--data', path.join(disk.folder, 'data')];
    const desktop = await openDesktop({ folder: inFolder('read-only'), args });
    const banner = desktop.page.locator('.sw-banner');
    await expect(banner).toContainText('The services are not running.', SLOW);
    await expect(banner).toContainText('cannot be used');
    await expect(banner).toContainText('give --data another folder');
    await desktop.close();
    disk.remove();
  });

  test('a home that can only be read: the start is refused in words, not by silence', async () => {
    const disk = makeSmallDisk(8);
    if (disk === undefined) throw new Error('no small disk');
    disk.remount('ro');
    const child = endWithTests(
      spawn(executable(), [root, ...windowSwitches(disk.folder)], {
        env: environment(),
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, SLOW).toContain('specwright: Specwright keeps its state in');
    expect(said).toContain('its disk can only be read');
    child.kill('SIGKILL');
    await once(child, 'exit');
    disk.remove();
  });
});

test('without a message bus the window works, and says where secrets are kept', async () => {
  const env = { DBUS_SESSION_BUS_ADDRESS: '', DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent' };
  const desktop = await openDesktop({ folder: inFolder('no-bus'), env });
  const { page } = desktop;
  await desktop.ready();
  await page.getByTestId('place-settings').click();
  await expect(page.getByText('encrypted file').first()).toBeVisible(SLOW);
  await makeDraft(desktop, 'without-a-bus', TIDY_SPEC);
  await openDraft(page, 'without-a-bus');
  await desktop.close();
});

test('the process that draws ends: the window draws on, as it does where there is no GPU', async () => {
  const desktop = await openDesktop({ folder: inFolder('no-gpu') });
  const { page, app } = desktop;
  await desktop.ready();
  const gpu = () =>
    app.evaluate(({ app: shell }) =>
      shell
        .getAppMetrics()
        .filter(({ type }) => type === 'GPU')
        .map(({ pid }) => pid),
    );
  const [pid] = await gpu();
  // Without hardware there may be none: then every picture here is drawn without.
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await gpu()).filter((one) => one !== pid).length, SLOW).toBe(1);
  }
  await page.getByTestId('place-runs').click();
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await keepScreen(page, 'fault-no-gpu');
  await desktop.close();
});

test('another person of the machine gets at nothing: not the files, not the services', async () => {
  test.skip(process.getuid?.() !== 0, 'only root can be somebody else');
  const profile = inFolder('mine');
  chmodSync(folder.path, 0o755);
  const desktop = await openDesktop({ folder: profile });
  const { gateway } = await desktop.ready();
  await makeDraft(desktop, 'mine', TIDY_SPEC);
  const script = `
    const { readdirSync, readFileSync, statSync } = require('node:fs');
    const { join } = require('node:path');
    const [folder, url] = process.argv.slice(1);
    const read = [];
    const walk = (at) => {
      for (const name of readdirSync(at)) {
        const file = join(at, name);
        try {
          if (statSync(file).isDirectory()) walk(file); else { readFileSync(file); read.push(file); }
        } catch {}
      }
    };
    try { walk(folder); } catch {}
    const ask = (path) => fetch(url + path).then(({ status }) => status);
    Promise.all(['/studio/api/projects', '/platform/v1/runs', '/dashboard/api/runs', '/gateway/connections'].map(ask))
      .then((statuses) => console.log(JSON.stringify({ read, statuses })));
  `;
  const asNobody = [
    '--reuid=65534',
    '--regid=65534',
    '--clear-groups',
    process.execPath,
    '-e',
    script,
  ];
  const child = spawn('setpriv', [...asNobody, profile, gateway.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  const { read, statuses } = JSON.parse(said);
  expect(read).toEqual([]);
  expect(statuses).toEqual([401, 401, 401, 401]);
  expect(existsSync(path.join(profile, 'studio/studio.db'))).toBe(true);
  await desktop.close();
});
