import { expect, test } from '@playwright/test';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { serveAlone } from './support/serve-one.ts';

test('authors work at the studio by itself; what runs says where it is (AS-001)', async () => {
  const folder = scratchFolder();
  const studio = await serveAlone(folder.path, ['studio', 'serve']);
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(`${studio.url}/projects/default`);
  const form = page.getByTestId('key-form');
  await form.getByLabel('Key of the service', { exact: true }).fill(studio.key);
  await form.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('project-page')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('project-page')).toBeVisible();
  await checkLooks(page, 'studio-alone');
  await page.getByTestId('wordmark').click();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await page.getByTestId('sample-import').click();
  await expect(page.getByTestId('import-result')).toContainText('refund');
  await page.goto(`${studio.url}/runs`);
  await expect(page.getByTestId('place-elsewhere')).toContainText('authoring studio alone');
  await browser.close();
  await studio.stop();
  folder.remove();
});
