import { expect, type Page, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { dashboardEnv } from '../support/team-server.ts';
import { openChromium } from './support/headless.ts';
import { operatorDay } from './support/operator-day.ts';
import { startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { serveAlone } from './support/serve-one.ts';
import { openStillWindow } from './support/still-window.ts';
import { atProvider, freePort, person } from './support/team.ts';

test("an operator's day in the window", async () => {
  const { folder, desktop, page } = await openStillWindow();
  await operatorDay({
    screen: desktop,
    page,
    name: 'window',
    startRun: async (spec, input) => void (await startRun(desktop, { spec, input })),
    comeBack: async () => {
      await expect(page.getByTestId('access-changes')).toHaveCount(0);
    },
  });
  await desktop.close();
  folder.remove();
});

/** The provider asks once, and knows the person afterwards. */
async function signIn(page: Page, isKnown: boolean): Promise<void> {
  await page.getByTestId('provider-dashboard').click();
  if (!isKnown) await atProvider(page, 'ada');
  await expect(page.getByTestId('account')).toBeVisible();
}

test("an operator's day in a browser, signed in at the provider (OD-057)", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callback = `${origin}/api/callback`;
  const accounts = [
    { id: 'ada', claims: { roles: ['desk'], email: 'ada@example.com', email_verified: true } },
  ];
  const idp = await startIdentityProvider(callback, accounts, 'client_secret_basic');
  const folder = scratchFolder();
  const platform = await serveAlone(folder.path, ['service', 'serve']);
  const words = ['dashboard', 'serve', '--platform-url', platform.url];
  const dashboard = await serveAlone(folder.path, words, {
    port,
    env: {
      ...dashboardEnv(idp.issuer, origin),
      DASH_OIDC_REDIRECT_URL: callback,
      DASH_OIDC_ROLE_MAP: '{"desk": "admin"}',
      PLATFORM_API_KEY: platform.key,
    },
  });
  const browser = await openChromium();
  const page = await person(browser);
  await page.goto(dashboard.url);
  await signIn(page, false);
  await operatorDay({
    screen: page,
    page,
    name: 'browser',
    startRun: async (spec, input) => {
      const answer = await fetch(`${platform.url}/v1/runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${platform.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ spec, input, async_mode: true }),
      });
      expect(answer.ok, await answer.text()).toBe(true);
    },
    // New roles end every session.
    comeBack: () => signIn(page, true),
  });
  await browser.close();
  await dashboard.stop();
  await platform.stop();
  await idp.close();
  folder.remove();
});
