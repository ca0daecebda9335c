import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { importOne, openEditor } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

test.describe.configure({ timeout: 240_000 });

const EXPORT = path.resolve(import.meta.dirname, '../fixtures/story/order-desk.json');

/** Chooses the gap of an element by what it is called. */
async function chooseGap(page: Page, name: string): Promise<void> {
  await page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/Search/))
    .last()
    .fill(name);
  const row = page.locator('.sw-gap-list').getByText(name, { exact: false }).last();
  await row.click();
  await expect(page.getByTestId('gap-card')).toContainText(name);
}

test('missing code is written from its gap, its credential is bound there, and the run goes green', async () => {
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers['x-shop']);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"told": true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const folder = scratchFolder();
  const file = path.join(folder.path, 'order-desk.json');
  writeFileSync(file, readFileSync(EXPORT, 'utf8').replace('127.0.0.1:9/', `127.0.0.1:${port}/`));
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await importOne(desktop, file);
  await page.getByTestId('open-gaps').first().click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.locator('.sw-source-node').first().waitFor();

  await chooseGap(page, 'Call the customer');
  await expect(page.getByTestId('write-function')).toBeVisible();
  await keepLooks(desktop, 'missing-code-1-gap');
  await expectAccessible(page);
  await page.getByTestId('write-function').click();
  const trust = page.getByRole('dialog', { name: 'Trust this folder?' });
  await expect(trust).toBeVisible();
  await keepLooks(desktop, 'missing-code-2-trust');
  await trust.getByRole('button', { name: /^Trust/ }).click();
  await expect(trust).toHaveCount(0);
  await expect(page.getByTestId('written-function')).toContainText('call_the_customer.ts');
  await keepLooks(desktop, 'missing-code-3-written');
  await expectAccessible(page);
  await chooseGap(page, 'Print a letter');
  await page.getByTestId('write-function').click();
  await expect(page.getByTestId('written-function')).toContainText('print_a_letter.ts');

  await chooseGap(page, 'Tell the shop');
  await page.getByTestId('bind-credential').click();
  await page.getByTestId('credential-name').fill('X-Shop');
  await page.getByTestId('credential-value').fill('some-words-of-a-key');
  await keepLooks(desktop, 'missing-code-4-bind');
  await page.getByTestId('credential-value').press('Enter');
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await chooseGap(page, 'Tell the shop');
  await expect(page.getByTestId('bind-credential')).toHaveText('Replace the binding…');

  await openEditor(page);
  await page.keyboard.press('F5');
  await page.getByTestId('trigger-field-body.total').fill('80');
  await expect(page.getByTestId('rehearsal-offer')).toHaveCount(0);
  await page.getByTestId('draft-run-start').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 30_000,
  });
  expect(heard).toEqual(['some-words-of-a-key']);
  await keepLooks(desktop, 'missing-code-5-green');
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  server.close();
  folder.remove();
});
