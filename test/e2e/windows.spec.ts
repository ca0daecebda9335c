import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Desktop, openDesktop, startAgain, workbench } from './support/desktop.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

interface Kept {
  readonly running: boolean;
  readonly windows: readonly { readonly place: string | null; readonly project: string | null }[];
}

function onDisk(): Kept {
  return JSON.parse(readFileSync(path.join(folder.path, 'window.json'), 'utf8'));
}

async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
}

async function kill(desktop: Desktop): Promise<void> {
  const gone = new Promise((resolve) => desktop.app.process().once('exit', resolve));
  desktop.app.process().kill('SIGKILL');
  await gone;
}

const placeOf = (page: Page): string => new URL(page.url()).hash.slice(1).replace(/\?.*$/, '');

async function places(desktop: Desktop): Promise<string[]> {
  return desktop.app.windows().map(placeOf).toSorted();
}

test('each window has a place of its own, and all are back after a kill and after a quit', async () => {
  const first = await openDesktop({ folder: folder.path });
  await first.ready();
  await goTo(first.page, '/projects/default');
  const opening = first.app.waitForEvent('window');
  await first.page.keyboard.press('Control+Shift+N');
  const second = workbench(await opening);
  await second.ready();
  await expect(second.page.getByTestId('welcome')).toBeVisible();
  await goTo(second.page, '/runs');
  await first.app.evaluate(({ BrowserWindow }) => {
    const runs = BrowserWindow.getAllWindows().find((one) =>
      one.webContents.getURL().endsWith('/runs'),
    );
    runs?.setBounds({ x: 120, y: 90, width: 1000, height: 720 });
  });
  const third = first.app.waitForEvent('window');
  await first.app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()
      ?.items.flatMap((one) => one.submenu?.items ?? [])
      .find(({ label }) => label === 'New window')
      ?.click();
  });
  const closed = await third;
  await workbench(closed).ready();
  // A window that somebody closes does not come back.
  await Promise.all([closed.waitForEvent('close'), closed.evaluate(() => window.close())]);
  await first.page.waitForTimeout(1_000);
  expect(onDisk()).toMatchObject({ running: true });
  expect(
    onDisk()
      .windows.map(({ place }) => place?.replace(/\?.*$/, ''))
      .toSorted(),
  ).toEqual(['/projects/default', '/runs']);
  await kill(first);

  const back = await openDesktop({ folder: folder.path });
  await back.ready();
  await expect.poll(() => places(back)).toEqual(['/projects/default', '/runs']);
  const runs = back.app.windows().find((page) => placeOf(page) === '/runs') ?? back.page;
  await expect(runs.getByRole('heading', { name: 'Runs' }).first()).toBeVisible();
  // Another start hands its words over: the address to the window of its project, with a folder to open.
  const desk = path.join(folder.path, 'second-desk');
  mkdirSync(desk);
  await startAgain(folder.path, '--project', desk);
  const own = /^\/projects\/(?!default$)[^/]+$/;
  await expect
    .poll(async () => (await places(back)).filter((one) => own.test(one)))
    .toHaveLength(1);
  const [opened = ''] = (await places(back)).filter((one) => own.test(one));
  const [other] = (await places(back)).filter((one) => one !== opened);
  const draft = opened.replace('/projects/', '/project/');
  await startAgain(folder.path, `specwright:/${draft}/draft/a.yaml`);
  const both = [`${opened}/drafts/a.yaml`, other].toSorted();
  await expect.poll(() => places(back)).toEqual(both);
  const sizes = await back.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => one.getNormalBounds().width),
  );
  expect(sizes).toContain(1000);
  await keepScreen(runs, 'windows-back');
  await back.close();
  expect(onDisk()).toMatchObject({ running: false });

  const again = await openDesktop({ folder: folder.path });
  await again.ready();
  await expect.poll(() => places(again)).toEqual(both);
  await again.close();
});

test('keys and a language that are chosen in one window hold in all others at once', async () => {
  const own = scratchFolder();
  const first = await openDesktop({ folder: own.path });
  await first.ready();
  await expect(first.page.getByTestId('welcome')).toBeVisible();
  const opening = first.app.waitForEvent('window');
  await first.page.keyboard.press('Control+Shift+N');
  const second = workbench(await opening).page;
  await expect(second.getByTestId('welcome')).toBeVisible();

  await goTo(first.page, '/settings?section=keyboard');
  await first.page.getByRole('button', { name: 'Change the keys of Toggle bottom panel' }).click();
  await first.page.keyboard.press('Control+Alt+p');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByTestId('keys-view.panel')).toContainText('Ctrl+Alt+P');
  await first.page.getByRole('button', { name: 'Change the keys of Show the keys' }).click();
  await first.page.keyboard.press('g');
  await keepScreen(first.page, 'windows-single-key');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByTestId('single-key-keys.show')).toContainText('g');

  await second.getByTestId('wordmark').focus();
  await expect(async () => {
    await second.keyboard.press('Control+Alt+p');
    await expect(second.getByTestId('bottom-panel')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await second.keyboard.press('?');
  await second.keyboard.press('g');
  await expect(second.getByTestId('keys')).toContainText('Ctrl+Alt+P');
  await second.keyboard.press('Escape');

  await goTo(first.page, '/settings');
  await first.page.getByTestId('language').selectOption('de');
  for (const page of [first.page, second])
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(second.getByRole('heading', { level: 1 })).toContainText('Workflow');
  await first.close();
  own.remove();
});
