import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type FolderWindow, openFolder } from './support/folder-window.ts';
import { bothHands, type Hands, keyboardAlone } from './support/hands.ts';
import { countClicks } from './support/keyboard.ts';
import { checkLooks, expectCleanLooks } from './support/screens.ts';
import { EXPORT_FILE } from './support/story.ts';

const FOLDER = {
  'flows/letters.yaml': 'version: v1\nagent:\n  name: letters\n  system_prompt: Write letters.\n',
  'layers/eu.yaml': 'components: {agents: {write_answer: {system_prompt: Write in French.}}}\n',
};

/** One author at work in one window. */
interface Day extends FolderWindow {
  readonly hands: Hands;
  /** Looks at a screen whose state no other spec looks at. */
  readonly look: (name: string) => Promise<void>;
  readonly draft: string;
}

async function saved(file: string, says: (text: string) => boolean): Promise<void> {
  await expect.poll(() => existsSync(file) && says(readFileSync(file, 'utf8'))).toBe(true);
}

async function openAndImport({ page, hands, desktop, look }: Day): Promise<void> {
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await hands.press(page.getByTestId('project-default'));
  await expect(page.getByTestId('found-text')).toContainText('letters.yaml');
  await hands.press(page.getByTestId('add-found-specs'));
  await expect(page.getByTestId('found-specs')).toHaveCount(0);
  await desktop.chooseFiles(EXPORT_FILE);
  await page.keyboard.press('Control+o');
  // The whole of a small workflow is seen at once.
  await expect(page.locator('.sw-source-node')).toHaveCount(9);
  for (const node of await page.locator('.sw-source-node').all()) {
    await expect(node).toBeInViewport({ ratio: 0.99 });
  }
  await look('day-imported');
}

/** In the text: the tool that nothing backs is taken out. In the graph: who is asked is said. */
async function settleInTextAndGraph({ page, hands, draft, look }: Day): Promise<void> {
  await hands.press(page.getByTestId('open-gaps'));
  await expect(page.getByTestId('gap-card')).toContainText(
    `jsCode = "return 'thirty days';"; they`,
  );
  await look('day-gaps');
  await page.keyboard.press('e');
  await expect(page.getByTestId('editor-page')).toBeVisible();
  await expect(page.getByText('Line 47,', { exact: false })).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+s');
  await saved(draft, (text) => !text.includes('\ntools:'));

  const lead = page.locator('.react-flow__node', { hasText: 'ask_the_team_lead' });
  await hands.enter(lead);
  await page.keyboard.press('Enter');
  const about = page.getByTestId('inspector').getByRole('textbox', { name: 'Description' });
  await hands.enter(about);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Team lead, told by e-mail: approve this reply?');
  await page.keyboard.press('Escape');
  await expect(lead).toBeFocused();
  await page.keyboard.press('Control+s');
  await saved(draft, (text) => text.includes('told by e-mail'));
}

/** Another program writes the file while it is edited; a mistake is taken back later. */
async function meetConflictAndRestore({ page, hands, draft }: Day): Promise<void> {
  await hands.toText();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\n# Refunds of the shop');
  const theirs = readFileSync(draft, 'utf8').replace('refund requests.', 'refunds of our shop.');
  writeFileSync(draft, theirs);
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('dialog', { name: /changed elsewhere/ });
  await expect(conflict).toContainText('system_prompt was changed');
  await hands.press(page.getByTestId('save-merged'));
  await expect(conflict).toBeHidden();
  await saved(draft, (text) => text.includes('# Refunds') && text.includes('of our shop'));
  // The keyboard is back in the text by itself.
  await expect(page.locator('.monaco-editor').first().locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n# A mistake');
  await page.keyboard.press('Control+s');
  await saved(draft, (text) => text.includes('A mistake'));

  await hands.toHistory();
  const history = page.getByTestId('history-dialog');
  await expect(history.getByTestId('text-diff')).toContainText('A mistake');
  await expect(history.getByRole('listitem').last()).toContainText('Before the first save');
  await hands.press(page.getByTestId('restore-version'));
  await expect(history).toHaveCount(0);
  await saved(draft, (text) => !text.includes('A mistake'));
}

async function attest({ page, hands }: Day): Promise<void> {
  await page.keyboard.press('Control+Shift+g');
  await expect(page.getByRole('button', { name: /Attest that/ })).toBeEnabled();
  await page.keyboard.press('t');
  await expect(page.getByTestId('gap-settled')).toBeVisible();
  await hands.press(page.getByTestId('open-editor'));
  await expect(page.getByTestId('editor-page')).toBeVisible();
}

/** An overlay is made and written, another one is added; what is composed outlives the window. */
async function compose({ page, hands, root, look }: Day): Promise<void> {
  await hands.toComposing();
  await hands.press(page.getByTestId('new-overlay'));
  await expect(page.getByTestId('new-overlay-field')).toBeFocused();
  await page.keyboard.type('Formal');
  await page.keyboard.press('Enter');
  const formal = page.getByTestId('overlay-.studio/drafts/formal.yaml');
  await hands.press(formal.getByRole('link'));
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /formal/);
  await hands.toText();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('components: {agents: {write_answer: {system_prompt: Be formal.');
  await page.keyboard.press('Control+s');
  const file = path.join(root, '.studio/drafts/formal.yaml');
  await saved(file, (text) => text.includes('Be formal.'));
  await page.keyboard.press('Alt+ArrowLeft');

  await hands.enter(page.getByTestId('add-overlay'));
  await page.keyboard.type('eu');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const eu = page.getByTestId('overlay-layers/eu.yaml');
  const composed = page.getByTestId('composed-text');
  await expect(composed).toContainText('Write in French.');
  await page.reload();
  await expect(page.getByTestId('compose-page')).toContainText('kept on this computer');
  await hands.enter(eu.locator('[data-handle]'));
  await page.keyboard.press('Alt+ArrowUp');
  await expect(composed).toContainText('Be formal.');
  await look('day-compose');
}

/** Frozen, it says what holds it back; each is settled from there, until it is exported. */
async function releaseArtifact(day: Day): Promise<void> {
  const { page, hands, desktop, folder, look } = day;
  await hands.freeze();
  const portability = page.getByTestId('check-portability');
  await expect(portability).toHaveAttribute('data-ok', 'false');
  await hands.press(page.getByTestId('remedy-place').first());
  await hands.press(page.getByTestId('trust-give'));
  await expect(page.getByTestId('trust-dialog')).toBeHidden();
  await hands.press(page.getByTestId('remedy-new_artifact'));
  await expect(portability).toHaveAttribute('data-ok', 'true');
  await expect(page.getByTestId('preflight')).toContainText('ANTHROPIC_API_KEY');
  await look('day-artifact');

  await hands.press(page.getByTestId('remedy-acknowledge'));
  await expect(page.getByTestId('gap-progress')).toContainText('acknowledge 4');
  await page.keyboard.press('j');
  for (let n = 0; n < 4; n += 1) {
    await page.keyboard.press('a');
    await expect(page.getByTestId('gap-settled')).toBeVisible();
    await page.keyboard.press('j');
  }
  await expect(page.getByTestId('gap-progress')).toContainText('No gap blocks export');
  await hands.press(page.getByTestId('open-artifact'));
  await expect(page.getByTestId('export-artifact')).toBeEnabled();
  const file = path.join(folder, 'exported.yaml');
  await desktop.saveAs(file);
  await hands.toExport();
  await expect(page.getByTestId('export-text')).toContainText('Be formal.');
  await hands.press(page.getByTestId('export-save'));
  await saved(file, (text) => text.includes('Be formal.') && text.includes('of our shop'));
}

async function walkDay(day: Day): Promise<void> {
  await openAndImport(day);
  await settleInTextAndGraph(day);
  await meetConflictAndRestore(day);
  await attest(day);
  await compose(day);
  await releaseArtifact(day);
}

const draftIn = (root: string) => path.join(root, '.studio/drafts/refund-desk.yaml');

test('an author’s day, from a folder of files to an exported spec', async () => {
  const world = await openFolder(FOLDER);
  const look = async (name: string) => {
    // Pictures of the others are kept by their own specs.
    if (name === 'day-imported') await checkLooks(world.desktop, name);
    else await expectCleanLooks(world.desktop, name);
  };
  await walkDay({ ...world, hands: bothHands(world.page), look, draft: draftIn(world.root) });
  await world.close();
});

test('the same day by keyboard alone', async () => {
  const world = await openFolder(FOLDER);
  const { page } = world;
  let clicks = await countClicks(page);
  page.on('load', async () => {
    clicks = await countClicks(page);
  });
  const look = async () => expect(await clicks()).toBe(0);
  await walkDay({ ...world, hands: keyboardAlone(page), look, draft: draftIn(world.root) });
  expect(await clicks()).toBe(0);
  await world.close();
});
