import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { draftText, goTo, makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen, keepSizes } from './support/screens.ts';

const TYPED = `version: v1
agent:
  name: desk
  system_prompt: Answer.
components:
  agents:
    writer:
      name: writer
    weigher:
      name: weigher
workflow:
  name: letters
  type: sequential
  steps:
    - id: one
      kind: agent
      ref: writer
`;

test('values are offered while they are typed, and Enter goes below the key', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await desktop.ready();
  await makeDraft(desktop, 'typed', TYPED);
  await openDraft(page, 'typed.yaml');
  await expect(page.getByTestId('status-analysis')).toHaveText('Checked');
  const offered = page.locator('.suggest-widget.visible');

  await typeAtEnd(page, '    - id: two');
  await page.keyboard.press('Enter');
  await page.keyboard.type('kind: ag');
  await expect(offered).toContainText('agent');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ref: w');
  await expect(offered).toContainText('weigher');
  await expect(offered).toContainText('writer');
  await keepScreen(page, 'authoring-values');
  await page.keyboard.type('ei');
  await page.keyboard.press('Tab');
  await expect
    .poll(() => draftText(page))
    .toContain('    - id: two\n      kind: agent\n      ref: weigher');
  // A value that is whole already: Enter begins a line.
  await page.keyboard.press('Enter');
  await page.keyboard.type('on_error: fail');
  await page.keyboard.press('Enter');
  await page.keyboard.type('timeout_seconds: 5');
  await expect.poll(() => draftText(page)).toContain('on_error: fail\n      timeout_seconds: 5');

  // Prose is left alone.
  await goTo(page, 4, 25);
  await page.keyboard.type(' with agent words');
  await page.waitForTimeout(700);
  await expect(offered).toBeHidden();
  await expect(page.getByTestId('status-problems')).toContainText('0');
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});

test('drafts are named after what was typed, imports after their workflow', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  const create = async (title: string) => {
    await page.keyboard.press('Control+Alt+n');
    await page.getByTestId('name-field').fill(title);
  };
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await create('Support triage');
  await expect(page.getByTestId('name-preview')).toHaveText('Makes support-triage.yaml in Drafts.');
  await page.getByTestId('name-submit').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute(
    'data-ref',
    /\/support-triage\.yaml$/,
  );
  await create('Support triage');
  await expect(page.getByTestId('name-preview')).toHaveText(
    'support-triage.yaml exists already. Makes support-triage-2.yaml in Drafts.',
  );
  await keepSizes(desktop, 'authoring-name');
  await expectAccessible(page);
  await page.getByTestId('name-submit').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute(
    'data-ref',
    /\/support-triage-2\.yaml$/,
  );

  const exports = path.join(folder.path, 'exports');
  mkdirSync(exports);
  const write = (file: string, name: string) => {
    const node = { id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
    const nodes = [{ ...node, typeVersion: 1, position: [0, 0], parameters: {} }];
    const target = path.join(exports, file);
    writeFileSync(target, JSON.stringify({ name, nodes, connections: {} }));
    return target;
  };
  const files = [write('001.json', 'Order desk'), write('002.json', 'Returns / refunds')];
  await desktop.chooseFiles(...files);
  await page.keyboard.press('Control+o');
  const drafts = page.locator('.sw-sidebar');
  await expect(drafts).toContainText('order-desk.yaml');
  await expect(drafts).toContainText('returns-refunds.yaml');
  await desktop.chooseFiles(write('003.json', 'Invoices'));
  await page.keyboard.press('Control+o');
  await expect(drafts).toContainText('invoices.yaml');
  await expect(drafts).not.toContainText('00');
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
