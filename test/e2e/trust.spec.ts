import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { makeDraft, openDraft, TIDY_SPEC } from './support/editor.ts';
import { resize } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

test('a function is asked for, trusted once and runs; trust is shown and taken back', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
  await makeDraft(desktop, 'tidy', TIDY_SPEC);
  await openDraft(page, 'tidy.yaml');
  const run = async () => {
    await page.getByTestId('run-draft').click();
  };
  await run();
  await page.getByTestId('draft-run-input').fill('  Hello  ');
  await run();
  await expect(page.getByTestId('draft-run-prevented')).toContainText(
    "functions/texts.ts is not in the project's folder",
  );
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');

  await page.getByTestId('draft-run-trust').click();
  const dialog = page.getByTestId('trust-dialog');
  await expect(dialog).toHaveAttribute('data-state', 'untrusted');
  const root = await dialog.locator('.sw-trust-folder button').first().innerText();
  mkdirSync(path.join(root, 'functions'), { recursive: true });
  writeFileSync(
    path.join(root, 'functions', 'texts.ts'),
    "export const tidy = (text: string) => 'tidied: ' + text.trim();\n",
  );
  await desktop.app.evaluate(({ shell }) => {
    shell.openPath = async (folder) => {
      Object.assign(globalThis, { shownFolder: folder });
      return '';
    };
  });
  await page.getByTestId('show-folder').click();
  await expect
    .poll(() => desktop.app.evaluate(() => Reflect.get(globalThis, 'shownFolder')))
    .toBe(root);
  await checkLooks(desktop, 'trust');
  await page.getByRole('button', { name: 'Not now' }).click();
  await run();
  await expect(page.getByTestId('draft-run-prevented')).toContainText('not trusted');
  await page.getByTestId('draft-run-trust').click();
  await page.getByTestId('trust-give').click();
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
  await run();
  await expect(page.getByTestId('draft-run-output')).toContainText('tidied: Hello');
  await keepScreen(page, 'trust-given');
  await desktop.close();

  // The answer is kept for this folder.
  const again = await openDesktop({ folder: folder.path });
  await again.ready();
  await openDraft(again.page, 'tidy.yaml');
  await expect(again.page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
  await again.page.keyboard.press('F5');
  await expect(again.page.getByTestId('draft-run-output')).toContainText('tidied: Hello');
  await again.page.getByTestId('status-trust').click();
  await again.page.getByTestId('trust-revoke').click();
  await expect(again.page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');
  await again.page.keyboard.press('F5');
  await expect(again.page.getByTestId('draft-run-prevented')).toContainText('not trusted');

  // The list of the settings is the same one, also when the folder is reached by another way.
  await again.page.getByTestId('status-trust').click();
  await again.page.getByTestId('trust-give').click();
  await expect(again.page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
  await again.page.keyboard.press('Control+k');
  await again.page.keyboard.type('trusted folders');
  await again.page.keyboard.press('Enter');
  await expect(again.page.getByTestId('trusted-folders')).toContainText(root);
  await checkLooks(again, 'trusted-folders');
  await again.page.getByRole('button', { name: `Trust it no longer: ${root}` }).click();
  await expect(again.page.getByTestId('no-trusted-folders')).toBeVisible();
  await openDraft(again.page, 'tidy.yaml');
  await expect(again.page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');
  await again.close();
  folder.remove();
});
