import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { checkLooks, eachLook, keepLooks, keepScreen, type Screen } from './screens.ts';

export const EXPORT_FILE = path.resolve(
  import.meta.dirname,
  '../../fixtures/story/refund-desk.json',
);

/** What differs between the window and a browser. */
export interface Surface {
  readonly page: Page;
  /** What pictures are taken of. */
  readonly screen: Screen;
  /** Prefix of the pictures. */
  readonly name: string;
  /** The folder that holds all state. */
  readonly folder: string;
  /** Presses "Import a workflow" and answers the file picker. */
  importFile(file: string): Promise<void>;
  /** Presses the save button of the export dialog; gives the text that was written. */
  saveExport(press: () => Promise<void>): Promise<string>;
}

function findDraft(folder: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith('refund-desk.yaml'),
  );
  if (found === undefined) throw new Error('the draft is not on the disk');
  return path.join(folder, found);
}

async function importAndOpen(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await expect(page.getByTestId('welcome')).toBeVisible();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await keepLooks(screen, `${name}-01-welcome`);
  await surface.importFile(EXPORT_FILE);
  await expect(page.getByTestId('import-summary')).toBeVisible();
  await keepLooks(screen, `${name}-02-imported`);
  await page.getByTestId('open-editor').click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  await keepLooks(screen, `${name}-03-editor`);
}

/** Diagnostics, completion and hover follow what is typed; undo takes it back. */
async function editWithDiagnostics(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  const problems = page.getByTestId('status-problems');
  await page.locator('.monaco-editor .view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('bogus: 1');
  await expect(problems).toContainText('1');
  await expect(page.locator('.squiggly-error').first()).toBeVisible();
  await keepLooks(screen, `${name}-04-problem`);
  for (let i = 0; i < 'bogus: 1'.length; i += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('pol');
  await page.keyboard.press('Control+Space');
  await expect(page.locator('.suggest-widget').getByText('policies').first()).toBeVisible();
  await keepScreen(page, `${name}-05-completion`);
  await page.keyboard.press('Escape');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Backspace');
  // The tools stand in four lines before the notes of the import.
  const lines = readFileSync(findDraft(surface.folder), 'utf8').split('\n');
  const notes = lines.length - 1 - lines.indexOf('metadata:');
  for (let i = 0; i < notes; i += 1) await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Delete');
  await expect(page.locator('.monaco-editor').first()).not.toContainText('look_up_policy');
}

/** Another program writes the file meanwhile: both texts stay in view, the merge keeps both. */
async function saveThroughConflict(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  const file = findDraft(surface.folder);
  const theirs = readFileSync(file, 'utf8').replace(
    'You answer refund requests.',
    'You answer refund requests of our shop.',
  );
  writeFileSync(file, theirs);
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('save-merged')).toBeVisible();
  await page.waitForTimeout(400);
  await checkLooks(screen, `${name}-06-conflict`);
  await page.getByTestId('save-merged').click();
  await expect(page.getByTestId('save-merged')).toBeHidden();
  await expect(page.getByTestId('status-save')).toContainText(/saved/i);
  const merged = readFileSync(file, 'utf8');
  expect(merged).toContain('of our shop');
  expect(merged).not.toContain('look_up_policy');
}

/** Runs the text from the editor and decides the step that waits, in place. */
async function runFromEditor(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-input').fill('Is this in the shop too?');
  await keepLooks(screen, `${name}-06b-run-asked`);
  await page.keyboard.press('F5');
  const status = page.getByTestId('draft-run-status');
  await expect(status).toHaveAttribute('data-status', 'blocked');
  await keepLooks(screen, `${name}-06c-run-waits`);
  await expectUncovered(page);
  await page.getByTestId('decide-approved').click();
  await expect(status).toHaveAttribute('data-status', 'completed', { timeout: 15_000 });
  await keepLooks(screen, `${name}-06d-run-done`);
  await page.getByLabel('Close the run').click();
}

/** The buttons of the drawing lie over none of its nodes. */
async function expectUncovered(page: Page): Promise<void> {
  const buttons = await page.locator('.react-flow__controls').first().boundingBox();
  for (const node of await page.locator('.react-flow__node').all()) {
    const box = await node.boundingBox();
    if (buttons === null || box === null) throw new Error('nothing is drawn');
    const apart =
      box.x > buttons.x + buttons.width ||
      box.x + box.width < buttons.x ||
      box.y > buttons.y + buttons.height ||
      box.y + box.height < buttons.y;
    expect(apart, await node.innerText()).toBe(true);
  }
}

/** Attests what blocks, creates the artifact, acknowledges the rest, all by keyboard. */
async function settleGaps(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await page.getByTestId('open-gaps').first().click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.getByRole('heading', { name: 'Gaps' }).first().focus();
  await keepLooks(screen, `${name}-07-gaps`);
  await expect(page.getByRole('button', { name: /^attest/i }).first()).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.getByTestId('gap-settled')).toBeVisible();
  await page.keyboard.press('j');
  await page
    .getByRole('button', { name: /create.*artifact/i })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^create/i })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('heading', { name: 'Gaps' }).first().focus();
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press('a');
    await expect(page.getByTestId('gap-settled')).toBeVisible();
    await page.keyboard.press('j');
  }
  await expect(page.getByTestId('gap-page')).toContainText('No gap blocks export');
  await keepLooks(screen, `${name}-08-gaps-settled`);
}

async function exportArtifact(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await page.getByTestId('open-artifact').click();
  await expect(page.getByTestId('artifact-page')).toBeVisible();
  await expect(page.getByTestId('export-artifact')).toBeEnabled();
  await expect(page.getByTestId('stage-policy_report')).toBeVisible();
  await page.waitForTimeout(600);
  await keepLooks(screen, `${name}-09-artifact`);
  await page.getByTestId('export-artifact').click();
  await expect(page.getByTestId('export-text')).toContainText('version: v1');
  await page.waitForTimeout(300);
  await checkLooks(screen, `${name}-10-export`);
  const text = await surface.saveExport(() => page.getByTestId('export-save').click());
  expect(text).toContain('of our shop');
}

async function runAndApprove(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await page.keyboard.press('Escape');
  await page.getByTestId('run-artifact').click();
  await page.getByTestId('run-input').fill('My parcel never came. I want my money back.');
  await page.getByTestId('run-submit').click();
  await expect(page.getByTestId('run-status')).toContainText(/blocked/i);
  await expect(page.getByTestId('trace')).toContainText('draft_reply');
  await page.waitForTimeout(600);
  await keepLooks(screen, `${name}-11-blocked`);
  await page.getByTestId('place-tasks').click();
  await expect(page.getByTestId('task').first()).toBeVisible();
  await page.waitForTimeout(300);
  await keepLooks(screen, `${name}-12-task`);
  await expect(page.locator('.sw-inbox-list')).toContainText('refund-desk');
  // A decision is sent after some seconds: it is taken anew for each picture.
  await eachLook(screen, async (look) => {
    await page.keyboard.press('a');
    await expect(page.getByTestId('held-decision')).toBeVisible();
    await keepScreen(page, `${name}-12b-task-held-${look}`);
    await page.keyboard.press('u');
    await expect(page.getByTestId('held-decision')).toBeHidden();
  });
  const list = page.locator('.sw-inbox-list');
  expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await page.goBack();
  await page.getByTestId('decide-approved').click();
  await expect(page.getByTestId('run-status')).toContainText(/completed/i, { timeout: 15_000 });
  await expect(page.getByRole('main')).toContainText(
    'Final answer: Final answer: My parcel never came. I want my money back.',
  );
  await expect(page.getByTestId('trace')).toContainText('write_answer');
  await page.waitForTimeout(600);
  await keepLooks(screen, `${name}-13-completed`);
}

/** The whole main job, from an n8n file to a finished run. */
export async function walkStory(surface: Surface): Promise<void> {
  await importAndOpen(surface);
  await editWithDiagnostics(surface);
  await saveThroughConflict(surface);
  await runFromEditor(surface);
  await settleGaps(surface);
  await exportArtifact(surface);
  await runAndApprove(surface);
}

/** After a second start everything is there. */
export async function expectEverythingThere(surface: Surface): Promise<void> {
  const { page, screen, name } = surface;
  await page.getByTestId('place-runs').click();
  await expect(page.locator('tbody tr[data-status="completed"]')).toHaveCount(2);
  await keepLooks(screen, `${name}-14-runs-after-restart`);
  await page.getByTestId('place-author').click();
  const draft = page.getByTestId('sidebar').locator('[href*="/drafts/"]').first();
  const project = page.getByTestId('project-default');
  await expect(draft.or(project).first()).toBeVisible();
  if (await project.isVisible()) await project.click();
  await draft.click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  await page.waitForTimeout(800);
  await keepScreen(page, `${name}-15-author-after-restart`);
}
