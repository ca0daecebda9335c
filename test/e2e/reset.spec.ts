import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { openDesktop, startAgain, workbench } from './support/desktop.ts';
import { makeDraft, TIDY_SPEC } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

test('settings go back to those of a first start, and what was made stays', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await makeDraft(desktop, 'stays', TIDY_SPEC);
  await page.getByTestId('place-settings').click();
  const chosen = (group: string, choice: string) =>
    page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice });
  await page.getByRole('radiogroup', { name: 'Clock' }).getByText('UTC').click();
  await expect(chosen('Clock', 'UTC')).toBeChecked();
  await page.getByTestId('first-page').selectOption('runs');

  await page.getByTestId('reset-settings').click();
  const asks = page.getByTestId('reset-asks');
  await expect(asks).toContainText('clock, first page');
  await expect(asks).toContainText('All else stays: projects, drafts and unsaved text');
  await page.getByRole('button', { name: 'Keep them' }).click();
  await expect(chosen('Clock', 'UTC')).toBeChecked();

  await page.getByTestId('reset-settings').click();
  const again = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reset settings' }).last().click();
  await again;
  await expect(chosen('Clock', 'This computer')).toBeChecked({ timeout: 30_000 });
  await expect(page.getByTestId('first-page')).toHaveValue('left');
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('stays.yaml'))).toHaveLength(1);
  await desktop.close();
  folder.remove();
});

test('with its icon the program outlives its last window, which the next start brings back', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page, app } = desktop;
  const { gateway } = await desktop.ready();
  await page.getByTestId('place-settings').click();
  const choice = page.getByTestId('tray-choice');
  await choice.click({ force: true });
  await expect(choice).toBeChecked();
  await keepScreen(page, 'tray-choice');
  const open = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(open).toBe(0);
  const answers = await fetch(`${gateway.url}/gateway/status`, {
    headers: { origin: 'app://specwright', authorization: `Bearer ${gateway.token}` },
  });
  expect(answers.status).toBe(200);

  const opening = app.waitForEvent('window');
  await startAgain(folder.path);
  const back = workbench(await opening);
  await back.ready();
  await expect(back.page.getByTestId('settings-page')).toBeVisible();
  await expect(back.page.getByTestId('tray-choice')).toBeChecked();
  await back.page.getByTestId('tray-choice').click({ force: true });
  await expect(back.page.getByTestId('tray-choice')).not.toBeChecked();
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  await app.evaluate(({ BrowserWindow }) => {
    setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 100);
  });
  await ended;
  folder.remove();
});
