import { expect, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { dashboardEnv } from '../support/team-server.ts';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { serveAlone } from './support/serve-one.ts';
import { atProvider, freePort, person } from './support/team.ts';

test('operators sign in at the dashboard by itself and come back to where they were (OD-057, OD-068)', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callback = `${origin}/api/callback`;
  const accounts = [
    { id: 'ada', claims: { roles: ['desk'], email: 'ada@example.com', email_verified: true } },
    { id: 'eve', claims: { roles: ['staff'] } },
  ];
  const idp = await startIdentityProvider(callback, accounts, 'client_secret_basic');
  const folder = scratchFolder();
  const platform = await serveAlone(folder.path, ['service', 'serve']);
  const dashboard = await serveAlone(
    folder.path,
    ['dashboard', 'serve', '--platform-url', platform.url],
    {
      port,
      env: {
        ...dashboardEnv(idp.issuer, origin),
        DASH_OIDC_REDIRECT_URL: callback,
        PLATFORM_API_KEY: platform.key,
      },
    },
  );
  const browser = await openChromium();

  const ada = await person(browser);
  await ada.goto(`${dashboard.url}/operate/health`);
  await expect(ada.getByTestId('sign-in-page')).toBeVisible();
  await ada.getByTestId('provider-dashboard').click();
  await atProvider(ada, 'ada');
  await expect(ada).toHaveURL(`${dashboard.url}/operate/health`);
  await expect(ada.getByTestId('platform-health')).toContainText('ready');
  await ada.getByTestId('account').click();
  await expect(ada.getByRole('menu')).toContainText('ada@example.com, operator');
  await ada.keyboard.press('Escape');
  // Starting specs is not an operator's: the place says so, and nothing ends in a refusal.
  await ada.goto(`${dashboard.url}/operate/launch`);
  await expect(ada.getByTestId('launch-shut')).toContainText('operator');
  await checkLooks(ada, 'alone-oidc-launch');

  const eve = await person(browser);
  await eve.goto(dashboard.url);
  await eve.getByTestId('provider-dashboard').click();
  await atProvider(eve, 'eve');
  await expect(eve.getByTestId('sign-in-fault')).toContainText('You have no role here');
  await checkLooks(eve, 'alone-oidc-no-role');

  await ada.getByTestId('account').click();
  await ada.getByTestId('account-sign-out').click();
  await expect(ada.getByTestId('sign-in-page')).toBeVisible();

  await browser.close();
  await dashboard.stop();
  await platform.stop();
  await idp.close();
  folder.remove();
});
