import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { violationsOf } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { openDraft, typeAtEnd } from './support/editor.ts';
import { addressesOf, fillWorkbench, goTo } from './support/every-page.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { lostOn } from './support/lost-text.ts';
import { menuLines } from './support/menu.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

test.describe.configure({ timeout: 300_000 });

const folder = scratchFolder();
let headless: Headless;
let browser: Browser;
let pages: ReturnType<typeof addressesOf>;
let session: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

test.beforeAll(async () => {
  headless = await serveHeadless({ folder: folder.path });
  browser = await openChromium();
  pages = addressesOf(await fillWorkbench(headless));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(headless.link);
  await expect(page.getByRole('main')).toBeVisible();
  session = await context.storageState();
  await context.close();
});
test.afterAll(async () => {
  await browser.close();
  await headless.stop();
  folder.remove();
});

/** A page of a person who sees it in this way. */
async function openPage(look: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...{ reducedMotion: 'reduce', viewport: { width: 1024, height: 700 } },
    ...look,
    storageState: session,
  });
  const page = await context.newPage();
  await page.goto(`${headless.urls.gateway}/`);
  await expect(page.getByRole('main')).toBeVisible();
  return page;
}

test('at twice and at half the size nothing of any page is lost, and no heading breaks in a word', async () => {
  const found: string[] = [];
  // What a window of 1024×700 has room for at 200 %, and at 50 %.
  const sizes: readonly [width: number, height: number, names: readonly string[]][] = [
    [512, 350, Object.keys(pages)],
    [2048, 1400, Object.keys(pages)],
  ];
  for (const [width, height, names] of sizes) {
    const page = await openPage({ viewport: { width, height } });
    for (const [name, path] of Object.entries(pages)) {
      if (!names.includes(name)) continue;
      await goTo(page, path);
      found.push(...(await lostOn(page)).map((lost) => `${name} ${width}: ${lost}`));
    }
    await page.context().close();
  }
  expect(found).toEqual([]);
});

/** Buttons that lie on one another or on words. */
function overlapsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('main button, main a, main p, main .sw-faint')]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ one, boxes: [...one.getClientRects()] }));
    return boxes.flatMap(({ one, boxes: mine }, at) =>
      boxes
        .slice(at + 1)
        .filter(
          ({ one: other, boxes: theirs }) =>
            !one.contains(other) &&
            mine.some((a) =>
              theirs.some(
                (b) =>
                  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1,
              ),
            ),
        )
        .map(({ one: other }) => `“${one.textContent}” on “${other.textContent}”`),
    );
  });
}

for (const [locale, colorScheme] of [
  ['en-US', 'light'],
  ['de-DE', 'dark'],
  ['zh-CN', 'light'],
] as const) {
  test(`the start page is whole at 1024×700, at half and at twice the size (${locale})`, async () => {
    const found: string[] = [];
    for (const [width, height] of [
      [1024, 700],
      [2048, 1400],
      [683, 467],
      [512, 350],
    ] as const) {
      const page = await openPage({ locale, colorScheme, viewport: { width, height } });
      await goTo(page, pages.welcome);
      await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));
      await keepScreen(page, `access-welcome-${locale}-${width}`);
      const lost = [...(await overlapsOn(page)), ...(await lostOn(page))];
      found.push(...lost.map((one) => `${width}: ${one}`));
      await page.context().close();
    }
    expect(found).toEqual([]);
  });
}

test('beside the text of a small window, views and tools of the graph have a line each', async () => {
  const page = await openPage({});
  await goTo(page, pages.draft);
  await expect(page.getByTestId('graph-redo')).toBeVisible();
  for (const line of ['.sw-side-head', '.sw-graph-tools']) {
    const tops = await page
      .locator(`${line} button, ${line} [data-testid="side-view"]`)
      .evaluateAll((all) =>
        all.map((one) => {
          const { top, height } = one.getBoundingClientRect();
          return Math.round((top + height / 2) / 10);
        }),
      );
    expect(new Set(tops).size).toBe(1);
  }
  await keepScreen(page, 'access-editor-en');
  await page.context().close();
});

test('the editor, the ledger and an artifact are whole in German at 1024×700', async () => {
  const page = await openPage({ locale: 'de-DE', colorScheme: 'dark' });
  await goTo(page, pages.draft);
  const views = page.getByTestId('side-view');
  await expect(views).toContainText('Vorschau');
  const side = await page.locator('.sw-side-head').boundingBox();
  const box = await views.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
    (side?.x ?? 0) + (side?.width ?? 0),
  );
  const cut = await views
    .locator('label')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  await expect(page.getByTestId('graph-redo')).toBeVisible();
  const tops = await page
    .locator('.sw-graph-tools button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await keepScreen(page, 'access-editor-de');
  await goTo(page, pages.ledger);
  await expect(page.locator('td .sw-badge').first()).toBeVisible();
  const over = await page
    .locator('td .sw-badge')
    .evaluateAll((all) =>
      all
        .filter(
          (one) =>
            one.getBoundingClientRect().right >
            (one.closest('td')?.getBoundingClientRect().right ?? 0),
        )
        .map((one) => one.textContent),
    );
  expect(over).toEqual([]);
  await goTo(page, pages.artifact);
  await expect(page.getByText('unbekannt', { exact: true })).toBeVisible();
  await page.context().close();
});

/** The line around an element, as the window draws it. */
function lineOf(page: Page, selector: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((one) => getComputedStyle(one).outlineStyle);
}

const SEEN = ['overview', 'runs', 'run', 'tasks', 'gaps', 'draft', 'policies', 'settings'] as const;

for (const [what, look] of [
  ['forced colours', { forcedColors: 'active' }],
  ['more contrast', { contrast: 'more', colorScheme: 'dark' }],
] as const) {
  test(`under ${what} what is chosen has a line, and WCAG 2.2 AA holds`, async () => {
    const page = await openPage(look);
    const found: string[] = [];
    for (const name of SEEN) {
      await goTo(page, pages[name]);
      await page.waitForTimeout(200);
      await keepScreen(page, `access-${what.replace(' ', '-')}-${name}`);
      found.push(...(await violationsOf(page, `${name}:`)));
      expect(await lineOf(page, '.sw-rail a[aria-current="page"]')).toBe('solid');
      expect(await lineOf(page, '.sw-rail a:not([aria-current])')).toBe('none');
    }
    expect(found).toEqual([]);
    // A switch says by its ground whether it is on, also where the system takes grounds away.
    await goTo(page, pages.policies);
    const tracks = page.locator('.mantine-Switch-input + .mantine-Switch-track');
    const grounds = await tracks.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).backgroundColor),
    );
    expect(new Set(grounds).size).toBe(2);
    await goTo(page, pages.draft);
    await expect(page.locator('.monaco-editor').first()).toHaveClass(/\bhc-(?:black|light)\b/);
    // The keyboard is seen wherever it is.
    await page.locator('.sw-rail a').first().focus();
    await page.keyboard.press('Tab');
    const ring = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(
        document.activeElement ?? document.body,
      );
      return `${outlineStyle} ${outlineWidth}`;
    });
    expect(ring).toBe('solid 3px');
    await page.context().close();
  });
}

test('more contrast is chosen in the settings, and nothing moves for who asked for less motion', async () => {
  const page = await openPage({});
  await goTo(page, pages.settings);
  await page.getByRole('radiogroup', { name: 'Contrast' }).getByText('More').click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more');
  await page.getByRole('radiogroup', { name: 'Contrast' }).getByText('System').click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'usual');
  const moving = (): Promise<string[]> =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
        .map(({ effect }) =>
          effect instanceof KeyframeEffect ? String(effect.target?.className) : '',
        ),
    );
  for (const name of ['runs', 'overview', 'draft', 'run', 'gaps'] as const) {
    await goTo(page, pages[name]);
    expect(await moving(), name).toEqual([]);
    await page.keyboard.press('Control+k');
    expect(await moving(), `${name}, palette`).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.context().close();
});

test('the main job is told in words: names, roles, tables, tree, drawing and what changes', async () => {
  const page = await openPage({});
  const main = page.getByRole('main');
  await goTo(page, pages.importResult);
  await expect(main.getByRole('heading', { level: 1, name: 'Imported workflow' })).toBeVisible();
  await goTo(page, pages.gaps);
  await expect(page.getByRole('status').filter({ hasText: 'settled' })).toBeVisible();
  await expect(
    main.getByRole('searchbox').or(main.getByRole('textbox', { name: 'Search gaps' })),
  ).toBeVisible();

  await openDraft(page, 'desk');
  const files = page.getByRole('tree').getByRole('treeitem', { name: /desk/ });
  await expect(files.first()).toHaveAttribute('aria-level', '2');
  const drawing = page.getByTestId('graph').locator('.react-flow').first();
  await expect(drawing).toHaveAccessibleDescription(/1 step, 0 edges/);
  const told = page.getByTestId('announcer');
  await expect(told).toHaveAttribute('aria-live', 'polite');
  await expect(page.getByTestId('status-analysis')).toHaveText('Checked');
  await typeAtEnd(page, 'bogus: 1');
  await expect(told).toHaveText(/1 error/);
  await page.keyboard.press('Control+s');
  await expect(told).toHaveText('Saved');

  await goTo(page, pages.runs);
  await expect(main.getByRole('columnheader', { name: 'Status' })).toBeVisible();
  await expect(main.getByRole('row', { name: /failed/ })).toBeVisible();
  await goTo(page, pages.tasks);
  await expect(main.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible();
  await main.getByTestId('decide-approved').click();
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: /approve/i })
      .first(),
  ).toBeVisible();
  await goTo(page, pages.artifact);
  await main
    .getByTestId('artifact-run')
    .or(main.getByRole('button', { name: 'Run' }))
    .first()
    .click();
  await expect(page.getByRole('dialog')).toHaveAccessibleName(/\w/);
  await page.context().close();
});

test('keys and size are changed in the window, shown by menu and help, and kept', async () => {
  const own = scratchFolder();
  const desktop = await openDesktop({ folder: own.path });
  const { page, app } = desktop;
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await page.keyboard.press('Control+Comma');
  await page.getByTestId('key-search').fill('toggle bottom panel');
  await page.getByRole('button', { name: 'Change the keys of Toggle bottom panel' }).click();
  await expect(page.getByTestId('record-keys')).toBeFocused();
  await page.keyboard.press('Control+Alt+p');
  await keepScreen(page, 'access-record-keys');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('keys-view.panel')).toContainText('Ctrl+Alt+P');
  const accelerator = () =>
    app.evaluate(({ Menu }) => {
      const views = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'View');
      return String(views?.submenu?.items.find(({ id }) => id === 'view.panel')?.accelerator);
    });
  await expect.poll(accelerator).toBe('CmdOrCtrl+Alt+P');
  expect((await menuLines(app)).length).toBeGreaterThan(80);
  await page.getByTestId('wordmark').focus();
  await page.keyboard.press('Control+Alt+p');
  await expect(page.getByTestId('bottom-panel')).toBeVisible();
  await page.keyboard.press('Control+j');
  await expect(page.getByTestId('bottom-panel')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByTestId('keys')).toContainText('Ctrl+Alt+P');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('keys')).toHaveCount(0);
  await page.getByTestId('single-keys').press('Space');
  await expect(page.getByTestId('single-keys')).not.toBeChecked();
  await page.keyboard.press('?');
  await expect(page.getByTestId('keys')).toHaveCount(0);

  const factor = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.zoomFactor);
  await page.keyboard.press('Control+Equal');
  await expect.poll(factor).toBeCloseTo(1.1, 5);
  await page.keyboard.press('Control+0');
  await expect.poll(factor).toBe(1);
  await page.getByTestId('zoom').selectOption('200');
  await expect.poll(factor).toBe(2);
  await desktop.close();

  const again = await openDesktop({ folder: own.path });
  await again.ready();
  await expect(again.page.getByRole('main')).toBeVisible();
  await expect
    .poll(() =>
      again.app.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.zoomFactor,
      ),
    )
    .toBe(2);
  await again.close();
  own.remove();
});
