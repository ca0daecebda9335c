import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

/** A real export with 83 gaps in 50 elements. */
const MANY = path.resolve(import.meta.dirname, '../fixtures/public-n8n/096.json');

async function importInto(desktop: Desktop, file: string): Promise<Page> {
  const { page } = desktop;
  await expect(page.getByTestId('import-workflow').first()).toBeEnabled();
  await desktop.chooseFiles(file);
  await page.getByTestId('import-workflow').first().click();
  await page.getByTestId('open-gaps').first().click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.locator('.sw-source-node').first().waitFor();
  return page;
}

/** The keys of the page act while nothing is typed into. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await page.getByRole('heading', { name: 'Gaps', level: 1 }).focus();
  for (const key of keys) await page.keyboard.press(key);
}

async function withDesktop(work: (desktop: Desktop, folder: ScratchFolder) => Promise<void>) {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  await desktop.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await work(desktop, folder);
  await desktop.close();
  folder.remove();
}

test('gaps, the source’s own canvas and the draft are linked both ways', async () => {
  await withDesktop(async (desktop) => {
    const page = await importInto(desktop, MANY);
    await expect(page.locator('.sw-gap-drawings .sw-node').first()).toBeAttached();
    await page.waitForTimeout(500);
    await keepScreen(page, 'gaps-01-first');
    const progress = page.getByTestId('gap-progress');
    await expect(progress).toContainText(/fix \d+ blocking gaps?/);

    // The same cause in many nodes is one line with a count; all of its nodes are marked.
    await expect(page.getByTestId('cause-card')).toBeVisible();
    await expect(page.locator('.sw-source-node[data-active="true"]').first()).toBeVisible();

    // From the list to both drawings.
    await press(page, 'o', 'j');
    await expect(page.getByTestId('gap-card')).toBeVisible();
    await expect(page.locator('.sw-source-node[data-active="true"]')).toHaveCount(1);
    await expect(page.locator('.sw-node[data-active="true"]').first()).toBeVisible();
    await expect(page.locator('.sw-draft-lines')).toBeVisible();
    await page.waitForTimeout(300);
    await keepScreen(page, 'gaps-02-chosen');

    // From the source to the list.
    const label = await page.evaluate(() => {
      const marked = [...document.querySelectorAll<HTMLElement>('.react-flow__node')].find((node) =>
        node.querySelector('.sw-source-node[data-mark="blocking"][data-active="false"]'),
      );
      marked?.click();
      return marked?.getAttribute('aria-label') ?? '';
    });
    await expect(page.getByTestId('gap-card')).toContainText(label.split(',')[0] ?? '?');
    await expect(page.locator('.sw-gap-main[aria-current="true"]')).toBeVisible();
    expect(label).toMatch(/blocking gap/);

    // By keyboard inside the drawing.
    await page.locator('.react-flow__node[tabindex="0"]').first().focus();
    const before = await page.locator('.sw-source-node[data-active="true"]').first().innerText();
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('.sw-source-node[data-active="true"]')).not.toHaveText(before);
  });
});

/** A workflow whose gaps can all be settled: two elements of one kind, an agent without a model. */
function smallWorkflow(folder: string): string {
  const file = path.join(folder, 'orders.json');
  const node = (id: number, name: string, type: string, parameters: object) => ({
    id: `5d0c5f5e-0a7e-4d62-9f0e-1f5b8f1b000${id}`,
    name,
    type,
    typeVersion: 1,
    position: [id * 220, id % 2 === 0 ? 0 : 60],
    parameters,
  });
  const nodes = [
    node(1, 'New order', 'n8n-nodes-base.webhook', { path: 'orders' }),
    node(2, 'Get order', 'n8n-nodes-base.acmeShop', { resource: 'order' }),
    node(3, 'Get customer', 'n8n-nodes-base.acmeShop', { resource: 'customer' }),
    node(4, 'Write answer', '@n8n/n8n-nodes-langchain.agent', {
      options: { systemMessage: 'Be kind.' },
    }),
  ];
  const names = nodes.map(({ name }) => name);
  const connections = Object.fromEntries(
    names
      .slice(0, -1)
      .map((name, index) => [
        name,
        { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
      ]),
  );
  writeFileSync(file, JSON.stringify({ name: 'Orders', nodes, connections }));
  return file;
}

function findDraft(folder: string, name: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith(`drafts/${name}`),
  );
  if (found === undefined) throw new Error(`${name} is not on the disk`);
  return path.join(folder, found);
}

test('an edit is reviewed before it is made, then undone; gaps of one cause are settled together', async () => {
  await withDesktop(async (desktop, folder) => {
    const page = await importInto(desktop, smallWorkflow(folder.path));
    const draft = findDraft(folder.path, 'orders.yaml');
    const imported = readFileSync(draft, 'utf8');
    await expect(page.getByTestId('cause-card')).toContainText('acmeShop');

    // The review shows the edit; a draft that changed meanwhile is never overwritten.
    await press(page, 'f');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByTestId('fix-store')).toBeDisabled();
    await page.getByTestId('fix-field-function').fill('shop.read');
    await expect(page.getByTestId('diff-view')).toContainText('implementation: shop.read');
    await keepScreen(page, 'gaps-03-review');
    writeFileSync(draft, `# by hand\n${imported}`);
    await page.getByTestId('fix-store').click();
    await expect(page.getByTestId('fix-moved')).toBeVisible();
    await expect(page.getByTestId('diff-view')).toContainText('implementation: shop.read');
    expect(readFileSync(draft, 'utf8')).toBe(`# by hand\n${imported}`);
    await keepScreen(page, 'gaps-04-moved');
    await page.getByTestId('fix-store').click();
    await expect(page.getByRole('dialog')).toBeHidden();
    const fixed = readFileSync(draft, 'utf8');
    expect(fixed.match(/implementation: shop\.read/g)).toHaveLength(2);
    expect(fixed.startsWith('# by hand\n')).toBe(true);

    // Undone and made again.
    await press(page, 'z');
    await expect.poll(() => readFileSync(draft, 'utf8')).toBe(`# by hand\n${imported}`);
    await press(page, 'f');
    await page.getByTestId('fix-field-function').fill('shop.read');
    await page.getByTestId('fix-store').click();
    await expect(page.getByRole('dialog')).toBeHidden();

    // Both gaps of the cause, after a confirmation; one back, one again.
    await press(page, 't');
    await expect(page.getByTestId('settle-dialog')).toContainText('Get customer');
    await keepScreen(page, 'gaps-05-attest');
    await page.getByTestId('settle-confirm').click();
    await expect(page.getByRole('dialog')).toBeHidden();
    const progress = page.getByTestId('gap-progress');
    await expect(progress).toContainText('attest 1 blocking gap');
    await expect(page.locator('.sw-source-node[data-mark="settled"]')).toHaveCount(2);
    await press(page, 'o', 'j', 'r');
    await expect(progress).toContainText('attest 2 blocking gaps');
    await press(page, 'z');
    await expect(progress).toContainText('attest 1 blocking gap');

    // A later edit lets attestations lapse, and the page says so.
    writeFileSync(draft, `${readFileSync(draft, 'utf8')}# later\n`);
    await page.reload();
    await expect(progress).toContainText('attest 2 again');
    await press(page, 't');
    await page.getByTestId('settle-confirm').click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(progress).not.toContainText('again');
    await press(page, 'n', 't');
    await expect(progress).not.toContainText('blocking');

    // The rest is acknowledged for an artifact.
    await press(page, 'n');
    await page.getByTestId('create-artifact').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^create/i })
      .click();
    await expect(page.getByRole('dialog')).toBeHidden();
    for (let left = 8; left > 0 && !/No gap blocks/.test(await progress.innerText()); left -= 1) {
      await press(page, 'a');
      const confirm = page.getByTestId('settle-confirm');
      const asked = confirm.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
      if (await asked) await confirm.click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await press(page, 'n');
    }
    await expect(progress).toContainText('No gap blocks export');
    await keepScreen(page, 'gaps-06-done');
  });
});

/** A workflow of many elements in rows, each of a kind that no rule knows: one blocking gap each. */
function wideWorkflow(folder: string, count: number): string {
  const file = path.join(folder, `wide-${count}.json`);
  const name = (index: number): string =>
    index % 50 === 7
      ? `Element ${index} with a name that goes on for longer than any canvas would ever want to show it`
      : `Element ${index}`;
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    name: name(index),
    type: index === 0 ? 'n8n-nodes-base.webhook' : `n8n-nodes-base.app${index % 7}`,
    typeVersion: 1,
    position: [(index % 40) * 220, Math.floor(index / 40) * 180],
    parameters: {},
  }));
  const connections = Object.fromEntries(
    nodes
      .slice(0, -1)
      .map((node, index) => [
        node.name,
        { main: [[{ node: name(index + 1), type: 'main', index: 0 }]] },
      ]),
  );
  writeFileSync(file, JSON.stringify({ name: 'Wide', nodes, connections }));
  return file;
}

/** The longest time between two frames while the page works, in milliseconds. */
async function longestFrame(page: Page, work: () => Promise<void>): Promise<number> {
  const stop = await page.evaluateHandle(() => {
    let last = performance.now();
    let longest = 0;
    let on = true;
    const tick = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    return () => {
      on = false;
      return longest;
    };
  });
  await work();
  return stop.evaluate((end) => end());
}

test('hundreds of gaps and a thousand elements: only what is in view is drawn', async () => {
  await withDesktop(async (desktop, folder) => {
    const page = await importInto(desktop, wideWorkflow(folder.path, 1000));
    await expect(page.getByTestId('gap-progress')).toContainText('of 1000 settled');
    await page.waitForTimeout(800);
    await keepScreen(page, 'gaps-07-thousand');
    // Of the elements of a cause, one at least is in view.
    await press(page, 'j', 'j', 'j');
    const active = page.locator('.sw-source-node[data-active="true"]');
    await expect(active.first()).toBeInViewport({ ratio: 0.99 });
    await press(page, 'k', 'k', 'k');
    // Unfolded, a cause has 143 gaps; a line that is out of view is not drawn.
    await press(page, 'o', 'j');
    expect(await page.locator('.sw-gap-row').count()).toBeLessThan(60);
    const down = await longestFrame(page, () => press(page, ...Array(40).fill('j')));
    await expect(page.locator('.sw-gap-main[aria-current="true"]')).toBeVisible();
    await expect(page.locator('.sw-source-node[data-active="true"]')).toBeVisible();
    const box = await page.getByTestId('source-canvas').boundingBox();
    if (box === null) throw new Error('no canvas');
    const pan = await longestFrame(page, async () => {
      await page.mouse.move(box.x + 200, box.y + 160);
      await page.mouse.down();
      await page.mouse.move(box.x + 40, box.y + 60, { steps: 30 });
      await page.mouse.up();
      for (let i = 0; i < 12; i += 1) await page.mouse.wheel(0, 200);
    });
    test.info().annotations.push({
      type: 'longest frame',
      description: `keys ${Math.round(down)} ms, pan and zoom ${Math.round(pan)} ms`,
    });
    await keepScreen(page, 'gaps-08-thousand-panned');
    await page.getByTestId('gap-search').fill('longer than any');
    await expect(
      page.getByTestId('cause-row').or(page.locator('[data-gap]')).first(),
    ).toBeVisible();
    await page.getByTestId('gap-search').fill('nothing like this');
    await expect(page.getByTestId('empty-state')).toContainText('No gap fits');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the gap page has no violation of WCAG 2.2 AA at both sizes, ${colorScheme}`, async () => {
    const folder = scratchFolder();
    const headless = await serveHeadless({ folder: folder.path });
    const browser = await openChromium();
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(headless.link);
    await expect(page.getByTestId('import-workflow').first()).toBeEnabled();
    const chooser = page.waitForEvent('filechooser');
    await page.getByTestId('import-workflow').first().click();
    await (await chooser).setFiles(MANY);
    await page.getByTestId('open-gaps').first().click();
    await page.locator('.sw-source-node').first().waitFor();
    const keep = async (name: string): Promise<void> => {
      await page.waitForTimeout(400);
      await keepScreen(page, `gaps-${colorScheme}-${name}`);
    };
    const check = async (name: string): Promise<void> => {
      await keep(name);
      await expectAccessible(page, name);
    };
    await keep('wide');
    await press(page, 'o', 'j', 'j');
    await check('wide-gap');
    await page.setViewportSize({ width: 1024, height: 700 });
    await check('small-gap');
    await page.getByTestId('drawing-view').getByText('Draft').click();
    await keep('small-draft');
    await press(page, 'f');
    await page.getByTestId('fix-name_function').check();
    await page.getByTestId('fix-field-function').fill('web.call');
    await expect(page.getByTestId('diff-view')).toBeVisible();
    await check('small-fix');
    await page.keyboard.press('Escape');
    await browser.close();
    await headless.stop();
    folder.remove();
  });
}
