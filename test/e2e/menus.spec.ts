import { expect, type Page, test } from '@playwright/test';
import type { DesktopApi } from '../../preload/desktop-api.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { draftText, makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { chooseMenu, menuLines } from './support/menu.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

const DRAFT = 'version: v1\nagent:\n  name: desk\n  system_prompt: Answer.\n';

const placeOf = (page: Page): string => new URL(page.url()).hash.slice(1).replace(/\?.*$/, '');

async function offered(desktop: Desktop): Promise<string[]> {
  const lines = await menuLines(desktop.app);
  return lines.filter(({ enabled }) => enabled).map(({ id }) => id);
}

/** The ids of commands that the page was told since it was asked to note them. */
async function noteCommands(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: string[] = [];
    const bridge = (
      window as { specwright?: { onCommand(listener: (id: string) => void): unknown } }
    ).specwright;
    bridge?.onCommand((id) => noted.push(id));
    Object.assign(window, { noted });
  });
}

function noted(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { noted = [] } = window as { noted?: string[] };
    return noted.splice(0);
  });
}

/** The size of the window is the shell's to change: the page is told nothing of it. */
async function expectZooms({ app, page }: Desktop): Promise<void> {
  const zoom = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor(),
    );
  const steps = [
    ['Zoom out', 0.9],
    ['Zoom in', 1],
    ['Zoom in', 1.1],
    ['Actual size', 1],
  ] as const;
  for (const [label, factor] of steps) {
    await chooseMenu(app, 'View', label);
    await expect.poll(zoom).toBeCloseTo(factor, 2);
  }
  expect(await noted(page)).toEqual([]);
}

/** Items that lead to a place, and the address of each. */
const PLACES: readonly (readonly [string, string])[] = [
  ['Runs', '/runs'],
  ['Tasks', '/tasks'],
  ['Operate', '/operate'],
  ['Failures', '/operate/failures'],
  ['Launch a spec', '/operate/launch'],
  ['Policies', '/operate/policies'],
  ['Audit', '/operate/audit'],
  ['Health', '/operate/health'],
  ['Webhooks', '/operate/webhooks'],
  ['Spend', '/operate/spend'],
  ['Welcome', '/'],
];

test('the menu offers what the window can do, and each item of it acts', async () => {
  const desktop = await openDesktop({ folder: folder.path });
  const { page, app } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await expect.poll(() => offered(desktop)).toContain('go.runs');
  expect(await offered(desktop)).not.toContain('draft.save');
  expect(await offered(desktop)).not.toContain('run.stop');

  for (const [label, place] of PLACES) {
    await chooseMenu(app, 'Go', label);
    await expect.poll(() => placeOf(page)).toBe(place);
  }
  await chooseMenu(app, 'Go', 'Back');
  await expect.poll(() => placeOf(page)).toBe('/operate/spend');

  // What a view can do comes with the view and goes with it.
  await makeDraft(desktop, 'menu', DRAFT);
  await openDraft(page, 'menu');
  await expect.poll(() => offered(desktop)).toContain('draft.save');
  await typeAtEnd(page, '# by the menu');
  await chooseMenu(app, 'File', 'Save');
  await expect(page.getByTestId('status-bar')).toContainText('Saved');
  expect(await draftText(page)).toContain('# by the menu');

  // What is offered here is what the window hears, every item of it.
  const lines = await menuLines(app);
  const here = lines.filter(({ enabled, menu }) => enabled && menu === 'View');
  expect(here.length).toBeGreaterThan(6);
  await noteCommands(page);
  for (const { id, menu, label } of here.filter(({ id }) => !id.startsWith('view.zoom-'))) {
    await chooseMenu(app, menu, label);
    await expect.poll(() => noted(page)).toEqual([id]);
  }
  await expectZooms(desktop);
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  await chooseMenu(app, 'View', 'Theme of the system');

  await chooseMenu(app, 'Go', 'Runs');
  await expect.poll(() => offered(desktop)).not.toContain('draft.save');

  // Projects that were open stand under File, and lead back.
  const [recent = ''] = await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((one) => one.submenu?.items ?? []);
    const list = items?.find(({ label }) => label === 'Open recent');
    return list?.submenu?.items.map(({ label }) => label) ?? [];
  });
  await chooseMenu(app, 'File', 'Open recent', recent);
  await expect.poll(() => placeOf(page)).toMatch(/^\/projects\//);

  // With two windows it is the one used last that is told.
  const opening = app.waitForEvent('window');
  await chooseMenu(app, 'File', 'New window');
  const second = await opening;
  await expect(second.getByTestId('welcome')).toBeVisible({ timeout: 30_000 });

  await expect.poll(() => offered(desktop)).toContain('app.about');
  await chooseMenu(app, 'Help', 'About Specwright');
  await expect(second.getByText(/Electron \d+.*Chromium \d+.*Node \d+/)).toBeVisible();
  await expect(second.getByText(/platform \d+, dashboard \d+, studio \d+/)).toBeVisible();
  expect(placeOf(page)).toMatch(/^\/projects\//);
  await desktop.close();
});

test('the menu shows the keys of the window used last, whichever told its keys last', async () => {
  const own = scratchFolder();
  const desktop = await openDesktop({ folder: own.path });
  const { page, app } = desktop;
  await desktop.ready();
  const tell = (one: Page, keys: Record<string, string>) =>
    one.evaluate((changed) => {
      const shell = (window as unknown as { specwright: Pick<DesktopApi, 'setShortcuts'> })
        .specwright;
      return shell.setShortcuts(changed);
    }, keys);
  const keysOfSave = () =>
    app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('draft.save')?.accelerator,
    );
  /** Goes to a window as a person does by a click on it. */
  const use = (one: Page) =>
    app.browserWindow(one).then((handle) => handle.evaluate((window) => window.focus()));

  await tell(page, { 'draft.save': 'mod+J' });
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+J');
  const opening = app.waitForEvent('window');
  await chooseMenu(app, 'File', 'New window');
  const second = await opening;
  await expect(second.getByTestId('welcome')).toBeVisible({ timeout: 30_000 });
  await use(second);
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+S');

  // A window on other services has other keys; what it tells from behind changes nothing on screen.
  await tell(second, { 'draft.save': 'mod+L' });
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+L');
  await use(page);
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+J');
  await tell(second, { 'draft.save': 'mod+U' });
  await page.waitForTimeout(300);
  expect(await keysOfSave()).toBe('CmdOrCtrl+J');
  await use(second);
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+U');
  await second.close();
  await expect.poll(keysOfSave).toBe('CmdOrCtrl+J');
  await desktop.close();
  own.remove();
});

test('About says versions, schemas and where the data is', async () => {
  const desktop = await openDesktop({ folder: folder.path });
  const { page, app } = desktop;
  await desktop.ready();
  await expect.poll(() => offered(desktop)).toContain('app.about');
  for (const other of app.windows()) {
    if (other !== page) await other.close();
  }
  await chooseMenu(app, 'Help', 'About Specwright');
  await expect(page.getByText(/Node \d+/).first()).toBeVisible();
  const asked = app.evaluate(({ shell }) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    shell.openPath = (folder) => {
      resolve(folder);
      return Promise.resolve('');
    };
    return promise;
  });
  await page.getByRole('button', { name: 'Open', exact: true }).last().click();
  expect(await asked).toBe(folder.path);
  await checkLooks(desktop, 'about');
  await desktop.close();
});
