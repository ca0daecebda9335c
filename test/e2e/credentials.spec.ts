import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { importOne, openEditor } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

const SECRET = 'plain-words-of-a-token-77';

/** An export whose one request asks `url` with a header of its own. */
function exportOf(url: string): string {
  const at = { typeVersion: 1, parameters: {} };
  return JSON.stringify({
    name: 'Ask the desk',
    nodes: [
      { id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', position: [0, 0], ...at },
      {
        id: '2',
        name: 'Ask',
        type: 'n8n-nodes-base.httpRequest',
        position: [200, 0],
        typeVersion: 4.2,
        parameters: {
          url,
          authentication: 'genericCredentialType',
          genericAuthType: 'httpHeaderAuth',
        },
        credentials: { httpHeaderAuth: { id: '7', name: 'Desk key' } },
      },
    ],
    connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  });
}

test('a credential of an imported workflow is bound in the editor, and its run sends it', async () => {
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers['x-desk']);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ answer: 42, heard: request.headers['x-desk'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = scratchFolder();
  const file = path.join(folder.path, 'ask-the-desk.json');
  const { port } = server.address() as AddressInfo;
  writeFileSync(file, exportOf(`http://127.0.0.1:${port}/desk`));
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await importOne(desktop, file);
  await openEditor(page);

  await page.getByTestId('open-credentials').click();
  const list = page.getByTestId('credentials');
  await expect(list).toContainText('Desk key (httpHeaderAuth)');
  await expect(list).toContainText('not bound');
  await keepLooks(desktop, 'credentials-1-list');
  await expectAccessible(page);
  await list.getByRole('button', { name: /^Bind/ }).click();
  await expect(page.getByTestId('credential-name')).toBeFocused();
  await page.keyboard.type('X-Desk');
  await page.getByTestId('credential-value').fill(SECRET);
  await keepLooks(desktop, 'credentials-2-bind');
  await page.keyboard.press('Enter');
  await expect(list).toContainText('an encrypted file of the data folder');
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);

  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-input').fill('[{}]');
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed');
  expect(heard).toEqual([SECRET]);
  await expect(page.getByTestId('draft-run')).not.toContainText(SECRET);
  await keepLooks(desktop, 'credentials-3-run');
  await desktop.close();
  server.close();
  folder.remove();
});
