import { expect, test } from '@playwright/test';
import { violationsOf } from './support/accessible.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const folder = scratchFolder();
let cookies: { name: string; value: string }[] = [];
test.afterAll(() => folder.remove());

test('the places of the workbench have no violation of WCAG 2.2 AA, light and dark', async () => {
  const headless = await serveHeadless({ folder: folder.path });
  const browser = await openChromium();
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(
      colorScheme === 'light' ? headless.link : await freshLink(headless.urls.gateway),
    );
    for (const place of ['Author', 'Runs', 'Tasks']) {
      await page.getByRole('navigation').getByText(place, { exact: true }).click();
      await expect(page.getByRole('main')).toBeVisible();
      await page.waitForTimeout(300);
      found.push(...(await violationsOf(page, `${colorScheme} ${place}:`)));
    }
    cookies = await context.cookies();
    await context.close();
  }
  await browser.close();
  await headless.stop();
  expect(found).toEqual([]);
});

/** A second link, asked for with the session of the first. */
async function freshLink(gateway: string): Promise<string> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${gateway}/gateway/sign-in-links`, {
    method: 'POST',
    headers: { cookie },
  });
  const body: { url: string } = await answer.json();
  return body.url;
}
