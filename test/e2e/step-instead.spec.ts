import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { importOne, openEditor } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

test.describe.configure({ timeout: 240_000 });

const EXPORT = path.resolve(import.meta.dirname, '../fixtures/story/order-desk.json');

test('another step stands where the source cannot run, and says before what that does to the export', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await importOne(desktop, EXPORT);
  await page.getByTestId('open-gaps').first().click();
  await page.locator('.sw-source-node').first().waitFor();
  await page
    .getByPlaceholder(/Search/)
    .last()
    .fill('Call the customer');
  await page.locator('.sw-gap-list').getByText('Call the customer').last().click();
  await page.getByTestId('step-instead').click();
  await expect(page.getByTestId('fix-by_http')).toBeChecked();
  await expect(page.getByTestId('fix-export')).toContainText('every platform that offers it');
  await page.getByLabel('Address').fill('https://api.example.com/calls');
  await page.getByLabel('Body').fill('={{ $json.body }}');
  await expect(page.locator('.sw-fix-review')).toContainText('n8n.httpRequest');
  await keepLooks(desktop, 'step-instead-1-http');
  await expectAccessible(page);
  await page.getByTestId('fix-name_function').check();
  await expect(page.getByTestId('fix-export')).toContainText('Code of this project');
  await page.getByTestId('fix-by_code').check();
  await keepLooks(desktop, 'step-instead-2-code');
  await page.getByTestId('fix-store').click();
  await expect(page.getByTestId('fix-store')).toHaveCount(0);
  await expect(page.getByTestId('step-instead')).toHaveCount(0);

  // It runs without trust; only the other gap is answered for.
  await openEditor(page);
  await page.keyboard.press('F5');
  await expect(page.getByTestId('rehearsal-offer')).toContainText('1 step cannot run here yet');
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
