import type { Locator, Page } from '@playwright/test';
import { command, pressUntil } from './keyboard.ts';

/** How somebody works: with the mouse too, or by keyboard alone. */
export interface Hands {
  /** Presses a button, a link or a node. */
  press(goal: Locator): Promise<void>;
  /** Goes into a field, or onto a handle. */
  enter(goal: Locator): Promise<void>;
  /** Goes into the text of the draft that is open. */
  toText(): Promise<void>;
  /** Opens the history of the draft that is open. */
  toHistory(): Promise<void>;
  /** Composes the draft that is open with overlays. */
  toComposing(): Promise<void>;
  /** Freezes what is composed. */
  freeze(): Promise<void>;
  /** Asks for the export of the artifact that is open. */
  toExport(): Promise<void>;
}

/** The mouse for what is seen, keys for what is typed. */
export function bothHands(page: Page): Hands {
  const press = (goal: Locator) => goal.click();
  const byId = (id: string) => press(page.getByTestId(id));
  return {
    press,
    enter: press,
    toText: () => press(page.locator('.monaco-editor .view-lines').first()),
    toHistory: async () => {
      await byId('draft-menu');
      await byId('draft-history');
    },
    toComposing: async () => {
      await byId('create-artifact');
      await byId('compose-instead');
    },
    freeze: () => byId('freeze'),
    toExport: () => byId('export-artifact'),
  };
}

const MOST_TABS = 60;
const MOST_PARTS = 12;

/** Tab, F6, Enter, the palette and shortcuts. */
export function keyboardAlone(page: Page): Hands {
  const text = page.locator('.monaco-editor').first();
  const enter = async (goal: Locator) => {
    // Tab is a character of a text; F6 leaves it.
    const inText = await page.evaluate(
      () => document.activeElement?.closest('.monaco-editor') !== null,
    );
    if (inText) await page.keyboard.press('F6');
    await pressUntil(page, 'Tab', goal, MOST_TABS);
  };
  return {
    press: async (goal) => {
      await enter(goal);
      await page.keyboard.press('Enter');
    },
    enter,
    toText: () => pressUntil(page, 'F6', text, MOST_PARTS),
    toHistory: () => command(page, 'History of this draft'),
    toComposing: () => command(page, 'Compose this draft with overlays'),
    freeze: () => page.keyboard.press('Control+Shift+Enter'),
    toExport: () => page.keyboard.press('Control+Shift+e'),
  };
}
