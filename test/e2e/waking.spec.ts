import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

test('after a sleep the window reads at once what it shows', async () => {
  const desktop = await openDesktop({ folder: folder.path });
  const { page, app } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.waitForTimeout(3_000);
  asked.length = 0;
  // What the window has read stays fresh: nothing asks for it again by itself.
  await page.waitForTimeout(2_000);
  expect(asked).not.toContain('/studio/api/me');
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await expect.poll(() => asked, { timeout: 3_000 }).toContain('/studio/api/me');
  await expect(page.getByTestId('welcome')).toBeVisible();
  await desktop.close();
});
