import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import {
  dashboardEnv,
  studioProviderFile,
  writePrivate,
  writeTeamUsers,
} from '../support/team-server.ts';
import { draftText, typeAtEnd } from './support/editor.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { atProvider, freePort, hostWord, person } from './support/team.ts';

// Many pictures of two browsers in one story.
test.setTimeout(300_000);
async function typePassword(page: Page, name: string, password: string): Promise<void> {
  const form = page.getByTestId('password-form');
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByLabel('Password', { exact: true }).press('Enter');
}

test('a team with passwords: first person, a second one, signed out and revoked (AS-105, AS-106, AS-135)', async () => {
  const folder = scratchFolder();
  const users = await writeTeamUsers(path.join(folder.path, 'users.json'), ['ada', 'bob']);
  const headless = await serveHeadless({
    folder: folder.path,
    env: {
      STUDIO_AUTH_MODE: 'static',
      STUDIO_USERS_FILE: users,
      STUDIO_LOGIN_FAILURE_LIMIT: '3',
    },
  });
  const browser = await openChromium();
  const ada = await person(browser);
  await ada.goto(headless.urls.gateway);
  const form = ada.getByTestId('password-form');
  await expect(form.getByLabel('Name')).toBeFocused();
  await expect(form.getByLabel('Name')).toHaveAttribute('autocomplete', 'username');
  await expect(form.getByLabel('Password', { exact: true })).toHaveAttribute(
    'autocomplete',
    'current-password',
  );
  await checkLooks(ada, 'team-sign-in');

  await typePassword(ada, 'ada', 'wrong');
  const fault = ada.getByTestId('sign-in-fault');
  await expect(fault).toContainText('Name or password is not right');
  await expect(form.getByLabel('Password', { exact: true })).toBeFocused();
  await checkLooks(ada, 'team-wrong-password');

  const token = hostWord(folder.path, 'static', 'studio', 'bootstrap-token');
  await ada.getByTestId('claim-toggle').click();
  await form.getByLabel('Token of the server').fill('nonsense');
  await typePassword(ada, 'ada', 'right');
  await expect(fault).toContainText('The token does not open this server');
  await checkLooks(ada, 'team-claim-refused');
  await form.getByLabel('Token of the server').fill(token);
  await typePassword(ada, 'ada', 'right');
  await expect(ada.getByTestId('welcome')).toBeVisible();
  await expect(ada.getByTestId('project-default')).toBeVisible();
  await ada.getByTestId('account').click();
  await expect(ada.getByRole('menu')).toContainText('Authoring: Ada');
  await checkLooks(ada, 'team-account');
  await ada.keyboard.press('Escape');
  await ada.getByTestId('place-runs').click();
  await expect(ada.getByTestId('place-shut')).toContainText('for who runs this server');
  await checkLooks(ada, 'team-runs-shut');

  const bob = await person(browser);
  await bob.goto(headless.urls.gateway);
  await typePassword(bob, 'bob', 'right');
  const waits = bob.getByTestId('sign-in-fault');
  await expect(waits).toContainText('You are known, but not let in');
  await expect(waits).toContainText('principal approve --subject bob');
  await checkLooks(bob, 'team-not-admitted');
  hostWord(folder.path, 'static', 'studio', 'principal', 'approve', '--subject', 'bob');
  await typePassword(bob, 'bob', 'right');
  await expect(bob.getByTestId('no-project')).toContainText(
    'invite you by the name that you sign in with',
  );
  await checkLooks(bob, 'team-no-project');

  // The text on screen outlives the session, wherever it was ended.
  await ada.getByTestId('place-author').click();
  await ada.getByTestId('wordmark').click();
  await ada.getByTestId('new-draft').click();
  const question = ada.getByRole('dialog');
  await question.getByRole('textbox').first().fill('desk');
  await question.getByRole('button', { name: /Create/ }).click();
  await expect(ada.getByTestId('editor-page')).toBeVisible();
  await ada.locator('.monaco-editor .view-line').first().waitFor();
  await typeAtEnd(ada, '\n# not saved');
  const other = await ada.context().newPage();
  await other.goto(headless.urls.gateway);
  await other.getByTestId('account').click();
  await other.getByTestId('account-sign-out').click();
  await expect(other.getByTestId('sign-in-page')).toBeVisible();
  const over = ada.getByRole('dialog', { name: 'Your session has ended' });
  await expect(over).toBeVisible();
  expect(await draftText(ada)).toContain('# not saved');
  await checkLooks(ada, 'team-session-over');
  await ada.keyboard.press('Escape');
  await expect(ada.getByTestId('session-over-banner')).toBeVisible();
  await ada.getByRole('button', { name: 'Sign in again' }).click();
  await typePassword(ada, 'ada', 'right');
  await expect(over).toBeHidden();
  await ada.keyboard.press('Control+s');
  await expect(ada.getByTestId('status-save')).toHaveAttribute('data-state', 'saved');
  expect(await draftText(ada)).toContain('# not saved');
  // The other tab of this browser goes on as well.
  await expect(other.getByTestId('account')).toBeVisible();

  hostWord(folder.path, 'static', 'studio', 'principal', 'disable', '--subject', 'bob');
  await bob.getByTestId('welcome-new-project').click();
  await bob.getByRole('dialog').getByRole('textbox').first().fill('mine');
  await bob
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click();
  await expect(bob.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();

  const third = await person(browser);
  await third.goto(headless.urls.gateway);
  for (const round of [1, 2, 3, 4]) {
    await expect(third.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
    const answered = third.waitForResponse((answer) => answer.request().method() === 'POST');
    await typePassword(third, 'carl', `wrong ${round}`);
    await answered;
    await expect(third.getByTestId('sign-in-fault')).toBeVisible();
  }
  await expect(third.getByTestId('sign-in-fault')).toContainText('Too many failed sign-ins');
  await expect(third.getByTestId('sign-in-wait')).toContainText(/Try again in \d+ seconds/);
  await checkLooks(third, 'team-throttled');
  await browser.close();
  await headless.stop();
  folder.remove();
});

test('a team at an identity provider: both doors, a role that is missing, a session that ends (OD-057, OD-070, AS-145)', async () => {
  const folder = scratchFolder();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callbacks = ['/studio/api/session/oidc/callback', '/dashboard/api/callback'];
  const idp = await startIdentityProvider(
    callbacks.map((callback) => origin + callback),
    [
      {
        id: 'ada',
        claims: { name: 'Ada', email: 'ada@example.com', email_verified: true, roles: ['desk'] },
      },
      { id: 'eve', claims: { name: 'Eve', email: 'eve@example.com', email_verified: true } },
    ],
  );
  const bootstrap = { owner: { kind: 'oidc', issuer: idp.issuer, subject: 'ada' } };
  const file = writePrivate(
    path.join(folder.path, 'provider.json'),
    studioProviderFile(idp.issuer, origin, { bootstrap }),
  );
  const headless = await serveHeadless({
    folder: folder.path,
    args: ['--gateway-port', String(port)],
    env: {
      STUDIO_AUTH_MODE: 'oidc',
      STUDIO_OIDC_PROVIDER_FILE: file,
      ...dashboardEnv(idp.issuer, origin),
      DASH_SESSION_TTL_SECONDS: '40',
    },
  });
  const browser = await openChromium();
  const ada = await person(browser);
  await ada.goto(origin);
  await expect(ada.getByTestId('provider-studio')).toHaveText('Sign in with 127.0.0.1');
  await checkLooks(ada, 'team-provider');
  await ada.getByTestId('provider-studio').click();
  await atProvider(ada, 'ada');
  await expect(ada.getByTestId('project-default')).toBeVisible();
  await ada.getByTestId('place-runs').click();
  await expect(ada.getByTestId('place-sign-in')).toBeVisible();
  await checkLooks(ada, 'team-runs-sign-in');
  await ada.getByTestId('provider-dashboard').click();
  // The provider knows the browser by now, and the tab comes back to the place it left.
  await expect(ada).toHaveURL(/\/runs/);
  await expect(ada.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await ada.getByTestId('account').click();
  await expect(ada.getByRole('menu')).toContainText('Operations: ada@example.com, operator');
  await checkLooks(ada, 'team-account-both');
  await ada.keyboard.press('Escape');
  const seen = await ada.evaluate(() => document.cookie + JSON.stringify({ ...localStorage }));
  expect(seen).not.toContain('session');

  const over = ada.getByRole('dialog', { name: 'Your session has ended' });
  await expect(over).toBeVisible({ timeout: 60_000 });
  await checkLooks(ada, 'team-operator-over');
  const [popup] = await Promise.all([
    ada.context().waitForEvent('page'),
    over.getByTestId('provider-dashboard').click(),
  ]);
  await expect(popup.getByTestId('account')).toBeVisible();
  await ada.bringToFront();
  await expect(over).toBeHidden();

  const eve = await person(browser);
  await eve.goto(`${origin}/runs`);
  await eve.getByTestId('provider-dashboard').click();
  await atProvider(eve, 'eve');
  await expect(eve.getByTestId('sign-in-fault')).toContainText('You have no role here');
  await checkLooks(eve, 'team-no-role');
  await eve.goto(`${callbacks.map((callback) => origin + callback)[0]}?code=a&state=b`);
  await expect(eve.getByTestId('sign-in-fault')).toContainText('This sign-in is over');
  await browser.close();
  await idp.close();
  await headless.stop();
  folder.remove();
});
