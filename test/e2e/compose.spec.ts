import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { Desktop } from './support/desktop.ts';
import { type FolderWindow, openFolder, showTree } from './support/folder-window.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

test.describe.configure({ mode: 'serial' });

const BASE = `version: v1
# The front desk
agent: {name: desk, system_prompt: Lead.}
workflow:
  type: sequential
  steps:
    - {id: sort, kind: agent, ref: sorter}
    - {id: reply, kind: agent, ref: writer}
components:
  agents:
    sorter: {name: sorter, system_prompt: Sort the mail., model: {provider: openai, name: gpt-5-mini}}
    writer: {name: writer, system_prompt: Be friendly., model: {provider: openai, name: gpt-5-mini}}
`;
const EU = 'components: {agents: {writer: {system_prompt: Write in French.}}}\n';

let world: FolderWindow;
let desktop: Desktop;
let page: Page;
let root: string;

test.beforeAll(async () => {
  world = await openFolder({ 'desk.yaml': BASE, 'layers/eu.yaml': EU });
  ({ desktop, page, root } = world);
});

test.afterAll(() => world.close());

const composed = () => page.getByTestId('composed-text');
const line = (text: string) => composed().locator('li', { hasText: text });

test('layers are made, ordered by keyboard and seen together, with the origin of each line', async () => {
  await showTree(page);
  await page.getByTestId('file-desk.yaml').click({ button: 'right' });
  await page.getByTestId('menu-add').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'desk.yaml');
  await page.getByTestId('create-artifact').click();
  await page.getByTestId('compose-instead').click();
  await expect(page.getByTestId('compose-page')).toBeVisible();
  await expect(line('name: desk')).toContainText('desk.yaml');

  // A file of the folder becomes an overlay; another one is made here.
  await page.getByTestId('add-overlay').fill('eu');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(line('Write in French.')).toHaveAttribute('title', 'eu.yaml');
  await page.getByTestId('new-overlay').click();
  await page.getByTestId('new-overlay-field').fill('Formal');
  await page.keyboard.press('Enter');
  const formal = page.getByTestId('overlay-.studio/drafts/formal.yaml');
  await expect(formal).toBeVisible();
  writeFileSync(
    path.join(root, '.studio/drafts/formal.yaml'),
    'components: {agents: {writer: {system_prompt: Be formal., tools: [search]}}}\n',
  );
  // Its file is written outside of the window; the page follows the disk.
  await expect(line('Be formal.')).toHaveAttribute('title', 'formal.yaml');

  // By keyboard: the later layer wins, so the order decides.
  await formal.locator('[data-handle]').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByTestId('layer-moved')).toHaveText('formal.yaml is overlay 1 of 2');
  await expect(formal.locator('[data-handle]')).toBeFocused();
  await expect(line('Write in French.')).toHaveAttribute('title', 'eu.yaml');
  await expect(page.getByTestId('composed-findings')).toContainText(/[1-9] finding/);
  await page.keyboard.press('Alt+ArrowDown');
  await expect(line('Be formal.')).toBeVisible();

  // Overrides go last; a value is found by its path, and checked while it is typed.
  await page.getByTestId('override-path').fill('sorter.model.name');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(line('name: gpt-5-mini').first()).toHaveAttribute('title', 'Overrides');
  await page.keyboard.type(': @');
  await expect(page.getByTestId('overrides-problem')).toBeVisible();
  await expect(page.getByTestId('freeze')).toBeDisabled();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('Backspace');
  await expect(page.getByTestId('overrides-problem')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.keyboard.type('provider: anthropic');
  await expect(line('provider: anthropic')).toHaveAttribute('title', 'Overrides');
  await expect(page.getByTestId('freeze')).toContainText('2 overlays and 2 overrides');
  await checkLooks(desktop, 'compose-text');
  await page.getByTestId('composed-findings').click();
  await expect(page.getByRole('tabpanel')).toContainText('search');
  await keepScreen(page, 'compose-findings');
  await page.getByTestId('composed-changes').click();
  await expect(page.getByTestId('change-list')).toContainText('Be formal.');
  await checkLooks(desktop, 'compose-changes');
});

test('a new version keeps overlays and overrides; versions are compared by meaning', async () => {
  await page.getByTestId('freeze').click();
  await expect(page.getByTestId('artifact-page')).toBeVisible();
  await page.getByTestId('composition-link').click();
  await expect(page.getByTestId('frozen-overrides')).toContainText('provider: anthropic');
  await expect(line('Be formal.')).toHaveAttribute('title', 'formal.yaml');
  await checkLooks(desktop, 'compose-frozen');

  // Only the base changed: the new version is made at once, of the same layers.
  writeFileSync(path.join(root, 'desk.yaml'), BASE.replace('Lead.', 'Lead well.'));
  await page.getByTestId('compare-now').click();
  await expect(page.getByTestId('change-list')).toContainText('Lead well.');
  await page.goBack();
  await page.getByTestId('composition-artifact').click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByTestId('renew-artifact').click();
  await expect(page.getByText('New version created')).toBeVisible();
  await page.getByTestId('composition-link').click();
  await expect(line('Lead well.')).toHaveAttribute('title', 'desk.yaml');
  await expect(line('provider: anthropic')).toHaveAttribute('title', 'Overrides');
  await expect(page.getByTestId('frozen-layers/eu.yaml')).toBeVisible();

  // Versions stand under their draft; the difference leads to both.
  await page.getByTestId('draft-desk.yaml').click();
  await page.getByTestId('draft-menu').click();
  await page.getByTestId('draft-versions').click();
  const versions = page.getByTestId('versions-desk.yaml');
  await expect(versions.locator('tbody tr')).toHaveCount(2);
  await expect(versions.locator('tbody tr').first()).toContainText('1 change in meaning');
  await expect(versions.locator('tbody tr').last()).toContainText('The first one');
  await checkLooks(desktop, 'compose-versions');
  await versions.getByTestId('compare-verdict').click();
  await expect(page.getByTestId('compare-versions')).toBeVisible();
  await expect(page.getByTestId('change-list')).toContainText('Lead well.');
  await checkLooks(desktop, 'compose-compare');

  // An overlay that changed is looked at first; one that is gone is written again or left out.
  writeFileSync(path.join(root, 'layers/eu.yaml'), EU.replace('French', 'German'));
  rmSync(path.join(root, '.studio/drafts/formal.yaml'));
  await page.goBack();
  await page.getByTestId('new-version-desk.yaml').click();
  await expect(page.getByTestId('compose-page')).toBeVisible();
  const eu = page.getByTestId('overlay-layers/eu.yaml');
  await eu.getByTestId('layer-changes').click();
  await expect(page.getByTestId('diff-view')).toContainText('German');
  await page.keyboard.press('Escape');
  const gone = page.getByTestId('overlay-.studio/drafts/formal.yaml');
  await expect(gone).toContainText('Not there');
  await expect(page.getByTestId('freeze')).toBeDisabled();
  await checkLooks(desktop, 'compose-gone');
  await gone.getByTestId('layer-restore').click();
  await expect(line('Be formal.')).toHaveAttribute('title', /^formal.*yaml$/);
  await page.getByTestId('freeze').click();
  await expect(page.getByTestId('artifact-page')).toBeVisible();
  await expect(page.getByTestId('artifact-page')).toContainText('formal');
});
