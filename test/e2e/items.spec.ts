import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { importOne, openEditor } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

const EXPORT = path.resolve(import.meta.dirname, '../fixtures/story/sort-orders.json');
const APP = path.resolve(import.meta.dirname, '../fixtures/dify-apps/route-by-length.yml');

const NOTE = `Please ring the bell twice. ${'The dog is friendly and the gate sticks. '.repeat(20)}`;
const ORDERS = [
  { order: 'A-1', price: 60, count: 2, customer: { name: 'Ada', city: 'Graz' }, note: NOTE },
  { order: 'A-2', price: 15, count: 3, customer: { name: 'Bo', city: 'Ulm' } },
  { order: 'A-3', price: 99.5, count: 4, customer: { name: 'Cy', city: 'Bern' } },
];

/** A Dify app is dropped on the window, opened and run: its start is the form of the input. */
async function dropAndRunApp(desktop: Desktop, page: Page): Promise<void> {
  await dropFiles(page, APP);
  await expect(page.getByTestId('import-summary')).toBeVisible();
  await expect(page.getByText('A graph of steps, from Dify')).toBeVisible();
  await keepLooks(desktop, 'items-6-dify-dropped');
  await openEditor(page);
  await expect(page.locator('.react-flow__node').first()).toBeVisible();
  await page.keyboard.press('F5');
  await page.getByTestId('trigger-field-text').fill('what goes on and on');
  await page.getByTestId('trigger-field-tone').selectOption('casual');
  await keepLooks(desktop, 'items-7-dify-input');
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed');
  const panel = page.getByTestId('draft-run');
  const steps = panel.getByRole('table', { name: 'Steps and what they gave' });
  await expect(steps.locator('tbody tr')).toHaveText([/Start/, /Short\?/, /Long/, /Groups/, /End/]);
  await expect(panel).toContainText('L:what...');
  await keepLooks(desktop, 'items-8-dify-run');
  await expectAccessible(page);
}

test('an imported workflow runs from the editor, and each step shows its items', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await importOne(desktop, EXPORT);
  await expect(page.getByTestId('import-summary')).toBeVisible();
  await openEditor(page);
  await expect(page.locator('.react-flow__node').first()).toBeVisible();

  // The input is told to be wrong before anything runs.
  await page.keyboard.press('F5');
  const panel = page.getByTestId('draft-run');
  await expect(panel).toContainText("the trigger's items");
  const input = page.getByTestId('draft-run-input');
  await input.fill('[{"order": ');
  await page.keyboard.press('F5');
  await expect(panel).toContainText('begins like JSON and is not valid');
  await keepLooks(desktop, 'items-1-input');
  await expect(page.getByTestId('draft-run-status')).toHaveCount(0);
  await input.fill(JSON.stringify(ORDERS));
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed');
  const steps = panel.getByRole('table', { name: 'Steps and what they gave' });
  await expect(steps.locator('tbody tr')).toHaveText([
    /Run by hand.*3 items/,
    /Add the sum.*3 items/,
    /Is it large\?.*true 2 · false 1/,
    /Large.*2 items/,
    /Small.*1 item/,
  ]);
  await keepLooks(desktop, 'items-2-editor');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Open in Runs' }).click();
  const items = page.getByTestId('run-items');
  await items.getByTestId('row-step-2').focus();
  await page.keyboard.press('Enter');
  const table = items.getByRole('table', { name: 'Items of Is it large?' });
  await expect(table.locator('tbody tr')).toHaveText([/A-1.*120/, /A-3.*398/]);
  await keepLooks(desktop, 'items-3-run');
  await items.getByText('false (1)').click();
  await expect(table.locator('tbody tr')).toHaveText([/A-2.*45/]);
  await items.getByText('true (2)').click();
  await items.getByTestId('row-item-0').focus();
  await page.keyboard.press('Enter');
  await expect(items.getByTestId('item-detail')).toContainText(NOTE.trim());
  await items.getByTestId('item-detail').scrollIntoViewIfNeeded();
  await keepLooks(desktop, 'items-4-item');
  await items
    .getByRole('radiogroup', { name: /How to show/ })
    .getByText('JSON')
    .click();
  await expect(items.getByTestId('items-json')).toContainText('"city": "Bern"');
  await keepLooks(desktop, 'items-5-json');
  await expectAccessible(page);
  await dropAndRunApp(desktop, page);
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
