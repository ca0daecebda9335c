import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { expectEverythingThere, type Surface, walkStory } from './support/story.ts';
import { inWindow } from './support/story-window.ts';

test.describe.configure({ timeout: 300_000 });

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
  await walkStory(inWindow(desktop, folder.path));
  await desktop.close();

  const again = await openDesktop({ folder: folder.path });
  await again.ready();
  await expectEverythingThere(inWindow(again, folder.path));
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
