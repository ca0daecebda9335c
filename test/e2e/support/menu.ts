import { type ElectronApplication, expect } from '@playwright/test';

/** An item of the native menu as the system has it. */
export interface MenuLine {
  readonly id: string;
  readonly menu: string;
  readonly label: string;
  readonly enabled: boolean;
}

/** The items that are commands. */
export function menuLines(app: ElectronApplication): Promise<MenuLine[]> {
  return app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap((menu) =>
      (menu.submenu?.items ?? [])
        .filter(({ id }) => id?.includes('.'))
        .map(({ id, label, enabled }) => ({ id, menu: menu.label, label, enabled })),
    ),
  );
}

function chosen(app: ElectronApplication, words: readonly string[]): Promise<void> {
  return app.evaluate(({ BrowserWindow, Menu }, wanted) => {
    let items = Menu.getApplicationMenu()?.items ?? [];
    for (const [at, word] of wanted.entries()) {
      const item = items.find(({ label }) => label === word);
      if (item === undefined) throw new Error(`the menu has no ${wanted.join(' > ')}`);
      if (at === wanted.length - 1) {
        if (!item.enabled) throw new Error(`${wanted.join(' > ')} cannot be chosen now`);
        const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
        item.click(undefined, window, undefined);
      }
      items = item.submenu?.items ?? [];
    }
  }, words);
}

/** Chooses an item of the native menu by the words on it. */
export function chooseMenu(app: ElectronApplication, ...words: string[]): Promise<void> {
  // A window says what it can do a moment after it is drawn.
  return expect(() => chosen(app, words)).toPass({ timeout: 5000 });
}
