import { type Browser, expect, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';

test.describe.configure({ timeout: 300_000 });

const folder = scratchFolder();
let headless: Headless;
let browser: Browser;
test.beforeAll(async () => {
  headless = await serveHeadless({ folder: folder.path });
  browser = await openChromium();
});
test.afterAll(async () => {
  await browser.close();
  await headless.stop();
  folder.remove();
});

test('the window speaks the language that is chosen, and keeps it', async () => {
  const page = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await page.goto(headless.link);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}${paths.settings()}`);
  await page.getByTestId('language').selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible();
  await page.goto(`${origin}${paths.runs()}`);
  await expect(page.getByRole('heading', { name: 'Läufe', exact: true })).toBeVisible();
  await page.getByTestId('place-settings').click();
  await page.getByTestId('language').selectOption('zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  await expect(page.getByRole('heading', { name: '设置' })).toBeVisible();
});
