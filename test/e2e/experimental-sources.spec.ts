import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');

test('a Flowise flow and the folder of a CrewAI project become drafts, said to be an experiment', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await keepLooks(desktop, 'experimental-1-welcome');

  const flow = path.join(folder.path, 'writer.json');
  copyFileSync(path.join(FIXTURES, 'flowise/writer-with-review.json'), flow);
  await dropFiles(page, flow);
  await expect(page.getByTestId('import-experimental')).toHaveText(
    'Flowise is an experimental source',
  );
  await page.waitForTimeout(1_500);
  await keepLooks(desktop, 'experimental-2-flowise');
  await expectAccessible(page);

  const config = path.join(folder.path, 'research/config');
  mkdirSync(config, { recursive: true });
  const crew = readFileSync(path.join(FIXTURES, 'crewai/research-crew.yaml'), 'utf8');
  const [agents = '', tasks = ''] = crew.split('---\n');
  writeFileSync(path.join(config, 'agents.yaml'), agents);
  writeFileSync(path.join(config, 'tasks.yaml'), tasks);
  await dropFiles(page, path.join(folder.path, 'research'));
  await expect(page.getByTestId('import-experimental')).toHaveText(
    'CrewAI is an experimental source',
  );
  await page.waitForTimeout(1_500);
  await keepLooks(desktop, 'experimental-3-crewai');
  await page.getByTestId('open-editor').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /research/);
  await desktop.close();
  folder.remove();
});
