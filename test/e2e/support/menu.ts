import type { ElectronApplication } from '@playwright/test';

/** Chooses an item of the native menu by the words on it. */
export function chooseMenu(app: ElectronApplication, ...words: string[]): Promise<void> {
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
