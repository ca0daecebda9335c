import { expect, type Page, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { goTo, makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { resize } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkThemes, keepScreen } from './support/screens.ts';

const LETTER = `version: v1
agent:
  name: desk
  system_prompt: Answer letters.
workflow:
  name: answer-a-letter
  type: sequential
  steps:
    - id: draft
      kind: agent
      ref: writer
    - id: check
      kind: human
      ref: desk
components:
  agents:
    writer:
      name: writer
      system_prompt: Answer the letter.
  humans:
    desk:
      description: May this be sent?
      request_type: approval
`;

const FAILS = `version: v1
agent:
  name: desk
  system_prompt: Answer.
workflow:
  name: look-up
  type: graph
  start: ask
  max_steps: 3
  nodes:
    ask: {id: ask, kind: agent, ref: desk}
    done: {id: done, kind: agent, ref: desk}
  edges:
    - from: ask
      to: done
      condition: {type: output_equals, value: green, case_sensitive: true}
    - from: ask
      to: ask
      condition: {type: status_is, value: completed}
components:
  agents:
    desk:
      name: desk
      system_prompt: Answer.
`;

const node = (page: Page, id: string) => page.locator('.react-flow__node').filter({ hasText: id });

test('the text runs as it stands, from the editor to its end', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
  await makeDraft(desktop, 'letter', LETTER);
  await makeDraft(desktop, 'look-up', FAILS);
  await openDraft(page, 'letter.yaml');
  await expect(page.locator('.react-flow__node')).toHaveCount(2);

  // Not saved, and it runs all the same.
  await typeAtEnd(page, '# typed and not saved');
  await expect(page.getByTestId('status-save')).toHaveAttribute('data-state', 'dirty');
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run-input')).toBeFocused();
  await page.keyboard.type('Where is my parcel?');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'blocked');
  await expect(page.getByTestId('trace')).toContainText('draft');
  await expect(node(page, 'draft').locator('[data-progress="visited"]')).toBeVisible();
  await expect(page.locator('.sw-run-mark-done')).toHaveCount(1);
  await expect(page.locator('.sw-run-mark-waiting')).toHaveCount(1);
  const approve = page.getByTestId('decide-approved');
  await expect(approve).toBeInViewport({ ratio: 1 });
  await keepScreen(page, 'draft-run-1-waits');
  await resize(desktop, 1024, 700);
  await expect(approve).toBeInViewport({ ratio: 1 });
  const panel = page.locator('.sw-draft-run-body');
  expect(await panel.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await checkThemes(page, 'draft-run-1-waits-small');
  await approve.focus();
  await expect(page.locator('#effect-approved')).toBeVisible();
  await keepScreen(page, 'draft-run-1-waits-focus');
  await resize(desktop, 1440, 900);

  // It can be taken back here too; what is sent goes on in place.
  await approve.click();
  await expect(page.getByTestId('held-decision')).toContainText('Approve');
  await keepScreen(page, 'draft-run-1-held');
  await page.getByTestId('undo-decision').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'blocked');
  await approve.click();
  await page.getByTestId('send-decision').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('draft-run-output')).toContainText('Where is my parcel?');
  await expect(page.locator('.sw-run-mark-done')).toHaveCount(2);
  // The panel itself shows that it goes on; a note would lie over the trace.
  await expect(page.locator('.sw-confirmation')).toHaveCount(0);
  // A release has words of its own, and this is none.
  await expect(page.getByTestId('draft-run')).not.toContainText(
    /artifact|alias|generation|attest/i,
  );
  await keepScreen(page, 'draft-run-2-done');
  await expect(page.getByTestId('status-save')).toHaveAttribute('data-state', 'dirty');

  // The run stays with its draft; what is typed now is another text.
  await typeAtEnd(page, '\n');
  await expect(page.getByTestId('draft-run')).toContainText('About an earlier text');
  await openDraft(page, 'look-up.yaml');
  await expect(page.getByTestId('draft-run')).toBeHidden();
  await openDraft(page, 'letter.yaml');
  await expect(page.getByTestId('draft-run-output')).toBeVisible();

  // An error prevents the run and is gone to.
  await goTo(page, 11, 17);
  // In one breath: what counts is the text at the moment of the key.
  await page.keyboard.press('x');
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run-prevented')).toContainText('line');
  await keepScreen(page, 'draft-run-3-prevented');
  await page.keyboard.press('Control+z');

  await openDraft(page, 'look-up.yaml');
  await page.getByTestId('run-draft').click();
  await page.getByTestId('draft-run-input').fill('again');
  await page.getByTestId('draft-run-start').click();
  await expect(page.getByTestId('draft-run-error')).toContainText('ask');
  await page.getByRole('button', { name: 'Show the line' }).click();
  await expect(page.locator('.sw-node-lines').first()).toBeVisible();
  await page.getByRole('button', { name: 'Show max_steps' }).click();
  await expect(page.getByTestId('status-bar')).toContainText('Line 9');
  await checkThemes(page, 'draft-run-4-failed');

  // From a checkpoint, in place: another run of the same text stands where this one stood.
  const link = page.getByRole('link', { name: 'Open in Runs' });
  const failed = await link.getAttribute('href');
  await page.getByTestId('draft-rerun').click();
  await expect(page.getByTestId('rerun-edited')).toBeVisible();
  await page.getByTestId('rerun-submit').click();
  await expect(link).not.toHaveAttribute('href', failed ?? '');
  await expect(page.getByTestId('draft-run-error')).toBeVisible();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /look-up/);

  await link.click();
  await expect(page.getByTestId('run-page')).toBeVisible();
  await expect(page.getByTestId('run-origin')).toContainText('run from the editor');
  await keepScreen(page, 'draft-run-5-run-page');
  await page.getByTestId('run-draft').click();
  await expect(page.getByTestId('draft-run-error')).toContainText('max iterations');
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /look-up/);
  // The platform may be the first to say that the text cannot run.
  expect(desktop.errors.filter((line) => !line.includes('409'))).toEqual([]);
  await desktop.close();
  folder.remove();
});
