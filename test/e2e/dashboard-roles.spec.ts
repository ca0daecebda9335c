import { type Browser, expect, type Page, test } from '@playwright/test';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { dashboardEnv } from '../support/team-server.ts';
import { violationsOf } from './support/accessible.ts';
import { openChromium } from './support/headless.ts';
import {
  addressesOf,
  expectGates,
  type Filled,
  fillPlatform,
  GATES,
  openPage,
} from './support/operator-pages.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { eachLook, keepScreen } from './support/screens.ts';
import { type Alone, serveAlone } from './support/serve-one.ts';
import { atProvider, freePort, person } from './support/team.ts';
import { type Watched, watch } from './support/watched.ts';
import { operatorPages } from './support/window-pages.ts';

// Every page of the operator's window for each role, in each size and theme.
test.describe.configure({ timeout: 480_000 });

const ALL = [...new Set(GATES.map(({ needs }) => needs))];
/** What each role may do until somebody changes it (dashboard.md 6). */
const MAY: Readonly<Record<string, readonly string[]>> = {
  viewer: [],
  operator: ['annotate', 'credentials.read', 'filter.write', 'run.control'],
  admin: ALL,
};

const GREETER = `version: v1
agent:
  name: greeter
  system_prompt: Greet.
`;

const folder: ScratchFolder = scratchFolder();
let idp: IdentityProvider;
let platform: Alone;
let dashboard: Alone;
let browser: Browser;
let filled: Filled;

test.beforeAll(async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callback = `${origin}/api/callback`;
  const account = (id: string, roles: readonly string[]) => ({
    id,
    claims: { roles, email: `${id}@example.com`, email_verified: true },
  });
  idp = await startIdentityProvider(
    callback,
    [
      account('vera', ['looker']),
      account('otto', ['desk']),
      account('ada', ['lead']),
      account('eve', ['staff']),
    ],
    'client_secret_basic',
  );
  platform = await serveAlone(folder.path, ['service', 'serve']);
  dashboard = await serveAlone(
    folder.path,
    ['dashboard', 'serve', '--platform-url', platform.url],
    {
      port,
      env: {
        ...dashboardEnv(idp.issuer, origin),
        DASH_OIDC_REDIRECT_URL: callback,
        DASH_OIDC_ROLE_MAP: '{"looker": "viewer", "desk": "operator", "lead": "admin"}',
        PLATFORM_API_KEY: platform.key,
      },
    },
  );
  filled = await fillPlatform(platform);
  browser = await openChromium();
});

test.afterAll(async () => {
  await browser.close();
  await dashboard.stop();
  await platform.stop();
  await idp.close();
  folder.remove();
});

/** A window of somebody who has signed in; what goes wrong in it from then on is kept. */
async function signedIn(who: string): Promise<{ page: Page; seen: Watched }> {
  const page = await person(browser);
  await page.goto(dashboard.url);
  await page.getByTestId('provider-dashboard').click();
  await atProvider(page, who);
  await expect(page.getByTestId('account')).toBeVisible();
  return { page, seen: watch(page) };
}

/** Opens every page of the operator's window and looks at what the role may do there. */
async function walk(
  page: Page,
  seen: Watched,
  role: string,
  look: (at: string) => Promise<void>,
  may = MAY[role] ?? [],
): Promise<void> {
  const addresses = addressesOf(filled);
  expect(Object.keys(addresses).sort()).toEqual(operatorPages());
  for (const [pattern, address] of Object.entries(addresses)) {
    await openPage(page, dashboard.url + address);
    await expectGates(page, pattern, role, may);
    await look(pattern);
    expect({ pattern, ...seen }).toEqual({ pattern, refused: [], errors: [] });
  }
}

const named = (role: string, pattern: string) => `role-${role}${pattern.replaceAll(/\W+/g, '-')}`;

for (const [role, who] of [
  ['viewer', 'vera'],
  ['operator', 'otto'],
] as const) {
  test(`a window of the role ${role} offers what the role includes and is never refused (OD-013, OD-049, OD-142, OD-143, OD-154)`, async () => {
    const { page, seen } = await signedIn(who);
    const me = await page.evaluate(async () => await (await fetch('/api/me')).json());
    expect(me).toMatchObject({ role, capabilities: MAY[role], environments: null });
    await page.getByTestId('account').click();
    await expect(page.getByRole('menu')).toContainText(`${who}@example.com, ${role}`);
    await page.keyboard.press('Escape');
    await walk(page, seen, role, async (pattern) => {
      await keepScreen(page, named(role, pattern));
      expect(await violationsOf(page, `${role} ${pattern}`)).toEqual([]);
    });
    await page.context().close();
  });
}

test('every page of the operator is free of violations with what is really in it, light and dark, at both sizes, for an admin (OD-142, OD-143)', async () => {
  const { page, seen } = await signedIn('ada');
  const found: string[] = [];
  await walk(page, seen, 'admin', async (pattern) => {
    await eachLook(page, async (look) => {
      await keepScreen(page, `${named('admin', pattern)}-${look}`);
      found.push(...(await violationsOf(page, `${pattern} ${look}`)));
    });
  });
  expect(found).toEqual([]);
  await page.context().close();
});

test('who has no role gets no session and no page, whatever the address (OD-057, OD-070, OD-154)', async () => {
  const page = await person(browser);
  await page.goto(dashboard.url);
  await page.getByTestId('provider-dashboard').click();
  await atProvider(page, 'eve');
  await expect(page.getByTestId('sign-in-fault')).toContainText('You have no role here');
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).not.toContain('dash_session');
  for (const address of Object.values(addressesOf(filled))) {
    await page.goto(dashboard.url + address);
    await expect(page.getByTestId('sign-in-page'), address).toBeVisible();
    await expect(page.getByTestId('place-operate'), address).toHaveCount(0);
  }
  await page.context().close();
});

/** Writes a setting as the person of the page, whose session the browser sends. */
async function put(page: Page, address: string, body: object): Promise<void> {
  const answer = await page.evaluate(
    async ({ to, text }) => {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(`/api/settings${to}`, { method: 'PUT', headers, body: text });
      return sent.ok ? 'ok' : await sent.text();
    },
    { to: address, text: JSON.stringify(body) },
  );
  expect(answer).toBe('ok');
}

test('grants that leave production out leave nothing of it on screen, and what a role is given works (OD-034, OD-035, OD-061, OD-083, OD-087, OD-112, OD-118, OD-144)', async () => {
  const may = [...(MAY['operator'] ?? []), 'launch', 'policy.write'];
  const ada = await signedIn('ada');
  await put(ada.page, '/connections/prod', { version: 0, label: 'Live', production: true });
  await put(ada.page, '/connections/staging', { version: 0 });
  await put(ada.page, '/access/environments', {
    environments: { operator: ['dev', 'staging'], admin: ['staging'] },
    version: 0,
  });
  await put(ada.page, '/access', { capabilities: { ...MAY, operator: may }, version: 0 });
  expect(ada.seen.refused).toEqual([]);
  await ada.page.context().close();

  const { page, seen } = await signedIn('otto');
  await page.goto(`${dashboard.url}/runs?env=prod`);
  const choose = page.getByTestId('choose-environment');
  await expect(choose).toBeVisible();
  await expect(choose).not.toContainText('Live');
  await choose.getByRole('button', { name: 'staging' }).click();
  await page.getByTestId('operator-environment').click();
  await expect(page.getByTestId('environment-dev')).toBeVisible();
  await expect(page.getByTestId('environment-prod')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const look = (pattern: string) => keepScreen(page, named('granted', pattern));
  await walk(page, seen, 'operator', look, may);
  await expect(page.locator('body')).not.toContainText('Live');

  await openPage(page, `${dashboard.url}/operate/policies?environment=prod`);
  await expect(page.getByTestId('policy-shut')).toContainText('not granted the environment prod');
  await openPage(page, `${dashboard.url}/runs/${filled.failed}`);
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByTestId('note-body').fill('Otto looks at it.');
  await page.getByTestId('note-body').press('Control+Enter');
  await expect(page.getByTestId('note')).toContainText('Otto looks at it.');
  await page.getByRole('button', { name: 'Remove note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove note' }).click();
  await expect(page.getByTestId('note')).toHaveCount(0);
  await openPage(page, `${dashboard.url}/runs`);
  await page.getByTestId('saved-filters').click();
  await page.getByTestId('save-filter').click();
  await page.getByTestId('filter-name').fill('Mine');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('filter-name')).toHaveCount(0);
  await openPage(page, `${dashboard.url}/tasks/${filled.task}`);
  await page.getByTestId('decide-approved').click();
  await page.getByTestId('send-decision').click();
  await expect(page.getByTestId('held-decision')).toHaveCount(0);
  await expect(page.getByTestId('task')).toHaveCount(0);

  // What is given is used: a policy for the granted environment, and a launch that it stops.
  await openPage(page, `${dashboard.url}/operate/policies?environment=staging`);
  await page.getByRole('switch', { name: 'A person must decide' }).check();
  await page.getByTestId('policy-apply').click();
  await page.getByTestId('apply-policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('policy-of-staging')).toContainText('on');
  await openPage(page, `${dashboard.url}/operate/launch`);
  await page.getByTestId('launch-text').fill(GREETER);
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('Policy blocks it');
  await expect(page.getByTestId('launch-run-submit')).toHaveCount(0);
  expect(seen).toEqual({ refused: [], errors: [] });
  await page.context().close();

  // An admin keeps every environment, whatever is granted, and reads who did what where.
  const again = await signedIn('ada');
  await again.page.getByTestId('operator-environment').click();
  await again.page.getByTestId('environment-prod').click();
  await openPage(again.page, `${dashboard.url}/operate/audit?tab=operators`);
  const people = again.page.getByRole('table', { name: 'What people did' });
  const decided = people.getByRole('row').filter({ hasText: 'Answer a task' });
  await expect(decided).toHaveCount(1);
  await expect(decided).toContainText('otto@example.com');
  await expect(decided).toContainText('staging');
  expect(again.seen).toEqual({ refused: [], errors: [] });
});
