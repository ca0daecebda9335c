import { type Browser, expect, type Page, test } from '@playwright/test';
import { putAt, startRunAt, typeKey } from './support/alone.ts';
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
  dashboard = await startDashboard();
  browser = await openChromium();
  page = await browser.newPage();
});

test.afterAll(async () => {
  await browser.close();
  await dashboard.stop();
  await platform.stop();
  for (const folder of folders) folder.remove();
});

async function startDashboard(env: Record<string, string> = {}): Promise<Alone> {
  return serveAlone(folders[1].path, ['dashboard', 'serve', '--platform-url', platform.url], {
    env: { DASH_DEV_MODE: '1', PLATFORM_API_KEY: platform.key, ...env },
  });
}

test('the key opens the dashboard by itself; a wrong one says so (OD-001)', async () => {
  await page.goto(`${dashboard.url}/runs`);
  const form = page.getByTestId('key-form');
  await form.getByLabel('Key of the service', { exact: true }).fill('nonsense');
  await form.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('sign-in-fault')).toContainText('does not open it');
  await checkLooks(page, 'alone-key');
  await typeKey(page, dashboard);
  await expect(page.getByTestId('place-runs')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('place-author')).toHaveCount(0);
});

test('a run is shown at its own path, which a reload keeps', async () => {
  const runId = await startRunAt(platform, fixtureSpec('support-triage.yaml'), 'hello');
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

const GREETER = `version: v1
agent:
  name: greeter
  system_prompt: Greet.
`;

test("an operator's way: what needs them, a decision, a launch, a policy, the audit", async () => {
  const broken = await startRunAt(platform, fixtureSpec('failing-import.yaml'), 'three files');
  await startRunAt(platform, fixtureSpec('invoice-approval.yaml'), 'invoice R-118');
  await page.goto(`${dashboard.url}/operate`);
  const waits = page.getByTestId('needs-tasks').getByRole('link').first();
  await expect(waits).toContainText('Is this invoice correct', { timeout: 30_000 });
  await page.getByTestId('operate-failures').click();
  await expect(page.getByTestId('failure')).toContainText('E_HANDLER_NOT_FOUND');
  await page.goto(`${dashboard.url}/runs/${broken}`);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'failed');

  await page.getByTestId('place-tasks').click();
  await expect(page.getByTestId('task')).toContainText('Is this invoice correct');
  await page
    .getByTestId('task')
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  await expect(page.getByTestId('task')).toHaveCount(0, { timeout: 20_000 });

  await page.goto(`${dashboard.url}/operate/launch`);
  await page.getByTestId('launch-text').fill(GREETER);
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-input').fill('hello');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toContainText('greeter');

  await page.goto(`${dashboard.url}/operate/policies`);
  await page.getByTestId('policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Guardrails are required' }).check();
  await page.getByTestId('policy-apply').click();
  await page.getByTestId('apply-policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('policy-of-staging')).toContainText('on');

  await page.goto(`${dashboard.url}/operate/audit?tab=operators`);
  const people = page.getByRole('table', { name: 'What people did' });
  for (const action of ['Start a run', 'Change a policy', 'Answer a task']) {
    await expect(people).toContainText(action);
  }
  await checkLooks(page, 'alone-audit');
});

test('the environment stands in the address and in the window; production is unmistakable', async () => {
  await putAt(dashboard, '/settings/connections/prod', {
    version: 0,
    label: 'Live',
    production: true,
  });
  await putAt(dashboard, '/settings/connections/dev', { version: 0 });
  await page.goto(`${dashboard.url}/runs`);
  await page.getByTestId('operator-environment').click();
  await page.getByTestId('environment-prod').click();
  await expect(page).toHaveURL(`${dashboard.url}/runs?env=prod`);
  await expect(page.getByTestId('operator-environment')).toHaveAttribute('data-production', 'true');
  const asked = page.waitForRequest(
    (request) =>
      request.url().includes('/api/overview') && request.headers()['x-kneo-env'] === 'prod',
  );
  await page.getByTestId('place-operate').click();
  await asked;
  await expect(page).toHaveURL(`${dashboard.url}/operate?env=prod`);
  await checkLooks(page, 'alone-production');
  // A link of another window names its environment; a reload keeps it.
  await page.goto(`${dashboard.url}/operate?env=dev`);
  await expect(page.getByTestId('operator-environment')).toContainText('dev');
  await page.reload();
  await expect(page.getByTestId('operator-environment')).toContainText('dev');
});

test('a role of some environments chooses one instead of being refused', async () => {
  await putAt(dashboard, '/settings/access/environments', {
    environments: { viewer: ['dev', 'prod'] },
    version: 0,
  });
  await dashboard.stop();
  dashboard = await startDashboard({ DASH_STATIC_OPERATOR_ROLE: 'viewer' });
  await page.close();
  page = await browser.newPage();
  await page.goto(`${dashboard.url}/runs`);
  await typeKey(page, dashboard);
  await expect(page.getByTestId('choose-environment')).toBeVisible();
  await checkLooks(page, 'alone-choose');
  await page.getByTestId('choose-environment').getByRole('button', { name: 'dev' }).click();
  await expect(page.getByRole('search', { name: 'Filter runs' })).toBeVisible();
  await expect(page.getByTestId('error-state')).toHaveCount(0);
});
