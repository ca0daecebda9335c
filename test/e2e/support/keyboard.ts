import { expect, type Locator, type Page } from '@playwright/test';

/** Counts what a person presses with the mouse from now on, until the page is loaded again. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset['pressed'] = '0';
    const count = (): void => {
      const { dataset } = document.documentElement;
      dataset['pressed'] = String(Number(dataset['pressed']) + 1);
    };
    addEventListener('pointerdown', count, { capture: true });
  });
  return async () =>
    Number(await page.evaluate(() => document.documentElement.dataset['pressed'] ?? 'none'));
}

/** Presses one key until something has the keyboard; fails when that takes more than `most`. */
export async function pressUntil(page: Page, key: string, goal: Locator, most: number) {
  await expect(goal).toBeVisible();
  for (let pressed = 0; pressed <= most; pressed += 1) {
    if (await goal.evaluate((one) => one.contains(document.activeElement))) return;
    await page.keyboard.press(key);
  }
  const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`${most} times ${key} lead to ${where}, not to ${goal.toString()}`);
}

/** Runs a command of the palette by what it is called. */
export async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(title);
  const first = page.locator('[data-action][data-selected]').first();
  await expect(first).toContainText(title);
  await page.keyboard.press('Enter');
  await expect(first).toBeHidden();
}
