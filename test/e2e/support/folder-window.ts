import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type Desktop, openDesktop } from './desktop.ts';
import { scratchFolder } from './scratch-folder.ts';

/** The window over a folder of somebody's own. */
export interface FolderWindow {
  readonly desktop: Desktop;
  readonly page: Page;
  /** Holds the profile, all state and `root`. */
  readonly folder: string;
  readonly root: string;
  /** Writes a file of the folder, as another program would; gives its path. */
  readonly write: (ref: string, text: string) => string;
  /** Ends the window; what its page reported must be a refusal that the tests ask for. */
  readonly close: () => Promise<void>;
}

/** Opens the window over a folder that holds these files already, light and without motion. */
export async function openFolder(files: Readonly<Record<string, string>>): Promise<FolderWindow> {
  const folder = scratchFolder();
  const root = path.join(folder.path, 'desk');
  mkdirSync(root);
  const write = (ref: string, text: string) => {
    const file = path.join(root, ref);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  for (const [ref, text] of Object.entries(files)) write(ref, text);
  const desktop = await openDesktop({ folder: folder.path, args: ['--project', root] });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  const close = async () => {
    expect(desktop.errors.filter((line) => !/ 4(00|09|22) /.test(line))).toEqual([]);
    await desktop.close();
    folder.remove();
  };
  return { desktop, page, folder: folder.path, root, write, close };
}

/** Goes to the project of the folder, whose files are its tree. */
export async function showTree(page: Page): Promise<void> {
  await page.getByTestId('place-author').click();
  const project = page.getByTestId('project-default');
  await expect(page.getByTestId('file-tree').or(project).first()).toBeVisible();
  if (await project.isVisible()) await project.click();
  await page.getByTestId('file-tree').waitFor();
}
