import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/ask.ts';
import { openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { makeDraft, openDraft } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepLooks } from './support/screens.ts';
import { writeShout } from './support/shout-function.ts';

const SPEC = `version: v1
agent: {name: desk, model: {provider: openai, name: m, extra: {api_key_ref: DESK_KEY}}}
workflow:
  name: shouting
  type: sequential
  steps:
    - {id: shout, kind: function, ref: shout}
components:
  functions:
    shout: {implementation: texts.shout}
`;

test('a draft with code leaves as a bundle and comes back as a project', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await makeDraft(desktop, 'shouting', SPEC);
  writeShout(folder.path);

  await openDraft(page, 'shouting.yaml');
  await page.getByTestId('create-artifact').click();
  await page.getByTestId('artifact-submit').click();
  await expect(page.getByTestId('artifact-page')).toBeVisible();
  await expect(page.getByTestId('check-portability')).toContainText('shout.implementation');
  await keepLooks(desktop, 'bundles-0-artifact');
  await page.getByTestId('export-artifact').click();
  const contents = page.getByTestId('bundle-contents');
  await expect(contents).toContainText('functions/texts.ts');
  await expect(page.getByTestId('bundle-needs')).toContainText('DESK_KEY');
  await keepLooks(desktop, 'bundles-1-export');
  await expectAccessible(page);
  const file = path.join(folder.path, 'saved.specbundle');
  await desktop.saveAs(path.join(folder.path, 'not-there', 'saved.specbundle'));
  await page.getByTestId('bundle-save').click();
  await expect(page.getByText('The bundle was not written')).toBeVisible();
  await desktop.saveAs(file);
  await page.getByTestId('bundle-save').click();
  await expect(page.getByText('Exported saved.specbundle')).toBeVisible();
  await expect.poll(() => existsSync(file)).toBe(true);
  await page.keyboard.press('Escape');

  await dropFiles(page, file);
  await expect(page.getByTestId('bundle-dialog')).toContainText('Signed by this computer');
  await keepLooks(desktop, 'bundles-2-open');
  await expectAccessible(page);
  await page.getByTestId('bundle-submit').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'spec.yaml');
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');
  const { projects } = await ask(desktop, 'GET', '/studio/api/me');
  expect(projects.map(({ name }: { name: string }) => name)).toContain('shouting');
  await keepLooks(desktop, 'bundles-3-project');

  const evil = path.join(folder.path, 'evil.specbundle');
  const bytes = readFileSync(file);
  bytes.write('toLowerCase', bytes.indexOf('toUpperCase'));
  writeFileSync(evil, bytes);
  await dropFiles(page, evil);
  await expect(page.getByText('evil.specbundle was not opened')).toBeVisible();
  await keepLooks(desktop, 'bundles-4-refused');
  await desktop.close();
  folder.remove();
});
