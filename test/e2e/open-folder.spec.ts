import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

test.describe.configure({ timeout: 120_000 });

const spec = (name: string) => `version: v1\nagent:\n  name: ${name}\n  system_prompt: Go.\n`;

test('a folder of this computer becomes a project: chosen, dropped, refused', async () => {
  const folder = scratchFolder();
  const write = (ref: string, text: string) => {
    const file = path.join(folder.path, 'mine', ref);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('letters/flows/a.yaml', spec('a'));
  write('letters/flows/b.yaml', spec('b'));
  write('orders/c.yaml', spec('c'));
  write('orders/n8n.json', '{"nodes": [], "connections": {}}\n');
  const at = (name: string) => path.join(folder.path, 'mine', name);
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await desktop.chooseFiles(at('letters'));
  await page.getByTestId('welcome-open-folder').click();
  await expect(page.getByTestId('found-text')).toContainText('2 specs in this folder');
  await expect(page.getByTestId('project-page').getByRole('heading', { level: 1 })).toHaveText(
    'letters',
  );
  await checkLooks(desktop, 'open-folder');
  await page.getByTestId('add-found-specs').click();
  await expect(page.getByTestId('draft-flows/a.yaml')).toBeVisible();

  await dropFiles(page, at('orders'));
  await expect(page.getByTestId('dropped-folder')).toBeVisible();
  await checkLooks(desktop, 'open-folder-dropped');
  await expect(page.getByTestId('dropped-open')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('found-text')).toContainText('c.yaml in this folder');

  // A folder inside of a project, from the palette; then one that is a project already.
  const open = async (name: string) => {
    await desktop.chooseFiles(at(name));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('open a folder');
    await page.keyboard.press('Enter');
  };
  await open('letters/flows');
  await expect(page.getByRole('alert').last()).toContainText('overlaps that of another project');
  await open('letters');
  await expect(page.getByTestId('draft-flows/a.yaml')).toBeVisible();
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});
