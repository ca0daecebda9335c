import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkThemes, keepScreen } from './support/screens.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What `specwright link` prints. */
function linkOf(folder: string): string {
  const node = path.join(root, 'node_modules/.bin/node');
  const words = [path.join(root, 'out/main/server.mjs'), 'link', '--data', folder];
  return execFileSync(node, words, { encoding: 'utf8' }).trim();
}

test('a session that has ended says what to do and goes on after the next link', async () => {
  const folder = scratchFolder();
  const headless = await serveHeadless({
    folder: folder.path,
    env: { SPECWRIGHT_SESSION_SECONDS: '12' },
  });
  const browser = await openChromium();
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1024, height: 700 },
  });
  const page = await context.newPage();
  await page.goto(headless.link);
  await expect(page.getByTestId('welcome')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toBeVisible({ timeout: 40_000 });
  await checkThemes(page, 'session-ended');
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await expect(dialog.getByRole('status')).toContainText('still signed out');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('signed-out')).toBeVisible();
  await keepScreen(page, 'session-ended-banner');
  await page.getByRole('button', { name: 'What to do' }).click();
  await expect(dialog).toBeVisible();

  const other = await context.newPage();
  await other.goto(linkOf(folder.path));
  await expect(other.getByTestId('welcome')).toBeVisible();
  // As it says, the page goes on by itself; nobody has to press anything.
  await page.bringToFront();
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('signed-out')).toBeHidden();
  await browser.close();
  await headless.stop();
  folder.remove();
});

test('signing out ends the session of this browser, and no other instance on the host', async () => {
  const [one, two] = [scratchFolder(), scratchFolder()];
  const first = await serveHeadless({ folder: one.path });
  const second = await serveHeadless({ folder: two.path });
  const browser = await openChromium();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(first.link);
  await expect(page.getByTestId('welcome')).toBeVisible();
  const neighbour = await context.newPage();
  await neighbour.goto(second.link);
  await expect(neighbour.getByTestId('welcome')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await page.goto(`${first.urls.gateway}/settings`);
  await page.getByTestId('sign-out').scrollIntoViewIfNeeded();
  await keepScreen(page, 'session-sign-out');
  await page.getByTestId('sign-out').click();
  const question = page.getByRole('dialog', { name: 'Sign this browser out?' });
  await expect(question).toBeVisible();
  await keepScreen(page, 'session-sign-out-question');
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Open Specwright with its link' })).toBeVisible();
  await keepScreen(page, 'session-signed-out-page');
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).toEqual([`gateway_session_${new URL(second.urls.gateway).port}`]);
  await neighbour.reload();
  await expect(neighbour.getByTestId('welcome')).toBeVisible();
  await browser.close();
  await Promise.all([first.stop(), second.stop()]);
  one.remove();
  two.remove();
});

test('the desktop window has no session to end', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  await desktop.ready();
  await desktop.page.getByTestId('place-settings').click();
  await expect(desktop.page.getByRole('heading', { name: 'This program' })).toBeVisible();
  await expect(desktop.page.getByTestId('sign-out')).toHaveCount(0);
  await expect(desktop.page.getByRole('heading', { name: 'This browser' })).toHaveCount(0);
  await desktop.close();
  folder.remove();
});
