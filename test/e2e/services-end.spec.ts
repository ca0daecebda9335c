import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

/** Ends at once, keeps its port for a second start. */
const portOf = (url: string) => new URL(url).port;

test('the window hears at once that the platform ended, came back, and that all ended', async () => {
  const [far, near] = [scratchFolder(), scratchFolder()];
  let platform = await serveHeadless({ folder: far.path });
  const { urls } = platform;
  if (urls.key_file === undefined) throw new Error('the platform asks for no key');
  const key = readFileSync(urls.key_file, 'utf8').trim();
  const workbench = await serveHeadless({
    folder: near.path,
    env: { PLATFORM_URL: urls.platform, PLATFORM_API_KEY: key },
  });
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 1024, height: 700 } });
  await page.goto(workbench.link);
  await expect(page.getByTestId('status-platform')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('platform-down')).toHaveCount(0);

  // The page asks nobody for the status meanwhile, nor does anything before the banner stands.
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/gateway\/status$|readyz$/.test(pathname)) asked.push(pathname);
  });
  const before = await page.evaluate(() => performance.now());
  await platform.stop('SIGKILL');
  await expect(page.getByTestId('platform-down')).toContainText(urls.platform);
  const took = (await page.evaluate(() => performance.now())) - before;
  // One look of the status bar may fall into this time; the banner does not wait for it.
  expect(asked.filter((path) => path === '/gateway/status')).toEqual([]);
  await expect(page.getByTestId('status-platform')).toHaveAttribute('data-state', 'unreachable');
  test.info().annotations.push({ type: 'platform down shown after', description: `${took} ms` });
  await keepScreen(page, 'services-platform-down');
  await expectAccessible(page);

  platform = await serveHeadless({
    folder: far.path,
    args: ['--platform-port', portOf(urls.platform)],
  });
  await expect(page.getByTestId('platform-down')).toHaveCount(0);
  await expect(page.getByTestId('status-platform')).toHaveAttribute('data-state', 'ready');

  await workbench.stop('SIGKILL');
  await expect(page.getByTestId('gateway-down')).toContainText('does not answer');
  await keepScreen(page, 'services-gateway-down');
  await browser.close();
  await platform.stop();
  far.remove();
  near.remove();
});
