import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { draftsWindow } from './support/drafts-window.ts';
import { draftText, goTo, makeDraft, openDraft } from './support/editor.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

test.describe.configure({ mode: 'serial' });

const DESK = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: "writer"} # first
    reply: {id: reply, kind: agent, ref: writer}
  edges: [{from: sort, to: reply}]
components:
  agents:
    writer: {name: writer}
`;

const FRENCH = `# for France
components:
  agents:
    writer: {system_prompt: Write in French.}
workflow:
  nodes:
    sort: {max_retries: 2, ref: writer}
`;

const opened = draftsWindow([['desk.yaml', DESK]]);

test.beforeAll(() => makeDraft(opened.desktop, 'french.yaml', FRENCH, 'overlay'));

function fileOf(name: string): string {
  const found = readdirSync(opened.folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith(`${path.sep}drafts${path.sep}${name}`),
  );
  if (found === undefined) throw new Error(`${name} is nowhere`);
  return path.join(opened.folder, found);
}

const onDisk = (name: string): string => readFileSync(fileOf(name), 'utf8');

async function renameTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F2');
  const input = page.locator('.rename-box input');
  await expect(input).toBeVisible();
  await input.fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rename-dialog')).toBeVisible();
}

test('a name is renamed in base and overlay together, and taken back', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'desk.yaml');
  await goTo(page, 12, 6);
  await renameTo(page, 'author');
  await expect(page.getByTestId('rename-count')).toHaveText('5 places in 2 drafts');
  await expect(page.getByTestId('renamed-file')).toHaveCount(2);
  await checkLooks(opened.desktop, 'rename-across');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rename-dialog')).toHaveCount(0);
  const desk = DESK.replace('ref: "writer"', 'ref: "author"')
    .replace('ref: writer}', 'ref: author}')
    .replace('    writer:', '    author:');
  await expect.poll(() => draftText(page)).toBe(desk);
  await expect(page.getByTestId('status-save')).toContainText('Saved');
  expect(onDisk('desk.yaml')).toBe(desk);
  expect(onDisk('french.yaml')).toBe(
    FRENCH.replace('    writer:', '    author:').replace('ref: writer', 'ref: author'),
  );
  await page.getByTestId('undo').click();
  await expect.poll(() => draftText(page)).toBe(DESK);
  await expect.poll(() => onDisk('french.yaml')).toBe(FRENCH);
});

test('a draft that changed meanwhile is named, nothing is saved, and a second look goes on', async () => {
  const { page } = opened.desktop;
  await page.getByTestId('graph').waitFor();
  await page.locator('.react-flow__node[data-id="workflow.nodes.sort"]').focus();
  await page.keyboard.press('F2');
  const field = page.getByLabel('New name of sort');
  await field.fill('triage');
  await page.keyboard.press('Enter');
  const dialog = page.getByTestId('rename-dialog');
  await expect(dialog).toContainText('french.yaml');
  writeFileSync(fileOf('french.yaml'), `${FRENCH}# and Belgium\n`);
  await page.getByTestId('rename-submit').click();
  await expect(dialog).toContainText('Changed meanwhile: .studio/drafts/french.yaml.');
  await keepScreen(page, 'rename-across-stale');
  expect(onDisk('desk.yaml')).toBe(DESK);
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByTestId('rename-refused')).toHaveCount(0);
  await page.getByTestId('rename-submit').click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => draftText(page)).toContain('start: triage');
  expect(onDisk('french.yaml')).toBe(`${FRENCH.replace('sort:', 'triage:')}# and Belgium\n`);
});

test('definition leads from the overlay into its base, and references back', async () => {
  const { page } = opened.desktop;
  const shown = page.getByTestId('editor-page');
  await openDraft(page, 'french.yaml');
  await goTo(page, 7, 38);
  await page.keyboard.press('F12');
  await expect(shown).toHaveAttribute('data-ref', /desk\.yaml$/);
  await expect(page.getByText('Line 12, column 1')).toBeVisible();
  await goTo(page, 12, 6);
  await page.keyboard.press('Shift+F12');
  const list = page.locator('.reference-zone-widget');
  await expect(list).toContainText('french.yaml');
  await keepScreen(page, 'references-across');
});
