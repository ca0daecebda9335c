// What a dashboard tells of itself on screen, in a browser at its own address.
import { expect, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { dashboardEnv } from '../support/team-server.ts';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { serveAlone } from './support/serve-one.ts';
import { atProvider, freePort, person } from './support/team.ts';

test('administrators read how people sign in, operators how the dashboard stands (OD-009, OD-012, OD-013, OD-014, OD-016, OD-017, OD-021, OD-022, OD-023, OD-146)', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callback = `${origin}/api/callback`;
  const accounts = [
    { id: 'ada', claims: { roles: ['desk'] } },
    { id: 'root', claims: { roles: ['none'] } },
  ];
  const idp = await startIdentityProvider(callback, accounts, 'client_secret_basic');
  const folder = scratchFolder();
  const platform = await serveAlone(folder.path, ['service', 'serve']);
  const settings: Readonly<Record<string, string>> = {
    ...dashboardEnv(idp.issuer, origin),
    DASH_OIDC_REDIRECT_URL: callback,
    DASH_OIDC_BOOTSTRAP_ADMIN: 'root',
    DASH_SESSION_IDLE_SECONDS: '600',
  };
  const dashboard = await serveAlone(
    folder.path,
    ['dashboard', 'serve', '--platform-url', platform.url],
    { port, env: { ...settings, PLATFORM_API_KEY: platform.key } },
  );
  const browser = await openChromium();

  const ada = await person(browser);
  await ada.goto(`${dashboard.url}/operate/health`);
  await ada.getByTestId('provider-dashboard').click();
  await atProvider(ada, 'ada');
  const health = ada.getByTestId('platform-health');
  await expect(health).toContainText(`at ${new URL(platform.url).origin}`);
  const own = ada.getByTestId('own-store');
  await expect(own).toContainText('oidc: people sign in at the identity provider');
  await expect(own).toContainText(/an embedded file, \d+\.\d+ MB with the files beside it/);
  await expect(own).toContainText('0 rows');
  await expect(own).toContainText('1 that have not ended');
  await own.scrollIntoViewIfNeeded();
  await checkLooks(ada, 'own-facts-health');

  // Who may not change these settings is not shown them, and nothing is asked that ends in a refusal.
  const refused: string[] = [];
  ada.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await ada.goto(`${dashboard.url}/operate/administration`);
  const section = (page: typeof ada) =>
    page.getByTestId('admin-page').locator('section').filter({ hasText: 'Sign-in' });
  await expect(section(ada)).toContainText('does not include settings.write');
  await expect(ada.getByTestId('sign-in-facts')).toHaveCount(0);
  expect(refused).toEqual([]);

  const root = await person(browser);
  await root.goto(`${dashboard.url}/operate/administration`);
  await root.getByTestId('provider-dashboard').click();
  await atProvider(root, 'root');
  const facts = root.getByTestId('sign-in-facts');
  const row = (variable: string) => facts.getByRole('row').filter({ hasText: variable });
  await expect(row('DASH_AUTH_MODE')).toContainText('oidc');
  await expect(row('DASH_OIDC_ISSUER')).toContainText(idp.issuer);
  await expect(row('DASH_OIDC_CLIENT_ID')).toContainText(settings['DASH_OIDC_CLIENT_ID'] ?? '');
  await expect(row('DASH_OIDC_ROLE_CLAIM')).toContainText('roles');
  await expect(row('DASH_OIDC_ROLE_MAP')).toContainText('desk → operator');
  await expect(row('DASH_OIDC_ROLE_MAP')).toContainText('Whoever is in none of these');
  await expect(row('DASH_SESSION_COOKIE_NAME')).toContainText('dash_session');
  await expect(row('DASH_SESSION_TTL_SECONDS')).toContainText('12 h');
  await expect(row('DASH_SESSION_IDLE_SECONDS')).toContainText('10 min');
  await expect(row('DASH_DEV_MODE')).toContainText('off');
  await expect(row('DASH_CORS_ORIGINS')).toContainText('none may call');
  const shown = await root.content();
  for (const name of ['DASH_SESSION_SECRET', 'DASH_OIDC_CLIENT_SECRET'] as const) {
    const secret = settings[name] ?? '';
    expect(secret).not.toBe('');
    expect(shown.includes(secret)).toBe(false);
  }
  await facts.scrollIntoViewIfNeeded();
  await checkLooks(root, 'own-facts-sign-in');

  await browser.close();
  await dashboard.stop();
  await platform.stop();
  await idp.close();
  folder.remove();
});
