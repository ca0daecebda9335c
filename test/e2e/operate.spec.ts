import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { ask, runDraft } from './support/ask.ts';
import { openDesktop } from './support/desktop.ts';
import { draftText, makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen, keepSizes } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const LIMITED = `version: v1
agent:
  name: imported-agent
  system_prompt: Poll.
workflow:
  type: graph
  start: poll
  max_steps: 2
  nodes:
    poll: { id: poll, kind: agent, ref: poller }
  edges:
    - { from: poll, to: poll }
components:
  agents:
    poller: { name: poller, system_prompt: Report. }
`;

test('runs are told apart, say what went in and wrong, and lead back to the line', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const broken = await startRun(desktop, {
    spec: fixtureSpec('failing-import.yaml'),
    input: 'three files',
  });
  const looping = await runDraft(desktop, 'status-poller', LIMITED, 'build 88');

  await page.getByTestId('place-runs').click();
  await page.mouse.move(700, 5);
  const row = page.getByTestId(`row-${broken}`);
  await expect(row).toContainText('failing-import');
  await expect(row).toContainText('three files');
  // One line tells what happened; code and place stand on the page of the run.
  await expect(row).toContainText('went wrong: There is no code for');
  await expect(row).toContainText(broken.slice(-6));
  await expect(row).not.toContainText(broken.slice(0, 6));
  const other = page.getByTestId(`row-${looping}`);
  await expect(other).toContainText('status-poller');
  await expect(other).toContainText('max iterations');
  await expect(other.getByTestId('offline-badge')).toBeVisible();
  await expect(page.getByLabel('Environment')).toBeDisabled();
  await page.getByLabel('Kind').selectOption('agent');
  await expect(page.getByText('No run matches these filters')).toBeVisible();
  await page.getByLabel('Kind').selectOption('');
  await page.getByLabel('Workflow', { exact: true }).selectOption('graph-workflow');
  await expect(page.getByTestId('runs-count')).toHaveText('1 run');
  await keepSizes(desktop, 'operate-list');
  await expectAccessible(page);

  await other.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'status-poller' })).toBeVisible();
  await expect(page.getByTestId('run-origin')).toContainText('status-poller.yaml');
  await expect(page.getByTestId('project-switcher')).not.toContainText('Choose');
  await keepScreen(page, 'operate-run');
  await page.getByTestId('failure-line').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /status-poller/);
  await expect(page.getByTestId('status-bar')).toContainText('Line 8');

  // The project knows how the last run of the draft went, and leads there.
  await page.evaluate(() => {
    location.hash = '/projects/default';
  });
  await page.getByTestId('board-draft').getByRole('link', { name: 'failed' }).click();
  await expect(page.getByTestId('run-page')).toContainText(looping.slice(-6));
  // The first column keeps its room beside the sidebar of a small window.
  await resize(desktop, 1024, 700);
  await page.evaluate(() => {
    location.hash = '/projects/default/artifacts';
  });
  const draft = page.getByTestId('artifacts-page').getByRole('heading', { level: 2 }).first();
  await expect(draft).toHaveText('status-poller.yaml');
  expect(await draft.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  await keepSizes(desktop, 'operate-artifacts');
  await expectAccessible(page);
  await desktop.close();
  folder.remove();
});

test('the palette finds everything, keys and focus hold, counts and errors say what is', async () => {
  const { folder, desktop, page } = await openStillWindow();
  for (let n = 1; n <= 21; n += 1) {
    await ask(desktop, 'POST', '/studio/api/projects/default/drafts', {
      name: `draft-${String(n).padStart(2, '0')}`,
      kind: 'spec',
      text: LIMITED,
    });
  }
  const spec = fixtureSpec('invoice-approval.yaml');
  const run = await startRun(desktop, { spec, input: 'invoice R-118' });
  await startRun(desktop, { spec: fixtureSpec('support-triage.yaml'), input: 'a jam' });
  await page.getByTestId('place-runs').click();
  await expect(page.getByTestId('runs-count')).toHaveText('2 runs');

  const palette = page.locator('.mantine-Spotlight-content');
  const find = async (text: string, wanted: string) => {
    await page.keyboard.press('Control+k');
    const before = await palette.boundingBox();
    await page.keyboard.type(text);
    await expect(palette.getByRole('button', { name: wanted }).first()).toBeVisible();
    const after = await palette.boundingBox();
    expect([after?.y, after?.height]).toEqual([before?.y, before?.height]);
  };
  await find('R-118', run.slice(-6));
  await keepScreen(page, 'operate-palette');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-page')).toContainText(run.slice(-6));
  // What can be done with the run on screen, and any run by its whole id.
  await find('stop this run', 'Stop this run…');
  await keepScreen(page, 'operate-palette-run');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Keep running');
  await page.keyboard.press('Escape');
  await find('copy the id', 'Copy the id of this run');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The id of the run is copied')).toBeVisible();
  await find('01900000-0000-7000-8000-000000000009', 'Go to run');
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no run with this id')).toBeVisible();
  await find('correct and in budget', 'Is this invoice correct');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('task')).toBeVisible();
  await find('draft-17', 'draft-17');
  await page.keyboard.press('Escape');
  await find('providers', 'Model providers');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('settings-page')).toBeVisible();
  // The very next key goes into the palette, and the focus comes back from it.
  await page.getByTestId('place-settings').focus();
  const focused = await page.evaluate(() => {
    const stroke = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', stroke));
    return document.activeElement?.getAttribute('aria-label');
  });
  expect(focused).toBe('Search drafts, runs, tasks, projects, settings and commands');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(page.getByTestId('place-settings')).toBeFocused();

  await page.keyboard.press('?');
  await expect(page.getByTestId('keys')).toContainText('Select the row');
  await keepScreen(page, 'operate-keys');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.getByTestId('place-runs').click();
  await page.getByText('with error', { exact: true }).click();
  await page.getByText('with error', { exact: true }).click();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search runs')).toBeFocused();
  const created = page.getByRole('button', { name: 'Created' });
  await created.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(created).toBeFocused();
  await expect(page.locator('tbody tr[tabindex="0"]')).toHaveCount(1);
  const row = page.getByTestId(`row-${run}`);
  await row.focus();
  await page.keyboard.press('Space');
  await expect(row).toHaveAttribute('data-selected', 'true');
  expect(await page.locator('.sw-table-scroll').evaluate((box) => box.scrollTop)).toBe(0);

  await page.evaluate(() => {
    location.hash = '/projects/default';
  });
  await expect(page.getByTestId('count-drafts')).toHaveText('21');
  await expect(page.getByTestId('project-page').getByText(/^draft-\d\d\.yaml$/)).toHaveCount(21);
  await page.getByTestId('find-draft').fill('T-07');
  await expect(page.getByTestId('board-draft')).toHaveText([/^draft-07\.yaml/]);
  await page.evaluate(() => {
    location.hash = '/projects/none-of-ours';
  });
  await expect(page.getByText('There is no such project')).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByTestId('sidebar-file.import')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Import a workflow' })).toHaveCount(0);
  await keepScreen(page, 'operate-no-project');
  await desktop.close();
  folder.remove();
});

test('a platform that is down is named with its address', async () => {
  const folder = scratchFolder();
  const address = 'http://127.0.0.1:9';
  const desktop = await openDesktop({
    folder: folder.path,
    env: { PLATFORM_URL: address, PLATFORM_API_KEY: 'k' },
  });
  const { page } = desktop;
  await desktop.ready();
  // The banner stands before any page is asked for; the page says it too, without repeating itself.
  await expect(page.getByTestId('platform-down')).toContainText(address);
  await page.getByTestId('place-runs').click();
  await expect(page.getByTestId('error-state')).toContainText(address);
  await expect(page.getByTestId('error-state')).toContainText('cannot be reached');
  await expect(page.getByText('This did not work')).toHaveCount(0);
  await keepScreen(page, 'operate-platform-down');
  await page.keyboard.press('Control+4');
  await page.getByTestId('operate-health').click();
  const down = page.getByTestId('health-page').getByTestId('platform-down');
  await expect(down).toContainText(address);
  await expect(down).toContainText('not been ready since this window was opened');
  await keepScreen(page, 'operate-health-down');
  await desktop.close();
  folder.remove();
});

test('a session that ended says so', async () => {
  const folder = scratchFolder();
  const headless = await serveHeadless({ folder: folder.path });
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(headless.link);
  await expect(page.getByTestId('welcome')).toBeVisible();
  // A part that an update of the program took away is told as that, and is there after a reload.
  await page.route('**/assets/compose-page-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(new URL('/projects/default/compose', page.url()).href);
  await expect(page.getByTestId('error-state')).toContainText('The program was updated');
  await page.unroute('**/assets/compose-page-*.js');
  await page.getByRole('button', { name: 'Reload the window' }).click();
  await expect(page.getByTestId('compose-page')).toBeVisible();
  await page.context().clearCookies();
  await page.getByTestId('place-runs').click();
  await expect(page.getByTestId('error-state')).toContainText('You are signed out');
  await expect(page.getByTestId('signed-out')).toContainText('session has ended', {
    timeout: 15_000,
  });
  await keepScreen(page, 'operate-signed-out');
  await browser.close();
  await headless.stop();
  folder.remove();
});

test('a killed window comes back where it was, with the text; Welcome knows who returns', async () => {
  const folder = scratchFolder();
  const first = await openDesktop({ folder: folder.path });
  await first.ready();
  await expect(first.page.getByTestId('welcome-return')).toHaveCount(0);
  await keepScreen(first.page, 'operate-welcome-first');
  await startRun(first, { spec: fixtureSpec('invoice-approval.yaml'), input: 'R-118' });
  await startRun(first, { spec: fixtureSpec('failing-import.yaml'), input: 'files' });
  await makeDraft(first, 'kept', LIMITED);
  await openDraft(first.page, 'kept');
  await typeAtEnd(first.page, '# typed just before the end');
  await first.page.waitForTimeout(1_000);
  const gone = new Promise((resolve) => first.app.process().once('exit', resolve));
  first.app.process().kill('SIGKILL');
  await gone;

  const second = await openDesktop({ folder: folder.path });
  const { page } = second;
  await second.ready();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /kept/);
  await expect.poll(() => draftText(page)).toContain('# typed just before the end');
  await page.getByTestId('wordmark').click();
  const board = page.getByTestId('welcome-return');
  await expect(board).toContainText('Unsaved text of kept.yaml');
  await expect(board).toContainText('1 task waits for a person');
  await expect(board).toContainText('failing-import failed');
  await expect(board).toContainText('Recent drafts');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await keepSizes(second, 'operate-welcome');
  await expectAccessible(page);
  await second.close();

  const third = await openDesktop({ folder: folder.path });
  await third.ready();
  await expect(third.page.getByTestId('welcome')).toBeVisible();
  await expect(third.page.getByTestId('welcome-return')).toContainText('Unsaved text of kept.yaml');
  await third.page.getByTestId('sample-import').click();
  await expect(third.page.getByTestId('import-result')).toContainText('refund');
  await third.close();
  folder.remove();
});

test('offline answers are marked wherever they stand; an example ends in a decision', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const text = readFileSync(
    path.resolve(
      import.meta.dirname,
      '../../renderer/features/welcome/examples/research-brief.yaml',
    ),
    'utf8',
  );
  const run = await runDraft(desktop, 'brief', text, 'How do ferries charge?');
  await page.getByTestId('place-tasks').click();
  await expect(page.getByTestId('task').getByTestId('offline-badge')).toBeVisible();
  await keepScreen(page, 'operate-task-offline');
  await page.getByText('Publish the brief as it stands').click();
  await page.getByRole('button', { name: /^Choose option/ }).click();
  await page.evaluate((id) => {
    location.hash = `/runs/${id}`;
  }, run);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('run-output')).toHaveText('Publish the brief as it stands');
  await expect(page.locator('.sw-trace-offline')).toHaveCount(2);
  await expect(page.getByTestId('trace')).toContainText('Complete');
  await expect(page.locator('.sw-trace-decided')).toContainText('Publish the brief as it stands');
  await expectAccessible(page);
  await keepScreen(page, 'operate-run-offline');
  const fork = await ask(desktop, 'POST', `/platform/v1/runs/${run}/rerun`, {
    checkpoint_sequence: 2,
    async_mode: true,
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `/compare?a=${fork.run_id}&b=${run}`);
  const steps = page.getByTestId('compare-steps').locator('tr');
  await expect(steps.nth(0)).toContainText('plan');
  await expect(steps.nth(0)).toContainText('kept');
  await expect(steps.nth(1)).toContainText('write');
  await expect(steps.nth(2)).toContainText('publish');
  await expect(page.getByTestId('compare-0')).toContainText(run.slice(-6));
  await expect(page.getByTestId('compare-spec')).toContainText('the same');
  await keepScreen(page, 'operate-compare');
  await expectAccessible(page);
  await openDraft(page, 'brief');
  await page.getByTestId('side-view').getByText('Preview').click();
  await expect(page.getByTestId('preview-offline')).toContainText('planner');
  await keepScreen(page, 'operate-preview-offline');
  await desktop.close();
  folder.remove();
});

test('a small and zoomed window folds what stands around the text', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await makeDraft(desktop, 'small', LIMITED);
  await resize(desktop, 1024, 700);
  await openDraft(page, 'small');
  for (const zoom of [1.5, 2]) {
    await desktop.app.evaluate(({ BrowserWindow }, factor) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor);
    }, zoom);
    await expect(page.getByTestId('sidebar')).toHaveCount(0);
    const box = await page.locator('.sw-editor-host').boundingBox();
    expect(box?.width).toBeGreaterThan(430);
    await page.waitForTimeout(300);
    await keepScreen(page, `operate-zoom-${zoom * 100}`);
  }
  await desktop.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1);
  });
  await expect(page.getByTestId('sidebar').first()).toBeVisible();
  await desktop.close();
  folder.remove();
});
