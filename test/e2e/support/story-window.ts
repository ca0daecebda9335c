import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Desktop } from './desktop.ts';
import type { Screen } from './screens.ts';
import type { Surface } from './story.ts';

/** The window as the story's stage; its pictures are kept unless the screen is unseen. */
export function inWindow(desktop: Desktop, folder: string, screen: Screen = desktop): Surface {
  return {
    page: desktop.page,
    screen,
    name: 'window',
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
