// A window on services of another computer: over TLS, with an authority of the test's own.
import { expect, type Page, test } from '@playwright/test';
import { type Peer, passingOn, startPeer } from '../support/remote-peers.ts';
import { type Authority, type Certificate, makeAuthority } from '../support/test-authority.ts';
import { openDesktop } from './support/desktop.ts';
import { makeDraft, openDraft } from './support/editor.ts';
import { serveHeadless } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

test.setTimeout(420_000);

const ECHO = `version: v1
agent: {name: desk}
workflow:
  name: told-elsewhere
  type: sequential
  steps: [say]
components:
  agents:
    say: {name: say, system_prompt: Answer.}
`;

/** A service of the other computer behind TLS, which can be away and come back. */
class Front {
  readonly #base: string;
  #peer: Peer;

  private constructor(base: string, peer: Peer) {
    this.#base = base;
    this.#peer = peer;
  }

  static async before(base: string, certificate: Certificate): Promise<Front> {
    return new Front(base, await startPeer(certificate, passingOn(base), 0, 'itself'));
  }

  get url(): string {
    return this.#peer.url;
  }

  leave(): Promise<void> {
    return this.#peer.close();
  }

  async comeBack(certificate: Certificate): Promise<void> {
    this.#peer = await startPeer(certificate, passingOn(this.#base), this.#peer.port, 'itself');
  }
}

async function openConnections(page: Page): Promise<void> {
  await page.getByTestId('connection').click();
  await page.getByTestId('connections-manage').click();
  await expect(page.getByTestId('connection-add')).toBeVisible();
}

async function addTeam(
  page: Page,
  authority: Authority,
  at: { readonly platform: string; readonly dashboard: string; readonly key: string },
): Promise<void> {
  await page.getByTestId('connection-add').click();
  await page.getByTestId('remote-name').fill('Team');
  await page.getByTestId('remote-color').selectOption('teal');
  await page.getByTestId('remote-platform').fill('http://team.example');
  await page.getByTestId('remote-key').fill(at.key);
  await page.getByTestId('remote-submit').click();
  await expect(page.getByTestId('remote-dialog')).toContainText('https://');
  await page.getByTestId('remote-platform').fill(at.platform);
  await page.getByTestId('remote-dashboard').fill(at.dashboard);
  await page.getByTestId('remote-network').click();
  await page.getByTestId('remote-authorities').fill(authority.cert);
  await page.getByTestId('remote-submit').click();
  await expect(page.getByTestId('remote-dialog')).toBeHidden();
}

test('a window works with another computer, goes offline and back, and asks about a new key', async () => {
  const authority = makeAuthority();
  const [here, there] = [scratchFolder(), scratchFolder()];
  const headless = await serveHeadless({ folder: there.path });
  const certificate = authority.issue();
  const platform = await Front.before(headless.urls.platform, certificate);
  const dashboard = await Front.before(headless.urls.dashboard, certificate);
  const runsThere = async (): Promise<{ runs?: unknown[]; items?: unknown[] }> =>
    (await fetch(`${headless.urls.platform}/v1/runs`, { headers: headless.headers })).json();
  await fetch(`${headless.urls.platform}/v1/runs`, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: fixtureSpec('release-notes.yaml'), input: 'from the team' }),
  });
  const desktop = await openDesktop({ folder: here.path });
  const { page } = desktop;
  await desktop.ready();
  await makeDraft(desktop, 'told-elsewhere', ECHO);

  await openConnections(page);
  const key = (headless.headers['authorization'] ?? '').replace('Bearer ', '');
  await addTeam(page, authority, { platform: platform.url, dashboard: dashboard.url, key });
  await page.getByTestId('connection-test-Team').click();
  const report = page.getByTestId('report-platform');
  for (const check of ['reachable', 'identity', 'version', 'who', 'clock', 'offers']) {
    await expect(report.getByTestId(`check-${check}`)).toHaveAttribute('data-state', 'ok');
  }
  await expect(page.getByTestId('report-dashboard').getByTestId('check-who')).toContainText(
    'admin',
  );
  await checkLooks(desktop, 'remote-test');
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await checkLooks(desktop, 'remote-connections');

  await page.getByTestId('connection-use-Team').click();
  await expect(page.getByTestId('connection')).toContainText('Team');
  await page.getByTestId('place-runs').click();
  await expect(page.getByText('from the team')).toBeVisible();
  await checkLooks(desktop, 'remote-runs');

  await openDraft(page, 'told-elsewhere');
  await page.keyboard.press('F5');
  const at = page.getByTestId('runs-at');
  await expect(at).toContainText(platform.url);
  const before = JSON.stringify(await runsThere());
  await page.getByTestId('draft-run-input').fill('goes to the team');
  expect(before).not.toContain('goes to the team');
  await checkLooks(desktop, 'remote-run-asks');
  await page.getByTestId('draft-run-start').click();
  await expect.poll(async () => JSON.stringify(await runsThere())).toContain('goes to the team');

  await platform.leave();
  await dashboard.leave();
  await expect(page.getByTestId('remote-down')).toContainText('Team', { timeout: 30_000 });
  const state = page.getByTestId('status-platform');
  await expect(state).toHaveText('Platform of Team does not answer');
  await page.getByTestId('draft-run-input').fill('typed while it is away');
  await checkLooks(desktop, 'remote-offline');
  await platform.comeBack(certificate);
  await dashboard.comeBack(certificate);
  await expect(page.getByTestId('remote-down')).toBeHidden({ timeout: 30_000 });
  await expect(state).toHaveText('Platform ready', { timeout: 30_000 });
  await expect(page.getByTestId('draft-run-input')).toHaveValue('typed while it is away');

  await platform.leave();
  await platform.comeBack(authority.issue());
  await expect(page.getByTestId('remote-down')).toContainText('not the one of before', {
    timeout: 30_000,
  });
  await openConnections(page);
  await page.getByTestId('connection-test-Team').click();
  await expect(page.getByTestId('new-key')).toBeVisible();
  await checkLooks(desktop, 'remote-new-key');
  await page.getByTestId('accept-key').click();
  await expect(page.getByTestId('new-key')).toBeHidden();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByTestId('remote-down')).toBeHidden({ timeout: 30_000 });

  await page.getByTestId('connection').click();
  await page.getByTestId('connection-here').click();
  await page.getByTestId('place-runs').click();
  await expect(page.getByText('from the team')).toBeHidden();
  await desktop.close();
  await headless.stop();
  await platform.leave();
  await dashboard.leave();
  authority.close();
  here.remove();
  there.remove();
});
