import { expect, test } from '@playwright/test';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';
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
  // What the dashboard tells of a rehearsal is missing here, and that is said.
  await page.getByTestId('open-gaps').click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await expect(page.getByTestId('rehearsal-missing')).toHaveCount(0);
  const ref = new URL(page.url()).searchParams.get('ref');
  await page.evaluate((draft) => {
    localStorage.setItem(`sw:last-rehearsal:default\n${draft}`, 'some-run');
  }, ref);
  await page.reload();
  await expect(page.getByTestId('rehearsal-missing')).toContainText(
    'does not answer at this address',
  );
  await keepScreen(page, 'studio-alone-rehearsal');
  await page.goto(`${studio.url}/runs`);
  await expect(page.getByTestId('place-elsewhere')).toContainText('authoring studio alone');
  await browser.close();
  await studio.stop();
  folder.remove();
});
