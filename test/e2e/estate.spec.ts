import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepLooks, keepScreen } from './support/screens.ts';

test.describe.configure({ mode: 'serial' });

let folder: ScratchFolder;
let desktop: Desktop;
let exports = '';
test.beforeAll(async () => {
  folder = scratchFolder();
  desktop = await openDesktop({ folder: folder.path });
  await desktop.ready();
  exports = path.join(folder.path, 'desk-exports');
  mkdirSync(exports);
  writeExports('');
});
test.afterAll(async () => {
  await desktop.close();
  folder.remove();
});

const TEAM = { slackApi: { id: '7', name: 'Team Slack' } };

function node(name: string, type: string, parameters: object, more: object = {}) {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return { id, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, parameters, ...more };
}

/** A sequence of steps after a trigger; `last` stands in the note of the last one. */
function workflow(name: string, steps: readonly ReturnType<typeof node>[], more: object = {}) {
  const all = [node('Start', 'manualTrigger', {}), ...steps];
  const placed = all.map((one, at) => ({ ...one, position: [at * 220, 0] }));
  const pairs = all.slice(1).map((to, at) => [all[at]?.name ?? '', to.name] as const);
  const connections = Object.fromEntries(
    pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
  );
  return { name, nodes: placed, connections, ...more };
}

const sheet = (name: string) => node(name, 'googleSheets', { operation: 'read' });
const tell = (name: string) => node(name, 'slack', { text: 'done' }, { credentials: TEAM });

/** Four workflows that run one another; `change` makes another export of each. */
function writeExports(change: string): void {
  const files: Readonly<Record<string, object>> = {
    'intake.json': workflow(
      'Intake desk',
      [
        sheet('Read requests'),
        node('Refund it', 'executeWorkflow', { workflowId: 'Refund desk' }),
        tell('Tell the team'),
      ],
      { settings: { errorWorkflow: 'Night watch' } },
    ),
    'refund.json': workflow('Refund desk', [sheet('Read refunds')]),
    'report.json': workflow('Weekly report', [sheet('Read figures'), tell('Post figures')]),
    'archive.json': workflow('Archive', [sheet('Read archive'), sheet('Read the older archive')]),
  };
  for (const [name, document] of Object.entries(files)) {
    const text = JSON.stringify({ ...document, meta: { change } }, null, 1);
    writeFileSync(
      path.join(exports, name),
      change === '' ? text : text.replace('"done"', '"all done"'),
    );
  }
}

function draftTexts(): Map<string, string> {
  const found = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /drafts\/[^/]+\.yaml$/.test(file),
  );
  return new Map(
    found.map((file) => [path.basename(file), readFileSync(path.join(folder.path, file), 'utf8')]),
  );
}

const view = (page: Page, name: string) =>
  page.getByTestId('batch-views').getByText(name, { exact: false });

test('an import is mapped: who runs whom, what they share, what one answer frees (AS-003)', async () => {
  const { page } = desktop;
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await dropFiles(page, exports);
  await expect(page.getByRole('heading', { name: '4 of 4 files imported' })).toBeVisible();
  await expect(page.getByTestId('row-desk-exports/intake.json')).toContainText('Intake desk');
  await checkLooks(desktop, 'estate-files');

  await view(page, 'Who runs whom').click();
  await expect(page.getByTestId('graph')).toHaveAttribute('data-nodes', '3');
  await expect(page.getByRole('table', { name: 'Who runs whom' })).toContainText('Refund desk');
  await expect(page.getByText('not among the files').first()).toBeVisible();
  await page.waitForTimeout(500);
  await checkLooks(desktop, 'estate-calls');

  await view(page, 'Shared credentials').click();
  await expect(page.getByTestId('graph')).toHaveAttribute('data-nodes', '3');
  await expect(page.getByRole('table', { name: 'Credentials' })).toContainText('Team Slack');
  await page.waitForTimeout(500);
  await checkLooks(desktop, 'estate-credentials');

  await view(page, 'Causes').click();
  await expect(page.getByRole('table', { name: 'Shared causes' })).toContainText('googleSheets');
  await checkLooks(desktop, 'estate-causes');
});

test('one reviewed repair is made in many drafts, each as a minimal edit', async () => {
  const { page } = desktop;
  const row = page.getByRole('row').filter({ hasText: 'googleSheets' });
  await row.getByRole('button', { name: 'Repair…' }).click();
  await expect(page.getByRole('heading', { name: 'Repair 4 drafts' })).toBeVisible();
  await expect(page.getByTestId('repair-save')).toBeDisabled();
  await page.getByTestId('fix-field-function').fill('sheets.read');
  await expect(page.getByTestId('repair-save')).toHaveText('Save in 4 drafts');
  await page
    .getByTestId('repair-draft')
    .filter({ hasText: 'Weekly report' })
    .getByRole('button')
    .click();
  await checkLooks(desktop, 'estate-repair');

  await page.getByLabel('Save the edit of Weekly report').uncheck();
  await expect(page.getByTestId('repair-save')).toHaveText('Save in 3 drafts');
  const before = draftTexts();
  await page.getByTestId('repair-save').click();
  await expect(page.getByTestId('repair-undo')).toHaveText('Take back 3');
  const after = draftTexts();
  expect(after.get('weekly-report.yaml')).toBe(before.get('weekly-report.yaml'));
  const archive = (texts: Map<string, string>) => texts.get('archive.yaml')?.split('\n') ?? [];
  const changed = archive(after).filter((line, at) => line !== archive(before)[at]);
  expect(changed.map((line) => line.trim())).toEqual([
    'implementation: sheets.read',
    'implementation: sheets.read',
  ]);
  await keepLooks(desktop, 'estate-repaired');
});

test('it is offered again when the same sources are imported again', async () => {
  const { page } = desktop;
  writeExports('a newer export');
  await dropFiles(page, exports);
  await expect(page.getByRole('heading', { name: '4 of 4 files imported' })).toBeVisible();
  const again = page.getByTestId('repair-again');
  await expect(again).toContainText('sheets.read');
  await expect(again).toContainText('3 files');
  await checkLooks(desktop, 'estate-again');
  await page.getByTestId('repair-again-review').click();
  await expect(page.getByTestId('fix-field-function')).toHaveValue('sheets.read');
  await expect(page.getByTestId('repair-save')).toHaveText('Save in 4 drafts');
  await page.getByLabel('Save the edit of Weekly report').uncheck();
  await page.getByTestId('repair-save').click();
  await expect(page.getByTestId('repair-undo')).toBeVisible();
  expect(draftTexts().get('archive-2.yaml')).toContain('implementation: sheets.read');
});

test('the map of the project holds the drafts of all its imports', async () => {
  const { page } = desktop;
  await page.evaluate(() => {
    location.hash = '#/projects/default';
  });
  // Each draft says what is open in it; a filter leaves those that cannot be exported.
  const drafts = page.getByTestId('board-draft');
  await expect(drafts).toHaveCount(8);
  await page.getByText('Gaps block export').click();
  await expect(drafts.filter({ hasText: 'blocking' })).not.toHaveCount(0);
  await expect(drafts.filter({ hasNotText: 'blocking' })).toHaveCount(0);
  await checkLooks(desktop, 'project-board');
  await page.getByRole('link', { name: 'Map of 8 imported drafts' }).click();
  await expect(page.getByTestId('project-estate')).toContainText('8 imported drafts');
  await expect(page.getByRole('table', { name: 'Who runs whom' })).toContainText('Refund desk');
  await page.waitForTimeout(500);
  await checkLooks(desktop, 'project-estate-calls');
  const part = (name: string) => page.getByTestId('estate-views').getByText(name, { exact: false });
  await part('Shared credentials').click();
  await expect(page.getByRole('table', { name: 'Credentials' })).toContainText('Team Slack');
  await page.waitForTimeout(500);
  await checkLooks(desktop, 'project-estate-credentials');
  await part('Causes').click();
  await checkLooks(desktop, 'project-estate-causes');
  const row = page.getByRole('row').filter({ hasText: 'slack' });
  await row.getByRole('button', { name: 'Repair…' }).click();
  await expect(page.getByRole('heading', { name: 'Repair 4 drafts' })).toBeVisible();
  await page.getByRole('link', { name: 'All causes' }).click();
  await expect(page.getByTestId('project-estate')).toBeVisible();

  await page.keyboard.press('Control+K');
  await page.keyboard.type('Map of the imports');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Who runs whom' })).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/projects/default/imports?view=causes';
  });
});

test('the result of one leads to gap, line and element, and to what became of everything', async () => {
  const { page } = desktop;
  await view(page, 'Files').click();
  await expect(page.getByTestId('repair-again')).toBeHidden();
  await page.getByTestId('row-desk-exports/intake.json').getByText('Intake desk').click();
  await expect(page.getByTestId('import-drawings')).toBeVisible();
  await page.getByTestId('import-gap-source').filter({ hasText: 'Read requests' }).first().click();
  await expect(page.getByTestId('element-panel')).toContainText('Read requests');
  await expect(page.getByTestId('element-line')).toContainText('line');
  await page.waitForTimeout(400);
  await checkLooks(desktop, 'import-result');

  await page.getByTestId('element-line').click();
  await expect(page.getByTestId('editor')).toBeVisible();
  await page.goBack();
  await page.getByTestId('import-gap-link').first().click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.getByTestId('tab-ledger').click();
  await expect(page.getByTestId('ledger-page')).toBeVisible();
  await page.waitForTimeout(500);
  await checkLooks(desktop, 'import-ledger');
});

test('undoing an import removes what nobody changed and says what stays', async () => {
  const { page } = desktop;
  await page.getByTestId('place-author').click();
  await page.goBack();
  await page.evaluate(() => {
    location.hash = '#/projects/default/imports';
  });
  await page.getByTestId('batch-undo').click();
  const dialog = page.getByRole('dialog');
  await expect(page.getByTestId('undo-stay')).toContainText('changed since');
  await keepScreen(page, 'estate-undo');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Remove / }).click();
  await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible();
  const left = [...draftTexts().keys()];
  expect(left).toContain('archive-2.yaml');
  expect(left).not.toContain('weekly-report-2.yaml');
  expect(left).toContain('weekly-report.yaml');
});
