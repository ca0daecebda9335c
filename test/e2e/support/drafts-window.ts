import { test } from '@playwright/test';
import { type Desktop, openDesktop } from './desktop.ts';
import { makeDraft } from './editor.ts';
import { type ScratchFolder, scratchFolder } from './scratch-folder.ts';

/** The window of a spec file. */
export interface DraftsWindow {
  readonly desktop: Desktop;
  /** Holds the profile and all state. */
  readonly folder: string;
}

interface Opened {
  readonly desktop: Desktop;
  readonly folder: ScratchFolder;
}

/** Opens one window for all tests of the file, dark and without motion, with these drafts in it. */
export function draftsWindow(
  drafts: readonly (readonly [name: string, text: string])[],
): DraftsWindow {
  let opened: Opened | undefined;
  const now = (): Opened => {
    if (opened === undefined) throw new Error('the window is open while tests run');
    return opened;
  };
  test.beforeAll(async () => {
    const folder = scratchFolder();
    const desktop = await openDesktop({ folder: folder.path });
    opened = { desktop, folder };
    await desktop.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await desktop.ready();
    for (const [name, text] of drafts) await makeDraft(desktop, name, text);
  });
  test.afterAll(async () => {
    const { desktop, folder } = now();
    await desktop.close();
    folder.remove();
  });
  return {
    get desktop() {
      return now().desktop;
    },
    get folder() {
      return now().folder.path;
    },
  };
}
