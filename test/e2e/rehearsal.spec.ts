import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { importOne, openEditor } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

test.describe.configure({ timeout: 240_000 });

const EXPORT = path.resolve(import.meta.dirname, '../fixtures/story/order-desk.json');

test('an import with gaps runs within a minute: what cannot run is answered', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await importOne(desktop, EXPORT);
  await expect(page.getByTestId('import-summary')).toBeVisible();
  await openEditor(page);
  await expect(page.locator('.react-flow__node').first()).toBeVisible();

  // The webhook's form asks for what later steps read; what is missing is told before anything runs.
  await page.keyboard.press('F5');
  const panel = page.getByTestId('draft-run');
  await expect(page.getByTestId('run-missing-bindings')).toContainText('Shop key');
  await expect(page.getByTestId('rehearsal-offer')).toContainText(
    'Call the customer, Print a letter',
  );
  await page.getByTestId('trigger-field-body.total').fill('80');
  await page.getByTestId('trigger-field-body.phone').fill('+43 664 1');
  await keepLooks(desktop, 'rehearsal-1-offer');
  await expectAccessible(page);

  await page.getByTestId('rehearse').click();
  await expect(page.getByTestId('answer-choice-call_the_customer')).toHaveValue('pinned');
  await expect(page.getByTestId('answer-choice-print_a_letter')).toHaveValue('mocked');
  await expect(page.getByTestId('answer-choice-tell_the_shop')).toHaveValue('pinned');
  await page.getByTestId('answer-print_a_letter').getByRole('button', { name: 'message' }).click();
  await keepLooks(desktop, 'rehearsal-2-answers');
  await expectAccessible(page);
  await page.getByTestId('draft-run-start').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 30_000,
  });
  const steps = panel.getByRole('table', { name: 'Steps and what they gave' });
  await expect(steps.locator('tbody tr').filter({ hasText: 'Call the customer' })).toContainText(
    'pinned',
  );
  await expect(steps.locator('tbody tr').filter({ hasText: 'Note it' })).toContainText('1 item');
  await keepLooks(desktop, 'rehearsal-3-run');
  await expectAccessible(page);

  // The other trigger has a form of its own, and the other way out of the decision its edge.
  await page.getByTestId('draft-run-trigger').selectOption('Order form');
  await page.keyboard.press('F5');
  await expect(panel).toContainText('Fill in Your name.');
  await page.getByTestId('trigger-field-Your name').fill('Ada');
  await page.getByTestId('trigger-field-Size').selectOption('large');
  await keepLooks(desktop, 'rehearsal-4-form');
  await page.keyboard.press('F5');
  await expect(steps.locator('tbody tr').filter({ hasText: 'Print a letter' })).toContainText(
    'mocked',
  );
  await page.getByRole('link', { name: 'Open in Runs' }).click();
  await expect(page.getByTestId('run-items')).toBeVisible();
  await expect(page.locator('.react-flow__node[data-id="print_a_letter"]')).toContainText('mocked');
  await keepLooks(desktop, 'rehearsal-5-record');
  await expectAccessible(page);

  // The gaps say what the rehearsal met.
  await page.getByRole('link', { name: 'order-desk.yaml' }).click();
  await page.getByRole('button', { name: 'Gaps' }).click();
  await page
    .getByPlaceholder(/Search/)
    .last()
    .fill('Print a letter');
  await expect(page.getByTestId('gap-met').first()).toHaveText('mocked · 1 item');
  await keepLooks(desktop, 'rehearsal-6-gaps');
  await expectAccessible(page);
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
