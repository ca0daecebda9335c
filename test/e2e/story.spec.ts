import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, expect, test } from '@playwright/test';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { expectEverythingThere, type Surface, walkStory } from './support/story.ts';

test.describe.configure({ timeout: 300_000 });

function inWindow(desktop: Desktop, folder: string, name: string): Surface {
  return {
    page: desktop.page,
    screen: desktop,
    name,
    folder,
    async importFile(file) {
      await desktop.chooseFiles(file);
      await desktop.page.getByTestId('import-workflow').first().click();
    },
    async saveExport(press) {
      const target = path.join(folder, 'exported.yaml');
      await desktop.saveAs(target);
      await press();
      await expect(desktop.page.getByTestId('export-text')).toBeHidden();
      return readFileSync(target, 'utf8');
    },
  };
}

async function inBrowser(context: BrowserContext, folder: string, name: string): Promise<Surface> {
  const page = await context.newPage();
  return {
    page,
    screen: page,
    name,
    folder,
    async importFile(file) {
      const chooser = page.waitForEvent('filechooser');
      await page.getByTestId('import-workflow').first().click();
      await (await chooser).setFiles(file);
    },
    async saveExport(press) {
      const download = page.waitForEvent('download');
      await press();
      return readFileSync(await (await download).path(), 'utf8');
    },
  };
}

test('from an n8n file to a finished run in the window', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  await desktop.ready();
  await walkStory(inWindow(desktop, folder.path, 'window'));
  await desktop.close();

  const again = await openDesktop({ folder: folder.path });
  await again.ready();
  await expectEverythingThere(inWindow(again, folder.path, 'window'));
  await again.close();
  folder.remove();
});

test('the same story in Chromium against the headless form', async () => {
  const folder = scratchFolder();
  const headless = await serveHeadless({ folder: folder.path });
  const browser = await openChromium();
  const context = await browser.newContext();
  const surface = await inBrowser(context, folder.path, 'chromium');
  await surface.page.goto(headless.link);
  await walkStory(surface);
  await headless.stop();

  const again = await serveHeadless({ folder: folder.path });
  await surface.page.goto(again.link);
  await expectEverythingThere(surface);
  await browser.close();
  expect(await again.stop()).toBe(0);
  folder.remove();
});
