import { expect, type Page } from '@playwright/test';

/** Drops files or folders of this computer on the middle of the window, as the system does. */
export async function dropFiles(page: Page, ...files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data });
    if (type === 'dragOver') await expect(page.getByTestId('drop-overlay')).toBeVisible();
  }
  await session.detach();
}
