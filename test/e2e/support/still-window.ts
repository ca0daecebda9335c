import type { Page } from '@playwright/test';
import { type Desktop, openDesktop } from './desktop.ts';
import { resize } from './runs.ts';
import { scratchFolder } from './scratch-folder.ts';

/** A large window without motion, over a folder of its own; its services answer. */
export async function openStillWindow(): Promise<{
  readonly folder: ReturnType<typeof scratchFolder>;
  readonly desktop: Desktop;
  readonly page: Page;
}> {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
  return { folder, desktop, page };
}
