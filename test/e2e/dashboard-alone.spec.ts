import { type Browser, expect, type Page, test } from '@playwright/test';
import { openChromium } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { type Alone, serveAlone } from './support/serve-one.ts';

const folders = [scratchFolder(), scratchFolder()] as const;
let platform: Alone;
let dashboard: Alone;
let browser: Browser;
let page: Page;

test.beforeAll(async () => {
  platform = await serveAlone(folders[0].path, ['service', 'serve']);
  dashboard = await serveAlone(
    folders[1].path,
    ['dashboard', 'serve', '--platform-url', platform.url],
    { DASH_DEV_MODE: '1', PLATFORM_API_KEY: platform.key },
  );
  browser = await openChromium();
  page = await browser.newPage();
});

test.afterAll(async () => {
  await browser.close();
  await dashboard.stop();
  await platform.stop();
  for (const folder of folders) folder.remove();
});

async function startRun(spec: unknown, input: string): Promise<string> {
  const answer = await fetch(`${platform.url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec, input, async_mode: true }),
  });
  const { run_id } = await answer.json();
  return run_id;
}

test('the key opens the dashboard by itself; a wrong one says so (OD-001)', async () => {
  await page.goto(`${dashboard.url}/runs`);
  const form = page.getByTestId('key-form');
  await form.getByLabel('Key of the service', { exact: true }).fill('nonsense');
  await form.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('sign-in-fault')).toContainText('does not open it');
  await checkLooks(page, 'alone-key');
  await form.getByLabel('Key of the service', { exact: true }).fill(dashboard.key);
  await form.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('place-runs')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('place-author')).toHaveCount(0);
});

test('a run is shown at its own path, which a reload keeps', async () => {
  const runId = await startRun(fixtureSpec('support-triage.yaml'), 'hello');
  await page.goto(`${dashboard.url}/runs/${runId}`);
  await expect(page.getByTestId('run-page')).toContainText(runId.slice(-6));
  await page.reload();
  await expect(page.getByTestId('run-page')).toContainText(runId.slice(-6));
  expect(new URL(page.url()).pathname).toBe(`/runs/${runId}`);
  await checkLooks(page, 'alone-run');
  await page.goto(`${dashboard.url}/projects/default`);
  await expect(page.getByTestId('place-elsewhere')).toContainText('operations dashboard alone');
  await checkLooks(page, 'alone-elsewhere');
  await page.goto(dashboard.url);
  await expect(page).toHaveURL(`${dashboard.url}/operate`);
});
