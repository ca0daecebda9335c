import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { dropFiles } from './support/dropped-files.ts';
import { draftText, typeAtEnd } from './support/editor.ts';
import { type FolderWindow, openFolder, showTree } from './support/folder-window.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

const spec = (name: string) => `version: v1\nagent:\n  name: ${name}\n  system_prompt: Go.\n`;

/** The window over a folder of files, with its tree open. */
async function openTree(files: Readonly<Record<string, string>>): Promise<FolderWindow> {
  const world = await openFolder(files);
  await showTree(world.page);
  return world;
}

const row = (page: Page, key: string) => page.locator(`[role="treeitem"][data-key="${key}"]`);

async function choose(page: Page, key: string, item: string): Promise<void> {
  await row(page, key).click({ button: 'right' });
  await page.getByTestId(`menu-${item}`).click();
}

test('a folder shows what is there, takes it in by one click and follows the disk', async () => {
  const world = await openTree({
    'flows/letters.yaml': spec('letters'),
    'flows/orders.yaml': spec('orders'),
    'notes/readme.md': '# Notes\n',
    'deep/er/fraud check.yaml': spec('fraud'),
    'package.json': '{}\n',
  });
  const { page, desktop, root, write } = world;
  await expect(page.getByTestId('found-text')).toContainText('3 specs in this folder');
  await expect(row(page, 'folder:flows')).toHaveAttribute('aria-expanded', 'false');
  await page.getByTestId('folder:flows').click();
  await expect(page.getByTestId('file-flows/letters.yaml')).toContainText('not added');
  await checkLooks(desktop, 'files-found');
  await page.getByTestId('add-found-specs').click();
  await expect(page.getByTestId('draft-flows/letters.yaml')).toBeVisible();
  await expect(page.getByTestId('found-specs')).toHaveCount(0);

  write('flows/new.yaml', spec('new'));
  await expect(page.getByTestId('file-flows/new.yaml')).toBeVisible();
  await choose(page, 'flows/new.yaml', 'add');
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'flows/new.yaml');

  // A file that is gone says so, and is found again by its bytes.
  renameSync(path.join(root, 'flows/orders.yaml'), path.join(root, 'flows/purchases.yaml'));
  await expect(row(page, 'flows/orders.yaml')).toContainText('missing');
  await keepScreen(page, 'files-missing');
  await choose(page, 'flows/orders.yaml', 'moved');
  await expect(page.getByTestId('moved-field')).toHaveValue('flows/purchases.yaml (same text)');
  await checkLooks(desktop, 'files-moved');
  await page.getByTestId('moved-submit').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'flows/purchases.yaml');
  await expect(row(page, 'flows/orders.yaml')).toHaveCount(0);

  await choose(page, 'flows/purchases.yaml', 'remove');
  await expect(page.getByTestId('file-flows/purchases.yaml')).toBeVisible();
  expect(existsSync(path.join(root, 'flows/purchases.yaml'))).toBe(true);

  const outside = path.join(path.dirname(root), 'outside.yaml');
  writeFileSync(outside, spec('outside'));
  await dropFiles(page, { x: 150, y: 300 }, outside);
  await expect(page.getByTestId('draft-outside.yaml')).toBeVisible();
  await dropFiles(page, { x: 150, y: 300 }, path.join(root, 'flows/purchases.yaml'));
  await expect(page.getByTestId('draft-flows/purchases.yaml')).toBeVisible();
  await world.close();
});

test('files are made, copied, deleted and put back', async () => {
  const world = await openTree({ 'flows/letters.yaml': spec('letters') });
  const { page, desktop, root } = world;
  await page.getByTestId('add-found-specs').click();
  await choose(page, 'folder:flows', 'new');
  await page.getByTestId('create-file-field').fill('../out.yaml');
  await page.getByTestId('create-file-submit').click();
  await expect(page.getByRole('dialog')).toContainText('Nothing was created');
  await page.getByTestId('create-file-field').fill('flows/made.yaml');
  await page.getByTestId('create-file-submit').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'flows/made.yaml');
  await choose(page, 'flows/letters.yaml', 'duplicate');
  await page.getByTestId('duplicate-submit').click();
  const copy = path.join(root, 'flows/letters-copy.yaml');
  await expect.poll(() => existsSync(copy) && readFileSync(copy, 'utf8')).toBe(spec('letters'));

  await expect(row(page, 'flows/letters-copy.yaml')).toBeVisible();
  await choose(page, 'flows/letters-copy.yaml', 'delete');
  await expect(row(page, 'flows/letters-copy.yaml')).toHaveCount(0);
  expect(existsSync(copy)).toBe(false);
  await keepScreen(page, 'files-deleted');
  await page.getByTestId('undo').click();
  await expect(row(page, 'flows/letters-copy.yaml')).toBeVisible();
  expect(readFileSync(copy, 'utf8')).toBe(spec('letters'));

  await choose(page, 'flows/letters-copy.yaml', 'delete');
  await expect(row(page, 'flows/letters-copy.yaml')).toHaveCount(0);
  writeFileSync(copy, 'theirs');
  await choose(page, 'folder:', 'trash');
  const entry = page.getByTestId('trash-flows/letters-copy.yaml');
  await expect(entry).toContainText('30 days left');
  await entry.getByTestId('put-back').click();
  await expect(entry).toContainText('It stays in the trash');
  await checkLooks(desktop, 'files-trash');
  await entry.getByTestId('put-beside').click();
  await expect(page.getByTestId('trash-dialog')).toContainText('The trash is empty');
  expect(readFileSync(copy, 'utf8')).toBe('theirs');
  await world.close();
});

test('the tree is walked and used by keyboard alone', async () => {
  const world = await openTree({ 'a/one.yaml': spec('one'), 'b/two.yaml': spec('two') });
  const { page, root } = world;
  await page.getByTestId('add-found-specs').click();
  await expect(page.getByTestId('draft-a/one.yaml')).toBeVisible();
  await row(page, 'folder:').focus();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'folder:a')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, 'folder:a')).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 'a/one.yaml')).toBeFocused();
  await page.keyboard.press('End');
  await expect(row(page, 'b/two.yaml')).toBeFocused();
  await page.keyboard.press('o');
  await expect(row(page, 'a/one.yaml')).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByTestId('file-menu')).toBeVisible();
  await keepScreen(page, 'files-menu');
  await page.keyboard.press('Escape');
  await page.getByTestId('file-menu').waitFor({ state: 'detached' });
  await expect(row(page, 'a/one.yaml')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'a/one.yaml');
  await row(page, 'b/two.yaml').focus();
  await page.keyboard.press('F2');
  await page.getByTestId('rename-field').fill('b/three.yaml');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', 'b/three.yaml');
  await row(page, 'a/one.yaml').focus();
  await page.keyboard.press('Delete');
  await expect(row(page, 'a/one.yaml')).toHaveCount(0);
  expect(existsSync(path.join(root, 'a/one.yaml'))).toBe(false);
  await world.close();
});

test('5,000 files are a tree in a moment', async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 5000; n += 1) files[`d${n % 50}/f${n}.yaml`] = spec(`n${n}`);
  const world = await openTree(files);
  await expect(world.page.getByTestId('found-text')).toContainText('5,000 specs');
  await world.page.getByTestId('folder:d0').click();
  await expect(world.page.getByTestId('file-d0/f0.yaml')).toBeVisible();
  expect(await world.page.getByRole('treeitem').count()).toBeLessThan(120);
  await world.close();
});

test('what a draft was before is compared, named and restored', async () => {
  const world = await openTree({ 'flows/letters.yaml': spec('letters') });
  const { page, desktop, root, write } = world;
  await page.getByTestId('add-found-specs').click();
  await page.getByTestId('draft-flows/letters.yaml').click();
  await typeAtEnd(page, '  description: first');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFileSync(path.join(root, 'flows/letters.yaml'), 'utf8'))
    .toContain('description: first');
  await expect(page.getByTestId('file-tree')).not.toContainText('Unsaved');
  await page.getByTestId('draft-menu').click();
  await page.getByTestId('draft-history').click();
  const dialog = page.getByTestId('history-dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByTestId('text-diff')).toContainText('description: first');
  await dialog.getByTestId('version-name-field').fill('As it came');
  await dialog.getByTestId('version-name-submit').click();
  await expect(dialog.getByRole('listitem').last()).toContainText('As it came');
  await checkLooks(desktop, 'files-history');
  await dialog.getByTestId('restore-version').click();
  await expect(dialog).toHaveCount(0);
  expect(readFileSync(path.join(root, 'flows/letters.yaml'), 'utf8')).toBe(spec('letters'));
  await expect.poll(() => draftText(page)).not.toContain('description: first');
  write('flows/letters.yaml', spec('theirs'));
  await expect.poll(() => draftText(page), { timeout: 30_000 }).toContain('name: theirs');
  await world.close();
});

test('git marks what differs from the last commit, and a draft is compared with it', async () => {
  const world = await openTree({
    'flows/letters.yaml': spec('letters'),
    'flows/orders.yaml': spec('orders'),
    '.gitignore': 'out/\n',
  });
  const { page, desktop, root, write } = world;
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...words: string[]) => execFileSync('git', [...who, '-C', root, ...words]);
  await page.getByTestId('add-found-specs').click();
  await page.getByTestId('draft-flows/letters.yaml').click();
  await expect(page.getByTestId('editor-page')).toBeVisible();
  await expect(page.getByTestId('git-place')).toHaveCount(0);
  git('init', '--quiet', '--initial-branch', 'desk');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First');
  write('flows/new.yaml', spec('new'));
  write('out/made.yaml', spec('made'));
  await typeAtEnd(page, '  description: changed');
  await page.keyboard.press('Control+s');
  await expect(row(page, 'flows/letters.yaml')).toHaveAttribute('data-git', 'modified');
  await expect(row(page, 'flows/new.yaml')).toHaveAttribute('data-git', 'untracked');
  await expect(row(page, 'flows/orders.yaml')).not.toHaveAttribute('data-git');
  await page.getByTestId('folder:out').click();
  await expect(row(page, 'out/made.yaml')).toHaveAttribute('data-git', 'ignored');
  await expect(page.getByTestId('git-place')).toContainText('desk');
  await checkLooks(desktop, 'files-git');
  await page.getByTestId('draft-menu').click();
  await page.getByTestId('draft-compare-head').click();
  const view = page.getByTestId('compare-view');
  await expect(view.getByTestId('text-diff')).toContainText('description: changed');
  await view.getByTestId('compare-views').getByText('Meaning').click();
  await expect(view).toContainText('description');
  await checkLooks(desktop, 'files-git-compare');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    location.hash = '/projects/default';
  });
  await expect(page.getByTestId('project-page').getByLabel('git modified')).toBeVisible();
  await world.close();
});
