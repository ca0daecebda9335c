// Windows that work with other computers: each on its own, back after a quit, by a proxy of the
// desktop, signed in in the system's browser.
import { expect, test } from '@playwright/test';
import { OIDC_CLIENT, startIdentityProvider } from '../support/identity-provider.ts';
import { passingOn, startPeer, startProxy } from '../support/remote-peers.ts';
import { makeAuthority } from '../support/test-authority.ts';
import { addConnection, connectTo, keyOf } from './support/connections.ts';
import { type Desktop, openDesktop, type Workbench, workbench } from './support/desktop.ts';
import { type Headless, serveHeadless } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

test.setTimeout(420_000);

async function startRun(headless: Headless, input: string): Promise<void> {
  await fetch(`${headless.urls.platform}/v1/runs`, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: fixtureSpec('release-notes.yaml'), input }),
  });
}

async function secondWindow(desktop: Desktop): Promise<Workbench> {
  const opening = desktop.app.waitForEvent('window');
  await desktop.page.keyboard.press('Control+Shift+N');
  const second = workbench(await opening);
  await second.ready();
  return second;
}

test('two windows on two connections stay apart, by the desktop’s proxy, and are there again after a quit', async () => {
  const authority = makeAuthority();
  const [here, one, two] = [scratchFolder(), scratchFolder(), scratchFolder()];
  const [desk, far] = [
    await serveHeadless({ folder: one.path }),
    await serveHeadless({ folder: two.path }),
  ];
  await startRun(desk, 'asked at the desk');
  await startRun(far, 'asked far away');
  const peers = await Promise.all(
    [desk.urls.platform, desk.urls.dashboard, far.urls.platform, far.urls.dashboard].map((base) =>
      startPeer(
        authority.issue({ names: 'DNS:localhost,DNS:far.invalid' }),
        passingOn(base),
        0,
        'itself',
      ),
    ),
  );
  const [deskPlatform, deskDashboard, farPlatform, farDashboard] = peers.map(({ port }) => port);
  // Only the proxy knows this host, and only the desktop's script knows the proxy.
  const proxy = await startProxy(undefined, '127.0.0.1');
  const script = `function FindProxyForURL(url, host) { return host === 'far.invalid' ? 'PROXY ${new URL(proxy.url).host}' : 'DIRECT'; }`;
  const args = [`--proxy-pac-url=data:,${encodeURIComponent(script)}`];
  const desktop = await openDesktop({ folder: here.path, args });
  const { page } = desktop;
  await desktop.ready();
  await addConnection(page, authority, {
    ...{ name: 'Desk', color: 'teal', auth: { kind: 'key' }, key: keyOf(desk) },
    platform: `https://localhost:${deskPlatform}`,
    dashboard: `https://localhost:${deskDashboard}`,
  });
  await addConnection(page, authority, {
    ...{ name: 'Far', color: 'red', auth: { kind: 'key' }, key: keyOf(far) },
    platform: `https://far.invalid:${farPlatform}`,
    dashboard: `https://far.invalid:${farDashboard}`,
  });
  await page.reload();
  await connectTo(page, 'Desk');
  const second = await secondWindow(desktop);
  await expect(second.page.getByTestId('connection')).toContainText('Desk');
  await connectTo(second.page, 'Far');
  await page.getByTestId('place-runs').click();
  await second.page.getByTestId('place-runs').click();
  await expect(page.getByText('asked at the desk')).toBeVisible({ timeout: 30_000 });
  await expect(second.page.getByText('asked far away')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('asked far away')).toBeHidden();
  await expect(second.page.getByText('asked at the desk')).toBeHidden();
  await expect(page.getByTestId('connection')).toContainText('Desk');
  expect(new Set(proxy.tunnels)).toEqual(
    new Set([`far.invalid:${farPlatform}`, `far.invalid:${farDashboard}`]),
  );
  await second.page.reload();
  await expect(second.page.getByTestId('connection')).toContainText('Far');
  await desktop.close();

  const again = await openDesktop({ folder: here.path, args });
  await expect.poll(() => again.app.windows().length).toBe(2);
  const shown = async (name: string, input: string): Promise<void> => {
    for (const window of again.app.windows()) {
      const connection = window.getByTestId('connection');
      await expect(connection).toContainText(/Desk|Far/, { timeout: 60_000 });
      if (!(await connection.innerText()).includes(name)) continue;
      await expect(window.getByText(input)).toBeVisible({ timeout: 60_000 });
    }
  };
  await shown('Desk', 'asked at the desk');
  await shown('Far', 'asked far away');
  await again.close();
  await Promise.all([...peers.map((peer) => peer.close()), proxy.close()]);
  await Promise.all([desk.stop(), far.stop()]);
  authority.close();
  for (const folder of [here, one, two]) folder.remove();
});

test('a person signs in for a connection in the system’s browser, and the window goes on', async () => {
  const authority = makeAuthority();
  const [here, there] = [scratchFolder(), scratchFolder()];
  const headless = await serveHeadless({ folder: there.path });
  await startRun(headless, 'behind the sign-in');
  const provider = await startIdentityProvider(
    'http://127.0.0.1/callback',
    [{ id: 'ada', claims: { name: 'Ada L.' } }],
    'none',
  );
  // As a proxy behind a provider does: whoever brings a token of it is let in, with the service's key.
  const guarded = (base: string) =>
    startPeer(
      authority.issue(),
      passingOn(base, async (request) => {
        const { authorization = '' } = request.headers;
        request.headers.authorization = headless.headers['authorization'];
        return (await fetch(`${provider.issuer}/me`, { headers: { authorization } })).ok;
      }),
      0,
      'itself',
    );
  const platform = await guarded(headless.urls.platform);
  const dashboard = await guarded(headless.urls.dashboard);
  const desktop = await openDesktop({ folder: here.path });
  const { page } = desktop;
  await desktop.ready();
  await addConnection(page, authority, {
    ...{ name: 'Club', color: 'green' },
    auth: { kind: 'oidc', issuer: provider.issuer, client_id: OIDC_CLIENT.id },
    ...{ platform: platform.url, dashboard: dashboard.url },
  });
  await page.reload();
  await connectTo(page, 'Club');
  await page.getByTestId('place-runs').click();
  await expect(page.getByText('Sign in at the connection again').first()).toBeVisible({
    timeout: 30_000,
  });
  await checkLooks(desktop, 'remote-not-signed-in');

  // The system's browser is where the address is opened; here the test is that browser.
  await desktop.app.evaluate(({ dialog, shell }) => {
    dialog.showMessageBox = async () => ({ response: 2, checkboxChecked: false });
    shell.openExternal = async (address) => {
      (globalThis as { opened?: string }).opened = address;
    };
  });
  await page.getByTestId('connection').click();
  await page.getByTestId('connections-manage').click();
  await page.getByTestId('sign-in-begin-Club').click();
  const opened = () => desktop.app.evaluate(() => (globalThis as { opened?: string }).opened ?? '');
  await expect.poll(opened).toContain(`${provider.issuer}/auth`);
  await expect(page.getByText('Waiting for the browser')).toBeVisible();
  const back = await provider.signIn(await opened(), 'ada');
  expect(await (await fetch(back)).text()).toContain('Specwright');
  await expect(page.getByTestId('sign-in-Club')).toContainText('Ada L.', { timeout: 30_000 });
  await checkLooks(desktop, 'remote-signed-in');
  await page.getByTestId('place-runs').click();
  await expect(page.getByText('behind the sign-in')).toBeVisible({ timeout: 30_000 });

  await page.getByTestId('connection').click();
  await page.getByTestId('connections-manage').click();
  await page.getByTestId('sign-out-Club').click();
  await expect(page.getByTestId('sign-in-Club')).toContainText('not signed in');
  await desktop.close();
  await headless.stop();
  await Promise.all([platform.close(), dashboard.close(), provider.close()]);
  authority.close();
  here.remove();
  there.remove();
});
