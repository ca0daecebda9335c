import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { openProvider } from './support/provider.ts';
import { fixtureSpec, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

const KEY = 'sk-e2e-4f1d7c2a9b80';

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    return statSync(file).isFile() && readFileSync(file, 'latin1').includes(text);
  });
}

test('a key is stored, used by the next run, never shown again, and removed (decisions 9, 25)', async () => {
  const folder = scratchFolder();
  const provider = await openProvider();
  // A provider's key goes to the provider or where the operator says, never where a spec says.
  const desktop = await openDesktop({
    folder: folder.path,
    env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: provider.url },
  });
  const { page } = desktop;
  await desktop.ready();
  const spec = fixtureSpec('support-triage.yaml', (document) => {
    for (const agent of Object.values<{ model?: object }>(document.components.agents)) {
      agent.model = {
        provider: 'openai',
        name: 'gpt-5',
        extra: { api_key_ref: 'OPENAI_API_KEY' },
      };
    }
  });

  // Services can be ready before the window has drawn and listens for keys.
  await expect(page.getByTestId('place-settings')).toBeVisible();
  await page.keyboard.press('Control+Comma');
  await expect(page.getByTestId('key-OPENAI_API_KEY')).toContainText('no key');
  // The list beside the sections leads to each of them, again after something else was scrolled to.
  const sections = page.getByTestId('settings-nav');
  for (const name of ['This program', 'Model providers', 'This program', 'Model providers']) {
    await sections.getByRole('link', { name }).click();
    const heading = page.getByRole('heading', { name, level: 2 });
    await expect(heading).toBeInViewport();
    await expect(heading).toBeFocused();
    await expect(sections).toBeInViewport({ ratio: 0.99 });
  }
  // `/` goes to the search over all of it: labels, help and what can be chosen.
  await page.keyboard.press('/');
  await page.keyboard.type('utc');
  const titles = page.getByTestId('settings-page').getByRole('heading', { level: 2 });
  await expect(titles).toHaveText(['Preferences']);
  await expect(sections.getByRole('link')).toHaveText(['Preferences']);
  await expect(page.getByTestId('settings-found')).toHaveText('1 place');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('settings-found')).toHaveText('1 of 1');
  await page.getByTestId('settings-search').fill('key');
  await page.keyboard.press('Enter');
  await checkLooks(desktop, 'settings-search');
  await page.getByTestId('settings-search').fill('no such words');
  await expect(page.getByTestId('settings-none')).toBeVisible();
  await checkLooks(desktop, 'settings-search-none');
  await page.evaluate(() => {
    location.hash = '/settings?section=licences';
  });
  await expect(page.getByTestId('settings-none')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Licences', level: 2 })).toBeFocused();
  await page.getByTestId('settings-search').fill('no such words');
  await expect(page.getByTestId('settings-none')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('settings-none')).toHaveCount(0);
  const keeper = await page.getByTestId('key-keeper').innerText();
  await page.getByTestId('key-set-OPENAI_API_KEY').click();
  await page.getByTestId('key-value').fill(KEY);
  await page.waitForTimeout(300);
  await keepScreen(page, 'settings-key');
  await page.getByTestId('key-submit').click();
  await expect(page.getByTestId('key-OPENAI_API_KEY')).toContainText('stored');
  await expect(page.getByTestId('key-OPENAI_API_KEY')).toContainText(
    keeper.includes('encrypted file') ? 'encrypted file' : 'keychain',
  );
  expect(await page.content()).not.toContain(KEY);

  const id = await startRun(desktop, { spec, input: 'paper jam' });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `/runs/${id}`);
  await expect(page.getByTestId('run-output')).toContainText('From the provider.');
  expect(new Set(provider.seen)).toEqual(new Set([`Bearer ${KEY}`]));

  await page.reload();
  await page.getByTestId('place-settings').click();
  await expect(page.getByTestId('key-OPENAI_API_KEY')).toContainText('stored');
  await checkLooks(desktop, 'settings');

  await page.getByRole('button', { name: 'Show third-party notices' }).click();
  const notices = page.getByRole('region', { name: 'Third-party notices' });
  await expect(notices).toContainText('elkjs');
  await notices.scrollIntoViewIfNeeded();
  await checkLooks(desktop, 'settings-licences');
  await page.getByRole('button', { name: 'Hide third-party notices' }).click();
  await expect(notices).toBeHidden();

  await page.getByTestId('key-other').click();
  await page.getByTestId('key-name').fill('serv_api_key');
  await page.getByTestId('key-value').fill('x');
  await page.getByTestId('key-submit').click();
  await expect(page.getByTestId('error-state')).toContainText('names of the services');
  await page.keyboard.press('Escape');

  await page.getByTestId('key-remove-OPENAI_API_KEY').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click();
  await expect(page.getByTestId('key-OPENAI_API_KEY')).toContainText('no key');
  await desktop.close();
  provider.close();
  expect(filesWith(folder.path, KEY)).toEqual([]);
  folder.remove();
});
