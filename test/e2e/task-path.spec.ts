// Where the run of a task stands, beside the task.
import { expect, test } from '@playwright/test';
import { fixtureSpec, startRun } from './support/runs.ts';
import { checkLooks } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const REFUNDS = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'graph',
    name: 'refunds',
    start: 'sort',
    nodes: {
      sort: { id: 'sort', kind: 'agent', ref: 'sorter' },
      ask: { id: 'ask', kind: 'human', ref: 'lead' },
      pay: { id: 'pay', kind: 'agent', ref: 'sorter' },
      reply: { id: 'reply', kind: 'agent', ref: 'sorter' },
    },
    edges: [
      { from: 'sort', to: 'ask' },
      { from: 'ask', to: 'pay', condition: { type: 'output_contains', value: 'refund' } },
      { from: 'ask', to: 'reply' },
    ],
  },
  components: {
    agents: { sorter: { name: 'sorter' } },
    humans: {
      lead: {
        description: 'Pay this back?',
        request_type: 'selection',
        options: ['refund', 'decline'],
      },
    },
  },
};

test('beside a task stands what its run has done, which step asks, and what comes next (OD-102)', async () => {
  const { folder, desktop, page } = await openStillWindow();
  await startRun(desktop, { spec: fixtureSpec('invoice-approval.yaml'), input: 'invoice 1' });
  await page.getByTestId('place-tasks').click();
  const path = page.getByTestId('task-path');
  await expect(path).toContainText('check_totals');
  await expect(page.getByTestId('task-next')).toContainText('book whatever the answer');

  const run = await startRun(desktop, { spec: REFUNDS, input: 'My cup is broken.' });
  const items = page.getByRole('list', { name: 'Open tasks' }).getByRole('button');
  await items.filter({ hasText: 'Pay this back?' }).click({ timeout: 30_000 });
  await expect(path).toContainText('sort');
  await expect(page.getByTestId('task-next').getByRole('listitem')).toHaveText([
    'pay if the answer contains “refund”',
    'reply otherwise',
  ]);
  await expect(path.getByText('ask', { exact: true }).first()).toBeVisible();
  await checkLooks(desktop, 'task-path');

  // A step of the drawing leads to the run, with that step's events.
  await path.locator('.react-flow__node[data-id="sort"]').click();
  await expect(page.getByTestId('run-page')).toBeVisible();
  expect(await page.evaluate(() => window.location.hash)).toContain(run);
  await desktop.close();
  folder.remove();
});
