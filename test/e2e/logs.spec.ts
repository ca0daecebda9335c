import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { chooseMenu } from './support/menu.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

const SECRET = 'sk-planted0123456789abcdef';

/** A log of an earlier start: about 3 MiB, with one line that is looked for near its beginning. */
function writeOldLog(): void {
  const logs = path.join(folder.path, 'logs');
  mkdirSync(logs, { recursive: true });
  const rows = Array.from({ length: 12_000 }, (_, at) =>
    JSON.stringify({
      level: at === 40 ? 50 : 30,
      time: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      msg: at === 40 ? 'the needle was lost' : `old line ${at}`,
      pad: 'x'.repeat(180),
      ...(at === 11_990 ? { api_key: SECRET } : {}),
    }),
  );
  appendFileSync(path.join(logs, 'shell.log'), `${rows.join('\n')}\n`);
}

test('the log is read by pages, filtered, followed and copied, without secrets', async () => {
  writeOldLog();
  const desktop = await openDesktop({ folder: folder.path });
  const { page, app } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await chooseMenu(app, 'Help', 'Logs');
  await expect(page.getByTestId('logs-page')).toBeVisible();
  const lines = page.getByRole('list', { name: 'Log' });
  await expect(lines.getByText('dashboard listens')).toBeVisible();
  expect(await lines.getByRole('listitem').count()).toBeLessThan(80);
  const first = await page.getByTestId('logs-count').innerText();
  expect(Number(first.replaceAll(/\D/g, ''))).toBeLessThan(3_000);

  // New lines come by themselves while it is followed.
  await page.getByTestId('logs-text').fill('no such words');
  await expect(page.getByText('Nothing matches')).toBeVisible({ timeout: 20_000 });
  await page.getByTestId('logs-text').fill('');
  await expect(lines.getByText('dashboard listens')).toBeVisible();
  const before = await page.getByTestId('logs-count').innerText();
  await page.evaluate(async () => {
    const bridge = (
      window as { specwright?: { services(): Promise<{ gateway: { url: string } }> } }
    ).specwright;
    const { gateway } = (await bridge?.services()) ?? { gateway: { url: '' } };
    await fetch(`${gateway.url}/studio/api/me`).catch(() => undefined);
  });
  await expect(page.getByTestId('logs-count')).not.toHaveText(before);

  // A filter looks through the earlier pages.
  await page.getByTestId('logs-text').fill('needle lost');
  const needle = lines.getByRole('button', { name: /needle/ });
  await expect(needle).toBeVisible({ timeout: 20_000 });
  await expect(page.getByTestId('logs-count')).toHaveText('1 line');
  await needle.click();
  await expect(page.getByTestId('log-details')).toContainText('the needle was lost');
  await app.evaluate(({ clipboard }) => clipboard.clear());
  await page.getByTestId('logs-copy').click();
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toMatch(/^2026-01-01T00:00:40.000Z error services the needle was lost/);

  // What was written with a secret is shown without it.
  await page.getByTestId('logs-text').fill('11990');
  await lines.getByRole('button', { name: /11990/ }).click();
  await expect(page.getByTestId('log-details')).toContainText('[REDACTED]');
  expect(await page.content()).not.toContain(SECRET);

  await page.getByTestId('logs-text').fill('');
  await page.getByRole('group', { name: 'Level' }).getByText('Error').click();
  await expect(lines.getByRole('button', { name: /needle/ })).toBeVisible();
  await checkLooks(desktop, 'logs-filtered');
  await page.getByRole('group', { name: 'Level' }).getByText('Error').click();
  await checkLooks(desktop, 'logs');

  // The window names places of the log, and nothing else.
  const refused = await page.evaluate(async () => {
    const bridge = (window as { specwright?: { logs(request: unknown): Promise<unknown> } })
      .specwright;
    const asked = [{ after: '../x' }, { before: -1 }, { after: 1.5 }];
    return Promise.all(asked.map((one) => bridge?.logs(one).then(() => 'read', String)));
  });
  for (const answer of refused) expect(answer).toContain('a place in the log is a whole number');
  await desktop.close();
});
