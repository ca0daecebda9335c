import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, checkThemes, keepLooks, keepScreen } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const goTo = (page: Page, path: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, path);

async function openRun(page: Page, id: string): Promise<void> {
  await goTo(page, `/runs/${id}`);
  await expect(page.getByTestId('run-page')).toContainText(id.slice(-6));
}

async function makeRuns(desktop: Desktop) {
  const triage = fixtureSpec('support-triage.yaml', (spec) => {
    spec.components.agents.writer.model = { provider: 'openai', name: 'gpt-5' };
  });
  const input = 'The printer says paper jam but there is no paper in it.';
  return {
    triage: await startRun(desktop, { spec: triage, input, session_id: 'ticket-4711' }),
    again: await startRun(desktop, {
      spec: fixtureSpec('support-triage.yaml'),
      input: 'It is still jammed.',
      session_id: 'ticket-4711',
    }),
    invoice: await startRun(desktop, {
      spec: fixtureSpec('invoice-approval.yaml'),
      input: '{"invoice":"R-2026-118","total_eur":4830}',
    }),
    poller: await startRun(desktop, {
      spec: fixtureSpec('retry-loop-limit.yaml'),
      input: 'build 88',
    }),
  };
}

test('runs are found, understood and run again with an edited state', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path, env: { OPENAI_API_KEY: '' } });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
  const runs = await makeRuns(desktop);

  await page.getByTestId('place-runs').click();
  await page.mouse.move(700, 600);
  await expect(page.getByTestId(`row-${runs.poller}`)).toContainText('failed');
  await expect(page.getByTestId('runs-count')).toHaveText('4 runs');
  await checkLooks(desktop, 'runs-1-list');

  await page.keyboard.press('/');
  await page.keyboard.type('jam');
  await expect(page.getByTestId('runs-count')).toHaveText('2 runs');
  await page.getByRole('button', { name: 'Workflow' }).click();
  await page.getByTestId('saved-filters').click();
  await page.getByTestId('save-filter').click();
  await page.getByTestId('filter-name').fill('Paper jams');
  await page.getByTestId('filter-submit').click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByTestId('runs-count')).toHaveText('4 runs');
  await page.getByTestId('saved-filters').click();
  await page.getByRole('menuitem', { name: 'Paper jams', exact: true }).click();
  await expect(page.getByTestId('runs-count')).toHaveText('2 runs');
  await page.getByTestId('saved-filters').click();
  await page.getByTestId('edit-filters').click();
  await page.getByLabel('Name of Paper jams').fill('Jams');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name of Jams')).toBeVisible();
  await checkThemes(page, 'runs-1-filters');
  await page.keyboard.press('Escape');

  await page.getByTestId(`row-${runs.triage}`).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('model-warning')).toContainText('offline runtime');
  await expect(page.getByTestId('trace')).toHaveAttribute('data-state', 'ended');
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  await keepLooks(desktop, 'runs-2-completed');
  await expect(page.locator('[data-row][data-kind="checkpoint"]').first()).toBeVisible();
  await expect(page.locator('[data-row][data-kind="audit"]').first()).toContainText('Run created');
  await page.getByText('Models', { exact: false }).first().click();
  await page.locator('[data-row]').first().click();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('trace-detail')).toContainText('dummy / offline');
  const link = new URL(page.url()).hash.slice(1);
  await goTo(page, '/runs');
  await goTo(page, link);
  await expect(page.getByTestId('trace-detail')).toContainText('dummy / offline');
  await checkLooks(desktop, 'runs-11-event');
  await page.locator('[data-row][aria-pressed="true"]').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('trace-detail')).toBeHidden();
  await page.getByTestId('run-page').getByText('Markdown', { exact: true }).click();
  await expect(page.locator('.sw-markdown')).toContainText('paper jam');
  await page.getByRole('tab', { name: 'Policy' }).click();
  await expect(page.getByTestId('run-policy')).toContainText('nothing against the policy');
  await page.getByRole('tab', { name: 'Session' }).click();
  await expect(page.getByTestId('run-session')).toContainText('2 runs');
  await page.getByTestId('open-session').click();
  await expect(page.getByTestId('session-page')).toContainText('2 runs');
  await expect(page.getByTestId(`turn-${runs.again}`)).toContainText('It is still jammed.');
  await checkLooks(desktop, 'runs-12-session');
  await openRun(page, runs.triage);
  await page.getByRole('tab', { name: 'Input' }).click();
  await expect(page.getByTestId('run-details')).toContainText('paper jam');
  await checkLooks(desktop, 'runs-3-details');

  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByTestId('note-body').fill('The driver is too old.');
  await page.getByTestId('note-tags').fill('printer');
  await page.keyboard.press('Enter');
  await page.getByTestId('note-body').press('Control+Enter');
  await expect(page.getByTestId('note')).toContainText('The driver is too old.');
  await expect(page.getByTestId('note')).toContainText('printer');
  await page.getByRole('button', { name: 'Edit note' }).click();
  await page.getByTestId('note-body').first().fill('The driver was too old.');
  await page.getByTestId('note-save').first().click();
  await expect(page.getByTestId('note')).toContainText('edited');
  await checkLooks(desktop, 'runs-8-notes');
  const exported = path.join(folder.path, 'run.json');
  await desktop.saveAs(exported);
  await page.getByTestId('export-run').click();
  await expect.poll(() => existsSync(exported)).toBe(true);
  const whole = JSON.parse(readFileSync(exported, 'utf8'));
  expect([whole.run.run_id, whole.notes[0].body]).toEqual([runs.triage, 'The driver was too old.']);
  expect(whole.trace.events.length).toBe(whole.trace.total);

  await page.getByTestId('place-runs').click();
  await page.mouse.move(700, 600);
  await page.getByTestId(`row-${runs.triage}`).focus();
  await page.keyboard.press('x');
  await page.getByTestId(`row-${runs.poller}`).focus();
  await page.keyboard.press('x');
  await page.getByTestId('choose-columns').click();
  await page.getByRole('menuitemcheckbox', { name: 'Kind' }).click();
  await page.waitForTimeout(200);
  await keepScreen(page, 'runs-9-columns');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Kind' })).toBeVisible();
  const list = path.join(folder.path, 'runs.csv');
  await desktop.saveAs(list);
  await page.getByTestId('export-runs').click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await expect.poll(() => existsSync(list)).toBe(true);
  expect(readFileSync(list, 'utf8').trim().split('\n')).toHaveLength(3);
  // Two that are over start again at once, each with what it was given.
  await page.getByTestId('bulk-again').click();
  await page.getByTestId('bulk-start').click();
  await expect(page.getByTestId('bulk-sum')).toHaveText('2 runs of 2 started again');
  await checkThemes(page, 'runs-9-bulk');
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('runs-count')).toHaveText('6 runs');
  await page.getByTestId(`row-${runs.triage}`).focus();
  await page.keyboard.press('x');
  await page.getByTestId(`row-${runs.poller}`).focus();
  await page.keyboard.press('x');
  await page.getByTestId('compare').click();
  await expect(page.getByTestId('compare-facts')).toContainText('max iterations');
  await expect(page.getByTestId('compare-steps')).toContainText('not reached');
  await checkLooks(desktop, 'runs-10-compare');

  await openRun(page, runs.poller);
  await expect(page.getByTestId('run-advice')).toContainText('would stop there again');
  await expect(page.getByTestId('advice-rerun')).toBeVisible();
  await page.getByTestId('checkpoint-2').click();
  await expect(page.getByTestId('diff')).toContainText('visited_nodes');
  await checkLooks(desktop, 'runs-4-checkpoint');
  await page.getByText('Whole state', { exact: true }).click();
  await expect(page.getByTestId('checkpoint-state')).toContainText('build 88');
  await page.getByTestId('rerun-here').click();
  await page.getByTestId('rerun-input').fill('green');
  await expect(page.getByTestId('rerun-edited')).toContainText('the text that goes on');
  await checkLooks(desktop, 'runs-5-rerun');
  await page.getByTestId('rerun-submit').click();
  await expect(page.getByTestId('rerun-of')).toContainText(runs.poller.slice(-6));
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('run-output')).toContainText('green');
  await keepLooks(desktop, 'runs-6-rerun-done');

  await goTo(page, '/runs/none-of-ours');
  await expect(page.getByText('There is no run with this id')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go to the runs' })).toBeVisible();

  await openRun(page, runs.invoice);
  await expect(page.getByTestId('task')).toBeVisible();
  await expect(page.getByTestId('run-advice')).toContainText('reject');
  await checkLooks(desktop, 'runs-7-blocked');
  await page.getByTestId('cancel-run').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop run' }).click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'cancelled');
  await expect(page.getByTestId('run-advice')).toContainText('does not go on');

  expect(desktop.errors.filter((line) => !line.includes('404'))).toEqual([]);
  await desktop.close();
  folder.remove();
});

/** A spec that goes round until its steps are used up. */
const CIRCLE = {
  version: 'v1',
  agent: { name: 'circle' },
  workflow: {
    type: 'graph',
    name: 'circle',
    start: 'again',
    max_steps: 60,
    nodes: { again: { id: 'again', kind: 'agent', ref: 'reader' } },
    edges: [{ from: 'again', to: 'again' }],
  },
  components: { agents: { reader: { name: 'reader' } } },
};

test('a long trace is read from its beginning, a long task is decided without scrolling', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const circle = await startRun(desktop, { spec: CIRCLE, input: 'once more' });
  const long = fixtureSpec('invoice-approval.yaml', (spec) => {
    const lines = Array.from({ length: 40 }, (_, line) => `position ${line}`);
    spec.components.humans['finance-lead'].context = { lines };
  });
  const asking = await startRun(desktop, { spec: long, input: 'invoice R-1' });

  await openRun(page, circle);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'failed');
  await page.reload();
  await expect(page.getByTestId('trace')).toHaveAttribute('data-state', 'ended');
  await expect(page.getByTestId('trace')).toContainText('122 events');
  await expect(page.getByRole('list', { name: 'Trace' })).toContainText('checkpoint 1,');

  await openRun(page, asking);
  await expect(page.getByTestId('task')).toContainText('position 39');
  await expect(page.getByTestId('decide-approved')).toBeInViewport({ ratio: 0.99 });
  await desktop.close();
  folder.remove();
});
