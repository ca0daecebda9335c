import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { importOne } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

test.describe.configure({ timeout: 240_000 });

const node = (name: string, type: string, parameters: object, at: number) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, parameters },
  position: [at * 220, 0],
});
const line = (from: string, to: string) => ({
  [from]: { main: [[{ node: to, type: 'main', index: 0 }]] },
});

const CALLER = {
  name: 'Intake',
  nodes: [
    node('Start', 'manualTrigger', {}, 0),
    node('Refund it', 'executeWorkflow', { workflowId: 'Refund desk' }, 1),
  ],
  connections: line('Start', 'Refund it'),
};
const CALLED = {
  name: 'Refund desk',
  nodes: [
    node('Called', 'executeWorkflowTrigger', {}, 0),
    node('Note the refund', 'set', { values: { string: [{ name: 'a', value: 'b' }] } }, 1),
  ],
  connections: line('Called', 'Note the refund'),
};

test('a workflow that is imported after the one that runs it is put into that draft', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  const file = (name: string, document: object): string => {
    const at = path.join(folder.path, name);
    writeFileSync(at, JSON.stringify(document));
    return at;
  };
  await importOne(desktop, file('intake.json', CALLER));
  await expect(page.getByTestId('import-result')).toBeVisible();
  await expect(page.getByTestId('waiting-callers')).toHaveCount(0);

  await desktop.chooseFiles(file('refund.json', CALLED));
  await page.getByTestId('sidebar-file.import').first().click();
  await expect(page.getByTestId('waiting-callers')).toContainText('intake.yaml');
  await keepLooks(desktop, 'called-later-1-waits');
  await expectAccessible(page);
  await page.getByTestId('waiting-callers').getByRole('link').click();
  await page.locator('.sw-gap-list').getByText('Refund it').last().click();
  await page.getByTestId('fix-gap').click();
  await expect(page.getByTestId('fix-by_draft')).toBeChecked();
  await expect(page.getByTestId('diff-view')).toContainText('note_the_refund');
  await keepLooks(desktop, 'called-later-2-fix');
  await expectAccessible(page);
  await page.getByTestId('fix-store').click();
  await expect(page.getByTestId('fix-store')).toHaveCount(0);

  const draft = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).find((one) =>
    one.endsWith('drafts/intake.yaml'),
  );
  const text = readFileSync(path.join(folder.path, draft ?? ''), 'utf8');
  expect(text).toContain('note_the_refund');
  expect(text).not.toMatch(/n8n\.executeWorkflow$/m);
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
