import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { brokenDesk } from './support/broken-desk.ts';
import { resize, startRun } from './support/runs.ts';
import { keepScreen } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const SIZES = [
  ['large', 1440, 900],
  ['small', 1024, 700],
] as const;

test('a failed run is understood, its spec mended, and the same run goes on from its checkpoint', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const runs = [];
  for (const input of ['The printer jams.', 'The screen is black.']) {
    runs.push(await startRun(desktop, { spec: brokenDesk, input }));
  }
  const [first = '', second = ''] = runs;
  await page.evaluate((id) => {
    location.hash = `/runs/${id}`;
  }, first);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'failed');
  await page.getByTestId('fix-run').click();
  await expect(page.getByTestId('fix-page')).toContainText('ticket-desk');
  await expect(page.getByTestId('fix-fit')).toContainText('read');
  const text = page.getByTestId('fix-text');
  const spec = await text.inputValue();
  await text.fill(spec.replaceAll('judge', 'decide'));
  await expect(page.getByTestId('fix-fit')).toContainText('judge → decide');
  await page.getByTestId('fix-name-judge').click();
  await page.getByRole('option', { name: 'None of its steps: it is gone' }).click();
  await expect(page.getByTestId('fix-misfit')).toContainText("stopped in 'judge'");
  await expect(page.getByTestId('carry-on')).toBeDisabled();
  await keepScreen(page, 'fix-1-misfit');
  await text.fill(
    spec.replace('kind: workflow', 'kind: agent').replace('ref: inner', 'ref: reader'),
  );
  await expect(page.getByTestId('fix-fit')).toHaveAttribute('data-fits', 'true');
  await expect(page.getByTestId('diff-view')).toContainText('kind: agent');
  for (const [size, width, height] of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await resize(desktop, width, height);
      await keepScreen(page, `fix-2-fits-${colorScheme}-${size}`);
      await expectAccessible(page);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await resize(desktop, 1440, 900);
  await page.getByTestId('carry-on').click();
  await page.getByTestId('bulk-start').click();
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('recovered')).toContainText('went on at judge');
  await expect(page.getByTestId('run-output')).toContainText('The printer jams.');
  await keepScreen(page, 'fix-3-went-on');

  await page.evaluate(
    (ids) => {
      location.hash = `/fix?runs=${ids.join(',')}`;
    },
    [second, first],
  );
  await expect(page.getByTestId('fix-table')).toContainText('this one is completed');
  await expect(page.getByTestId('carry-on')).toContainText('1 run');
  await keepScreen(page, 'fix-4-cluster');
  expect(desktop.errors.filter((line) => !line.includes('40'))).toEqual([]);
  await desktop.close();
  folder.remove();
});
