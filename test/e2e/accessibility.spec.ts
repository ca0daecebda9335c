import { type Browser, expect, type Page, test } from '@playwright/test';
import { violationsOf } from './support/accessible.ts';
import { addressesOf, fillWorkbench, goTo } from './support/every-page.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { windowPages } from './support/window-pages.ts';

// Every page in four looks: minutes on a machine that others load too.
test.describe.configure({ timeout: 900_000 });

const LOOKS = [
  ['light', 1440, 900],
  ['light', 1024, 700],
  ['dark', 1024, 700],
  ['dark', 1440, 900],
] as const;

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

test('every page that the router declares is looked at, here or before somebody signs in', () => {
  const ids = { imported: 'a.yaml', analysis: 'a', made: 'm.yaml', artifact: 'b' };
  const all = Object.values(addressesOf({ ...ids, failed: 'f', asking: 'g' }));
  const isShown = (pattern: string): boolean => {
    const shape = pattern.replaceAll(/\$\w+/g, '[^/]+').replace(/\$$/, '.+');
    return all.some((address) => new RegExp(`^${shape}(?:\\?|$)`).test(address));
  };
  expect(windowPages().filter((pattern) => !isShown(pattern))).toEqual(['/sign-in']);
});

async function violationsAt(page: Page, name: string, path: string): Promise<string[]> {
  await goTo(page, path);
  const found: string[] = [];
  for (const [at, [colorScheme, width, height]] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(150);
    const place = `${name} ${colorScheme} ${width}:`;
    found.push(...(await violationsOf(page, place, at === 0 ? 'first' : 'again')));
  }
  return found;
}

test('no page of the workbench has a violation of WCAG 2.2 AA, light and dark, at both sizes', async () => {
  const pages = addressesOf(await fillWorkbench(headless));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(headless.link);
  await expect(page.getByRole('main')).toBeVisible();
  const found: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    found.push(...(await violationsAt(page, name, path)));
  }
  await context.close();
  expect(found).toEqual([]);
});
