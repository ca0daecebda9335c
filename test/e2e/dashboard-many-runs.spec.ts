// More runs than a list reaches, at the dashboard's own address.
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { fillRuns } from '../support/fill-runs.ts';
import { LASTING_KEY, servePlatform, typeKey } from './support/alone.ts';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { serveAlone } from './support/serve-one.ts';

/** A list reaches 10,000. */
const FILLED = 10_060;

test('the newest of many runs are listed, and the list goes on with older ones (OD-161)', async () => {
  test.setTimeout(400_000);
  const folder = scratchFolder();
  await fillRuns(path.join(folder.path, 'platform.db'), FILLED);
  const platform = await servePlatform(folder.path);
  const dashboard = await serveAlone(
    folder.path,
    ['dashboard', 'serve', '--platform-url', platform.url],
    { env: { DASH_DEV_MODE: '1', PLATFORM_API_KEY: LASTING_KEY } },
  );
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(`${dashboard.url}/runs`);
  await typeKey(page, dashboard);
  const count = page.getByTestId('runs-count');
  await expect(count).toContainText(/10,0\d\d runs, the newest 10,000 are listed/);
  await checkLooks(page, 'many-runs');
  // Nobody has to scroll past 10,000 rows to find what leads on.
  await page.getByTestId('older-runs').click();
  await expect(count).toHaveText(/^[1-9]\d runs$/);
  await browser.close();
  await dashboard.stop();
  await platform.stop();
  folder.remove();
});
