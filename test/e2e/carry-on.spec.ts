import { expect, type Page, test } from '@playwright/test';
import { goTo, makeDraft, openDraft } from './support/editor.ts';
import { checkLooks, keepScreen } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

/** Its second step is a circle that ends at its cap; the third refuses a word. */
const DESK = `version: v1
agent:
  name: desk
workflow:
  name: ticket-desk
  type: sequential
  steps:
    - id: read
      kind: agent
      ref: reader
    - {id: judge, kind: workflow, ref: inner}
    - id: answer
      kind: agent
      ref: writer
components:
  agents:
    reader:
      name: reader
    writer:
      name: writer
      guardrails:
        input:
          - id: words
            type: keyword
            action: block
            config: {keywords: [black]}
  workflows:
    inner:
      type: graph
      name: inner
      start: again
      max_steps: 2
      nodes:
        again: {id: again, kind: agent, ref: reader}
      edges:
        - {from: again, to: again}
`;

/** Runs the draft that is open until it fails; answers the run's id. */
async function runDraft(page: Page, input: string): Promise<string> {
  const link = page.getByRole('link', { name: 'Open in Runs' });
  const before = (await link.count()) === 0 ? '' : await link.getAttribute('href');
  const field = page.getByTestId('draft-run-input');
  if (!(await field.isVisible())) await page.getByTestId('run-draft').click();
  await field.fill(input);
  await page.getByTestId('draft-run-start').click();
  await expect(link).toHaveCount(1);
  await expect(link).not.toHaveAttribute('href', before ?? '');
  const status = page.getByTestId('draft-run-status');
  await expect(status).toHaveAttribute('data-status', 'failed', { timeout: 30_000 });
  const href = (await link.getAttribute('href')) ?? '';
  return href.replace(/^.*\/runs\//, '').replace(/\?.*$/, '');
}

/** Puts away what is said of failures that somebody looks at anyway. */
async function closeNotes(page: Page): Promise<void> {
  const close = page.locator('.mantine-Notification-closeButton');
  while ((await close.count()) > 0) await close.first().click();
}

async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
}

/** Writes other words in the place of some of the draft. */
async function retype(page: Page, was: string, is: string): Promise<void> {
  const lines = DESK.split('\n');
  const line = lines.findIndex((text) => text.includes(was));
  await goTo(page, line + 1, (lines[line] ?? '').indexOf(was) + 1);
  for (let at = 0; at < was.length; at += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.insertText(is);
  await expect(page.locator('.monaco-editor .view-lines').first()).toContainText(is);
}

const BROKEN = 'id: judge, kind: workflow, ref: inner';
const MENDED = 'id: decide, kind: agent, ref: reader';

test('a failed run of a draft opens it at the failing line; mended there, its runs go on', async () => {
  const { folder, desktop, page } = await openStillWindow();
  await makeDraft(desktop, 'desk', DESK);
  await openDraft(page, 'desk.yaml');
  const first = await runDraft(page, 'The printer jams.');
  const second = await runDraft(page, 'The screen is black.');
  const third = await runDraft(page, 'The mouse is dead.');
  expect(new Set([first, second, third]).size).toBe(3);

  // From the failed run to its draft, at the line where it failed.
  await go(page, `/runs/${first}`);
  await page.getByTestId('fix-run').click();
  await expect(page.getByTestId('fix-input')).toContainText('The printer jams.');
  await expect(page.getByTestId('fix-draft-state')).toContainText('would fail again');
  await expect(page.getByTestId('fix-fit')).toContainText('judge');
  await expect(page.getByTestId('fix-open')).toContainText('workflow.steps[1]');
  await closeNotes(page);
  await checkLooks(desktop, 'carry-1-unchanged');
  await page.getByTestId('fix-open').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /desk\.yaml/);
  const judged = DESK.split('\n').findIndex((line) => line.includes('id: judge,')) + 1;
  await expect(page.getByTestId('status-bar')).toContainText(`Line ${judged},`);
  await expect(page.getByTestId('fix-bar')).toContainText('Fixing run');
  await keepScreen(page, 'carry-2-draft');

  // The step gets another name too.
  await retype(page, BROKEN, MENDED);
  await page.getByTestId('fix-back').click();
  await expect(page.getByTestId('fix-draft-state')).toContainText('not saved yet');
  await expect(page.getByTestId('fix-fit')).toContainText('judge → decide');
  await page.getByTestId('fix-open').click();
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('status-save')).toHaveAttribute('data-state', 'saved');
  await page.getByTestId('fix-back').click();
  await expect(page.getByTestId('fix-draft-state')).toContainText('taken as it is saved');
  await expect(page.getByTestId('fix-names')).toContainText('judge');
  await expect(page.getByTestId('fix-fit')).toContainText('judge → decide');
  await checkLooks(desktop, 'carry-3-renamed');

  // Somebody says that it is none of them, and takes that back.
  await page.getByTestId('fix-name-judge').click();
  await page.getByRole('option', { name: 'None of its steps: it is gone' }).click();
  await expect(page.getByTestId('fix-misfit')).toContainText("stopped in 'judge'");
  await expect(page.getByTestId('carry-on')).toBeDisabled();
  await checkLooks(desktop, 'carry-4-gone');
  await page.getByTestId('fix-name-judge').click();
  await page.getByRole('option', { name: 'decide' }).click();
  await expect(page.getByTestId('fix-fit')).toHaveAttribute('data-fits', 'true');
  await page.getByTestId('carry-on').click();
  await page.getByTestId('bulk-start').click();
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('recovered')).toContainText('went on at decide');
  await expect(page.getByTestId('run-output')).toContainText('The printer jams.');
  await expect(page.getByTestId('fix-bar')).toHaveCount(0);

  // The others of its cause: one goes on, one stops again, and is tried again once it is mended.
  await go(page, `/fix?runs=${second},${third}`);
  await expect(page.getByTestId('carry-on')).toContainText('2 runs');
  await expect(page.getByTestId('carry-on')).toBeEnabled();
  await expect(page.getByTestId('fix-names')).toContainText('judge');
  await checkLooks(desktop, 'carry-5-cluster');
  await page.getByTestId('carry-on').click();
  await page.getByTestId('bulk-start').click();
  const dialog = page.getByTestId('bulk-dialog');
  await expect(page.getByTestId('bulk-sum')).toContainText('1 run of 2 taken up again, 1 failed');
  await expect(dialog).toContainText('Try 1 run again');
  await checkLooks(desktop, 'carry-6-progress');
  await page.getByTestId('bulk-start').click();
  await expect(page.getByTestId('bulk-sum')).toContainText('1 failed');
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('fix-table')).toContainText('completed');
  await expect(page.getByTestId('carry-on')).toContainText('1 run');

  // What stopped it now is mended in the draft, and the same run goes on once more.
  await page.getByTestId('fix-open').click();
  await retype(page, 'black', 'white');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('status-save')).toHaveAttribute('data-state', 'saved');
  await page.getByTestId('fix-back').click();
  await expect(page.getByTestId('carry-on')).toContainText('1 run');
  await page.getByTestId('carry-on').click();
  await page.getByTestId('bulk-start').click();
  await expect(page.getByTestId('bulk-sum')).toContainText('1 run of 1 taken up again');
  await page.getByTestId('bulk-close').click();
  await go(page, `/runs/${second}`);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('recovered')).toContainText('time');
  await keepScreen(page, 'carry-7-done');
  // The guardrail refused twice.
  expect(desktop.errors.filter((line) => !/40|422/.test(line))).toEqual([]);
  await desktop.close();
  folder.remove();
});
