import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { runDraft } from './support/ask.ts';
import { openDesktop } from './support/desktop.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

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
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
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
  await expect(row).toContainText('E_HANDLER_NOT_FOUND');
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
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
  ] as const) {
    await resize(desktop, width, height);
    await keepScreen(page, `operate-list-${width}`);
  }
  await expectAccessible(page);
  await resize(desktop, 1440, 900);

  await other.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'status-poller' })).toBeVisible();
  await expect(page.getByTestId('run-origin')).toContainText('status-poller.yaml');
  await expect(page.getByTestId('project-switcher')).not.toContainText('Choose');
  await keepScreen(page, 'operate-run');
  await page.getByTestId('failure-line').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /status-poller/);
  await expect(page.getByTestId('status-bar')).toContainText('Line 8');
  await desktop.close();
  folder.remove();
});
