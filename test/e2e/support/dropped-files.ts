import { expect, type Page } from '@playwright/test';

const MIDDLE = { x: 500, y: 400 };

/** Drops files or folders of this computer on a place of the window, as the system does. */
export async function dropFiles(
  page: Page,
  ...dropped: [at: { readonly x: number; readonly y: number }, ...files: string[]] | string[]
): Promise<void> {
  const [first, ...others] = dropped;
  const at = typeof first === 'object' ? first : MIDDLE;
  const files = typeof first === 'string' ? [first, ...others] : others;
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: files.map(String), dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
    if (type === 'dragOver') await expect(page.getByTestId('drop-overlay')).toBeVisible();
  }
  await session.detach();
}
