import { expect, test } from '@playwright/test';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { draftText, goTo, makeDraft, openDraft } from './support/editor.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

const DRAFT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: webhook
  nodes:
    webhook: {id: webhook, kind: function, ref: webhook}
    join: {id: join, kind: function, ref: join}
  edges:
  - {from: webhook, to: join}
components:
  functions:
    webhook: {implementation: n8n.webhook}
    join: {implementation: n8n.merge}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      webhook:
        name: Webhook
        type: n8n-nodes-base.webhook
        version: 2
        parameters: {path: refunds}
      join:
        name: Join
        type: n8n-nodes-base.merge
        version: 3
        parameters:
          mode: apend
          text: "={{ $('Webhok').item.json.total }}"
`;

let folder: ScratchFolder;
let desktop: Desktop;
test.beforeAll(async () => {
  folder = scratchFolder();
  desktop = await openDesktop({ folder: folder.path });
  await desktop.ready();
  await makeDraft(desktop, 'flow', DRAFT);
});
test.afterAll(async () => {
  await desktop.close();
  folder.remove();
});

function lineOf(part: string): number {
  return DRAFT.slice(0, DRAFT.indexOf(part)).split('\n').length;
}

test('the settings of built-in steps are completed, explained and checked', async () => {
  const { page } = desktop;
  await openDraft(page, 'flow.yaml');

  await test.step('findings, with a fix where a near name exists', async () => {
    await expect(page.locator('.squiggly-warning').first()).toBeVisible();
    await checkLooks(desktop, 'step-settings-findings');
    await goTo(page, lineOf('mode: apend'), 20);
    await expect(page.locator('.squiggly-warning')).toHaveCount(2);
    const fix = page.getByText('Change "apend" to "append"').first();
    // The editor drops a question when findings arrive after it.
    await expect(async () => {
      await page.keyboard.press('Control+.');
      await expect(fix).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await keepScreen(page, 'step-settings-fix');
    await fix.click();
    await expect.poll(() => draftText(page)).toContain('mode: append');
  });

  await test.step('completion: settings of the type of the step, with their defaults', async () => {
    await goTo(page, lineOf('mode: apend'), 23);
    await page.keyboard.press('Enter');
    await page.keyboard.type('combine');
    await page.keyboard.press('Control+Space');
    await expect(page.locator('.suggest-widget.visible')).toContainText('combineBy');
    await keepScreen(page, 'step-settings-completion');
    await page.keyboard.press('Escape');
  });

  await test.step('hover: what a setting does, and whose it is in the source', async () => {
    await page.getByText('mode', { exact: true }).first().hover();
    await expect(
      page.locator('.monaco-hover').filter({ hasText: 'How the inputs become one list' }),
    ).toBeVisible();
    await expect(page.locator('.monaco-hover').first()).toContainText('In the source: "Join"');
    await keepScreen(page, 'step-settings-hover');
  });
});
