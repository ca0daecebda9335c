// Windows on other computers that are not as this one: of an older version, and one with a studio.
import { expect, type Page, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { passingOn, startPeer } from '../support/remote-peers.ts';
import { type Authority, makeAuthority } from '../support/test-authority.ts';
import { addConnection, connectTo, keyOf } from './support/connections.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { addressesOf, fillWorkbench, goTo } from './support/every-page.ts';
import { type Headless, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

test.describe.configure({ timeout: 420_000 });

let authority: Authority;
let headless: Headless;
let desktop: Desktop;
let filled: Awaited<ReturnType<typeof fillWorkbench>>;
const [here, there] = [scratchFolder(), scratchFolder()];

test.beforeAll(async () => {
  authority = makeAuthority();
  headless = await serveHeadless({ folder: there.path });
  filled = await fillWorkbench(headless);
  desktop = await openDesktop({ folder: here.path });
  await desktop.ready();
});
test.afterAll(async () => {
  await desktop.close();
  await headless.stop();
  authority.close();
  here.remove();
  there.remove();
});

/** What a platform of the first version says that it does. */
const OLDER_PLATFORM = {
  openapi: '3.0.3',
  paths: {
    '/v1/runs': { get: {}, post: {} },
    '/v1/runs/{id}': { get: {} },
    '/v1/runs/{id}/cancel': { post: {} },
    '/v1/runs/{id}/continue': { post: {} },
    '/v1/runs/{id}/trace': { get: {} },
    '/v1/human-tasks': { get: {} },
    '/v1/human-tasks/{id}/resume': { post: {} },
  },
};

/** Routes of the dashboard that its first version has not: it answers them as every unknown address. */
const NEW_AT_DASHBOARD =
  /\/api\/(?:facts|settings\/sign-in|credentials\/needs|annotations\?|usage\b|budgets|webhooks|runs\/[^/?]+\/(?:record|rerun|usage|recover\b))/;

async function olderServices() {
  let isOld = true;
  const platform = await startPeer(
    authority.issue(),
    (request, response) => {
      const json = { 'content-type': 'application/json' };
      if (request.url === '/openapi.json')
        return response.writeHead(200, json).end(JSON.stringify(OLDER_PLATFORM));
      if (request.url === '/v1/healthz') {
        const health = { ok: true, service: 'run-platform', version: '1.0.3', metadata: {} };
        return response.writeHead(200, json).end(JSON.stringify(health));
      }
      return passingOn(headless.urls.platform)(request, response);
    },
    0,
    'itself',
  );
  const dashboard = await startPeer(
    authority.issue(),
    (request, response) => {
      if (isOld && NEW_AT_DASHBOARD.test(request.url ?? '')) request.url = '/api/no-such-address';
      return passingOn(headless.urls.dashboard)(request, response);
    },
    0,
    'itself',
  );
  const renewDashboard = (): void => {
    isOld = false;
  };
  return { platform, dashboard, renewDashboard };
}

/** What a page says that went wrong, for people. */
function complaintsOf(page: Page): Promise<string[]> {
  return page.locator('main [role="alert"]').allInnerTexts();
}

test('an older version at the other end: what it cannot do is off in words, everything else works', async () => {
  const { page } = desktop;
  const { platform, dashboard, renewDashboard } = await olderServices();
  await addConnection(page, authority, {
    ...{ name: 'Old', color: 'violet', auth: { kind: 'key' }, key: keyOf(headless) },
    ...{ platform: platform.url, dashboard: dashboard.url },
  });
  await page.reload();
  await desktop.ready();
  await connectTo(page, 'Old');
  await page.getByTestId('connection').click();
  const lacks = page.getByTestId('connection-lacks-offers');
  await expect(lacks).toContainText('is an older version, or of another make');
  await expect(lacks).toContainText('run again from a step');
  await checkLooks(desktop, 'remote-older-lacks');
  await page.keyboard.press('Escape');

  const pages = addressesOf(filled);
  const said: Record<string, readonly string[]> = {};
  for (const name of [
    ...(['overview', 'runs', 'run', 'session', 'compare', 'failures', 'fix', 'spend'] as const),
    ...(['launch', 'health', 'audit', 'policies', 'secrets', 'administration', 'tasks'] as const),
  ]) {
    await goTo(page, pages[name]);
    await page.waitForTimeout(500);
    const text = await page.getByRole('main').innerText();
    expect(text, name).not.toMatch(/\bundefined\b|\bNaN\b|\[object|Something went wrong/);
    said[name] = await complaintsOf(page);
    await keepScreen(page, `remote-older-${name}`);
  }
  // The failed run tells its own error, and no page tells one of the way there.
  expect(Object.keys(said).filter((name) => (said[name] ?? []).length > 0)).toEqual(['run']);

  // An older dashboard does not hand on what the platform keeps of a run: that is said, not left empty.
  await goTo(page, paths.run(filled.asking));
  await expect(page.getByTestId('not-known-there')).toContainText('is an older version');
  await expect(page.getByTestId('rerun')).toHaveCount(0);
  await goTo(page, pages.compare);
  await expect(page.getByTestId('not-known-there')).toContainText('is an older version');

  // With a dashboard of today it is the platform that cannot.
  renewDashboard();
  await page.reload();
  await desktop.ready();

  await goTo(page, paths.run(filled.asking));
  const again = page.getByTestId('rerun');
  await expect(again).toBeDisabled();
  await expect(again).toHaveAttribute('title', /cannot run again from a step: it is an older/);
  await goTo(page, pages.fix);
  await expect(page.getByRole('main')).toContainText('it is an older version');

  // What the older one knows works: a task is answered.
  await goTo(page, pages.tasks);
  await page.getByTestId('decide-approved').click();
  await page.getByTestId('send-decision').click();
  const run = async () =>
    (
      await fetch(`${headless.urls.platform}/v1/runs/${filled.asking}`, {
        headers: headless.headers,
      })
    ).json();
  await expect.poll(async () => (await run()).status, { timeout: 30_000 }).toBe('completed');
  const asked = platform.asked.map(({ url }) => url).filter((url) => /rerun|recover/.test(url));
  expect(asked).toEqual([]);
  await page.getByTestId('connection').click();
  await page.getByTestId('connection-here').click();
  await platform.close();
  await dashboard.close();
});

test('a studio at the other end: its artifacts are listed, opened, run and launched there', async () => {
  const { page } = desktop;
  const [platform, dashboard, studio] = await Promise.all(
    (['platform', 'dashboard', 'studio'] as const).map((name) =>
      startPeer(authority.issue(), passingOn(headless.urls[name]), 0, 'itself'),
    ),
  );
  await addConnection(page, authority, {
    ...{ name: 'Studio', color: 'teal', auth: { kind: 'key' }, key: keyOf(headless) },
    ...{ platform: platform?.url ?? '', dashboard: dashboard?.url ?? '' },
    ...{ studio: studio?.url ?? '', drafts: 'there' },
  });
  await page.reload();
  await desktop.ready();
  await connectTo(page, 'Studio');
  const pages = addressesOf(filled);
  await goTo(page, pages.artifacts);
  await expect(page.getByRole('main')).toContainText('desk');
  await checkLooks(desktop, 'remote-studio-artifacts');

  // It runs on the platform that it is frozen to, which is the other computer's.
  await goTo(page, pages.artifact);
  await page.getByTestId('run-artifact').click();
  await page.getByTestId('run-input').fill('from a window elsewhere');
  await page.getByTestId('run-submit').click();
  const inputs = async () =>
    JSON.stringify(
      await (
        await fetch(`${headless.urls.platform}/v1/runs`, { headers: headless.headers })
      ).json(),
    );
  await expect.poll(inputs, { timeout: 30_000 }).toContain('from a window elsewhere');
  await expect(page.getByTestId('run-page')).toBeVisible();

  await goTo(page, pages.launch);
  await page.getByTestId('launch-kind').getByText('Artifact', { exact: true }).click();
  await page.getByTestId('launch-project').click();
  await page.getByRole('option').first().click();
  await page.getByTestId('launch-pick').click();
  await page.getByRole('option', { name: filled.artifact.slice(0, 6) }).click();
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('It may run');
  await page.getByTestId('launch-input').fill('launched from elsewhere');
  await checkLooks(desktop, 'remote-studio-launch');
  await page.getByTestId('launch-run-submit').click();
  await expect.poll(inputs, { timeout: 30_000 }).toContain('launched from elsewhere');

  // A language that is chosen here is the program's, whatever the services of a window keep.
  const html = page.locator('html');
  await goTo(page, pages.settings);
  await page.getByTestId('language').selectOption('de');
  await expect(html).toHaveAttribute('lang', 'de');
  await expect(page.getByTestId('connection')).toContainText('Studio');
  await page.getByTestId('connection').click();
  await page.getByTestId('connection-here').click();
  await expect(page.getByTestId('connection')).not.toContainText('Studio');
  await page.getByTestId('place-runs').click();
  for (let times = 0; times < 2; times += 1) {
    await page.reload();
    await desktop.ready();
    await expect(page.getByTestId('runs-page')).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'de');
  }
  for (const peer of [platform, dashboard, studio]) await peer?.close();
});
