// A launch that failed: filled in again with its input, and compared with one that went well.
import { expect, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { brokenDesk } from './support/broken-desk.ts';
import { checkLooks } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

test('a failed launch is filled in whole, mended, and compared with the success (OD-053, OD-090)', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const goTo = (path: string) =>
    page.evaluate((to) => {
      window.location.hash = to;
    }, path);
  const status = page.getByTestId('run-status');

  await goTo(paths.launch());
  await page.getByTestId('launch-text').fill(JSON.stringify(brokenDesk));
  await page.getByTestId('launch-options').click();
  await page.getByTestId('launch-timeout').fill('600');
  await page.getByTestId('launch-metadata').fill('ticket: R-118');
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-input').fill('The printer jams.');
  await page.getByTestId('launch-run-submit').click();
  await expect(status).toHaveAttribute('data-status', 'failed', { timeout: 20_000 });

  // Nothing of this workflow has gone well yet.
  await page.getByTestId('compare-success').click();
  await expect(page.getByTestId('compare-none')).toContainText('No run of “ticket-desk”');
  await checkLooks(desktop, 'launch-again-no-success');

  await page.getByTestId('launch-run-again').click();
  await expect(page.getByTestId('launch-note').first()).toContainText('with its input');
  await expect(page.getByTestId('launch-text')).toHaveValue(/name: ticket-desk/);
  await expect(page.getByTestId('launch-timeout')).toHaveValue('600');
  await expect(page.getByTestId('launch-metadata')).toHaveValue('ticket: R-118\n');
  const spec = await page.getByTestId('launch-text').inputValue();
  await page
    .getByTestId('launch-text')
    .fill(spec.replace('kind: workflow', 'kind: agent').replace('ref: inner', 'ref: reader'));
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-input')).toHaveValue('The printer jams.');
  await checkLooks(desktop, 'launch-again-filled');
  await page.getByTestId('launch-run-submit').click();
  await expect(status).toHaveAttribute('data-status', 'completed', { timeout: 20_000 });

  // From the history, the row of the failure leads to both.
  await goTo(paths.launch());
  const groups = page.getByTestId('launch-group');
  await groups.first().getByText('earlier launch').click();
  const compare = groups.getByTestId('compare-success');
  await expect(compare).toHaveCount(1);
  await checkLooks(desktop, 'launch-again-history');
  await compare.click();
  await expect(page.getByTestId('compare-page')).toContainText('failed');
  await expect(page.getByTestId('compare-page')).toContainText('completed');
  await expect(page.getByTestId('compare-steps')).toContainText('judge');

  // A row of the history fills in the input too.
  await goTo(paths.launch());
  await groups.first().getByTestId('launch-again').first().click();
  await expect(page.getByTestId('launch-text')).toHaveValue(/ref: reader/);
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-input')).toHaveValue('The printer jams.');
  await desktop.close();
  folder.remove();
});
