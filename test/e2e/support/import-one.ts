import type { Page } from '@playwright/test';
import type { Desktop } from './desktop.ts';

/** Imports a file as a person does who has just opened the window. */
export async function importOne(desktop: Desktop, file: string): Promise<void> {
  await desktop.ready();
  await desktop.chooseFiles(file);
  await desktop.page.getByTestId('import-workflow').click();
}

/** Goes from what was imported to its text. */
export async function openEditor(page: Page): Promise<void> {
  await page.getByTestId('open-editor').click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
}
