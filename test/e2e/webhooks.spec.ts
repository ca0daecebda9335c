import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

test('a receiver is added, does not answer, and gets what was given up once it does', async () => {
  const receiver = { status: 500, asked: 0 };
  const server = http.createServer((_request, response) => {
    receiver.asked += 1;
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const folder = scratchFolder();
  const desktop = await openDesktop({
    folder: folder.path,
    env: {
      SERV_EVENTS_PRIVATE_ADDRESSES: 'true',
      SERV_EVENTS_RETRY_SECONDS: '0.1',
      SERV_EVENTS_MAX_ATTEMPTS: '2',
    },
  });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);

  await page.getByTestId('place-operate').click();
  await page.getByTestId('operate-webhooks').click();
  const place = page.getByTestId('webhooks-page');
  await expect(place).toContainText('There is no receiver: nobody is told.');
  await checkLooks(desktop, 'webhooks-none');

  await page.getByTestId('webhook-add').click();
  await page.getByTestId('webhook-url').fill(`http://127.0.0.1:${port}/hooks/runs?of=team`);
  await page.getByTestId('webhook-description').fill('Pager of the night shift');
  await checkLooks(desktop, 'webhooks-add');
  await page.getByTestId('webhook-submit').click();
  await expect(page.getByTestId('webhook-secret')).toContainText('whsec_');
  await checkLooks(desktop, 'webhooks-secret');
  await page.keyboard.press('Escape');
  await expect(place.getByRole('row', { name: /Pager/ })).toContainText('not asked yet');

  const spec = fixtureSpec('support-triage.yaml');
  for (const input of ['a jam', 'no paper']) await startRun(desktop, { spec, input });
  await expect(place.getByRole('row', { name: /Pager/ }).first()).toContainText(
    'the receiver answered 500',
    { timeout: 30_000 },
  );
  await expect(place.getByTestId('dead-letters').getByRole('row')).toHaveCount(3, {
    timeout: 30_000,
  });
  await checkLooks(desktop, 'webhooks-given-up');

  receiver.status = 204;
  const before = receiver.asked;
  await place.getByRole('button', { name: 'Send again' }).first().click();
  await expect.poll(() => receiver.asked).toBe(before + 1);
  await place.getByTestId('repeat-all').click();
  await expect(place.getByTestId('dead-letters')).toContainText('No event was given up.');
  await expect.poll(() => receiver.asked).toBe(before + 2);

  // Dialogs give the keyboard back to the button that opened them.
  await place.getByRole('button', { name: 'Pause Pager of the night shift' }).click();
  await expect(place.getByRole('row', { name: /Pager/ })).toContainText('paused');
  await place.getByRole('button', { name: 'New secret for Pager of the night shift…' }).click();
  await page.getByTestId('webhook-rotate-submit').click();
  await expect(page.getByTestId('webhook-secret')).toContainText('whsec_');
  await page.keyboard.press('Escape');
  await place.getByRole('button', { name: 'Remove Pager of the night shift…' }).click();
  await page.getByTestId('webhook-remove-submit').click();
  await expect(place).toContainText('There is no receiver: nobody is told.');
  await desktop.close();
  server.closeAllConnections();
  server.close();
  folder.remove();
});
