import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { countClicks } from './support/keyboard.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks, keepPicture, keepScreen } from './support/screens.ts';
import { EXPORT_FILE } from './support/story.ts';

/** An export of one's own: an agent, a person and an agent, without code of its own. */
function ownExport(folder: string): string {
  const workflow: { nodes: { name: string }[]; connections: Record<string, unknown> } = JSON.parse(
    readFileSync(EXPORT_FILE, 'utf8'),
  );
  workflow.nodes = workflow.nodes.filter(({ name }) => name !== 'Look up policy');
  delete workflow.connections['Look up policy'];
  const file = path.join(folder, 'own-desk.json');
  writeFileSync(file, JSON.stringify(workflow));
  return file;
}

test('from a fresh start to a finished run of an own import: six clicks, two minutes', async () => {
  const began = Date.now();
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  const clicks = await countClicks(page);
  await keepLooks(desktop, 'hour-01-welcome');

  await desktop.chooseFiles(ownExport(folder.path));
  await page.getByTestId('import-workflow').first().click();
  await expect(page.getByTestId('import-summary')).toBeVisible();
  await keepLooks(desktop, 'hour-02-imported');
  await page.getByTestId('open-editor').click();
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  await keepLooks(desktop, 'hour-03-editor');
  await page.getByTestId('run-draft').click();
  await expect(page.getByTestId('draft-run-input')).toBeFocused();
  await keepLooks(desktop, 'hour-04-run-asked');
  await page.keyboard.type('My parcel never came.');
  await page.getByTestId('draft-run-start').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'blocked');
  await keepLooks(desktop, 'hour-05-run-waits');
  await page.getByTestId('decide-approved').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('draft-run-output')).toContainText('My parcel never came.');

  expect(await clicks()).toBeLessThanOrEqual(6);
  expect(Date.now() - began).toBeLessThan(120_000);
  await keepLooks(desktop, 'hour-06-run-done');
  await desktop.close();
  folder.remove();
});

const PUBLIC = path.resolve(import.meta.dirname, '../fixtures/public-n8n');

async function zoom(desktop: Desktop, factor: number): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow }, by) => {
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(by);
  }, factor);
  await desktop.page.waitForTimeout(300);
}

/** A picture of the zoomed window: Playwright's own would show a part of it only. */
async function keepZoomed(desktop: Desktop, name: string): Promise<void> {
  await desktop.page.waitForTimeout(350);
  const png = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  keepPicture(Buffer.from(png, 'base64'), `hour-zoom-${name}`);
}

/** Nothing of the element's children is cut off at its right. */
async function expectUncut(page: Page, selector: string): Promise<void> {
  const over = await page
    .locator(selector)
    .evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(over, selector).toBeLessThanOrEqual(0);
}

test('at twice the size every part is still reached, by mouse and by keyboard', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1024, 700);
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await desktop.chooseFiles(EXPORT_FILE);
  await page.getByTestId('import-workflow').first().click();
  await page.getByTestId('open-gaps').click();
  await expect(page.getByTestId('gap-list')).toBeVisible();
  await zoom(desktop, 2);
  await expect(page.getByTestId('gap-part')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Source and draft' })).toHaveCount(0);
  await keepZoomed(desktop, 'gaps-list');
  await page.getByTestId('gap-list').getByText('Look up policy').first().click();
  await expect(page.locator('.sw-gap-card')).toBeVisible();
  await keepZoomed(desktop, 'gaps-card');
  await page.getByTestId('gap-part').getByText('Source and draft').click();
  await expect(page.getByRole('region', { name: 'Source and draft' })).toBeVisible();
  await keepZoomed(desktop, 'gaps-drawings');
  await expectAccessible(page);

  await page.getByTestId('open-editor').click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await expectUncut(page, '.sw-editor-bar');
  await keepZoomed(desktop, 'editor');
  const side = page.getByRole('complementary', { name: 'Graph, outline and preview' });
  await expect(side).toHaveCount(0);
  await page.getByTestId('show-side').click();
  await expect(side.locator('.react-flow__node')).toHaveCount(3);
  await keepZoomed(desktop, 'side');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(side).toHaveCount(0);
  await page.keyboard.press('Control+Alt+g');
  await expect(side).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByTestId('show-sidebar').click();
  await expect(page.getByTestId('sidebar').first()).toBeVisible();
  await keepZoomed(desktop, 'sidebar');
  // What lies over the rest has one head and one way to close it.
  const over = page.getByRole('dialog');
  await expect(over.getByRole('button', { name: /close/i })).toHaveCount(1);
  await expect(over.getByText('Project', { exact: true }).filter({ visible: true })).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('sidebar')).toHaveCount(0);
  await page.getByTestId('status-problems').click();
  await expect(page.getByTestId('bottom-panel')).toBeVisible();
  await keepZoomed(desktop, 'panel');
  await expect(over.getByRole('button', { name: /close/i })).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('bottom-panel')).toHaveCount(0);
  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-start').scrollIntoViewIfNeeded();
  await expect(page.getByTestId('draft-run-start')).toBeInViewport({ ratio: 1 });
  await keepZoomed(desktop, 'run');
  await zoom(desktop, 1);
  await expect(side).toBeVisible();
  // Problems are a draft's: they leave their room to pages without one, and come back.
  await page.getByTestId('status-problems').click();
  await expect(page.getByTestId('bottom-panel')).toBeVisible();
  await page.getByTestId('place-runs').click();
  await expect(page.getByTestId('bottom-panel')).toHaveCount(0);
  await page.keyboard.press('Control+j');
  await expect(page.getByTestId('bottom-panel')).toContainText('Output');
  await expect(page.getByTestId('bottom-panel')).not.toContainText('Problems');
  await desktop.close();
  folder.remove();
});

test('tasks with their context, runs, palette and batch, at both sizes', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  const spec = fixtureSpec('invoice-approval.yaml');
  await startRun(desktop, { spec, input: 'invoice 1' });
  await startRun(desktop, { spec, input: 'invoice 2' });
  await page.getByTestId('place-tasks').click();
  await expect(page.getByTestId('task-context')).toContainText('cost_centre');
  await expect(page.getByTestId('task-context')).toContainText('4410');
  await expect(page.getByTestId('task')).toContainText('joins the conversation as user');
  // Tasks of one kind are told apart by the text that waits.
  await expect(page.locator('.sw-inbox-list')).toContainText('invoice 1');
  await expect(page.locator('.sw-inbox-list')).toContainText('invoice 2');
  await keepLooks(desktop, 'hour-07-task');
  await zoom(desktop, 2);
  await page.getByTestId('decide-approved').scrollIntoViewIfNeeded();
  await keepZoomed(desktop, 'task');
  await page.getByTestId('place-runs').click();
  await page.locator('tbody tr[data-status]').nth(1).scrollIntoViewIfNeeded();
  await expect(page.locator('tbody tr[data-status]').nth(1)).toBeInViewport({ ratio: 1 });
  const words = await page.locator('.sw-run-words').first().boundingBox();
  expect(words?.width).toBeGreaterThan(130);
  await keepZoomed(desktop, 'runs');
  await zoom(desktop, 1);
  await page.getByTestId('place-runs').click();
  await expect(page.getByRole('table')).toContainText('invoice 2');
  await keepLooks(desktop, 'hour-08-runs');
  await page.getByText('invoice 1').first().click();
  await expect(
    page.getByTestId('run-page').or(page.getByTestId('run-status')).first(),
  ).toBeVisible();
  await page.waitForTimeout(600);
  await keepLooks(desktop, 'hour-09-run');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('invoice');
  await page.waitForTimeout(600);
  await keepLooks(desktop, 'hour-10-palette');
  await page.keyboard.press('Escape');
  await page.getByTestId('place-author').click();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  const names = ['001', '002', '003', '008', '019', '042', '043', '050', '077', '101'];
  await desktop.chooseFiles(...names.map((name) => path.join(PUBLIC, `${name}.json`)));
  await page.getByTestId('import-workflow').first().click();
  await expect(page.getByTestId('batch-done')).toBeVisible({ timeout: 60_000 });
  await page.waitForTimeout(2_500);
  await keepLooks(desktop, 'hour-12-batch');
  await resize(desktop, 960, 600);
  await keepScreen(page, 'hour-12-batch-960');
  const scroll = page.locator('.sw-batch .sw-table-scroll');
  expect((await scroll.boundingBox())?.height).toBeGreaterThan(120);
  await expect(scroll.locator('tbody tr[data-testid]').nth(1)).toBeInViewport();
  await expectUncut(page, '.sw-batch .sw-table-scroll');
  const [cell, pill] = await Promise.all([
    scroll.locator('tbody td').first().boundingBox(),
    scroll.locator('tbody .sw-badge').first().boundingBox(),
  ]);
  expect((pill?.x ?? 0) + (pill?.width ?? 0)).toBeLessThan((cell?.x ?? 0) + (cell?.width ?? 0));
  await desktop.close();
  folder.remove();
});
