import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { draftsWindow } from './support/drafts-window.ts';
import { draftText, openDraft } from './support/editor.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

const SPEC = `version: v1
# The front desk
agent: {name: desk, system_prompt: Lead.}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: sorter}
    ask: {id: ask, kind: human, ref: lead}
    reply: {id: reply, kind: agent, ref: writer}
  edges:
    - {from: sort, to: ask, condition: {type: output_contains, value: refund}}
    - {from: sort, to: reply}
    - {from: ask, to: reply}
components:
  agents:
    sorter: {name: sorter, system_prompt: Sort the mail.}
    writer:
      name: writer
      system_prompt: |
        Answer shortly.
        Be friendly.
        Name the source.
      model: {provider: openai, name: gpt-5-mini}
  humans:
    lead: {description: Pay this back?}
tools:
  search: {description: Find a page., implementation: web.search}
`;

/** Without the person, with a tool, with a step more. */
const LATER = SPEC.replace('    ask: {id: ask, kind: human, ref: lead}\n', '')
  .replace('    - {from: sort, to: ask, condition: {type: output_contains, value: refund}}\n', '')
  .replace('    - {from: ask, to: reply}\n', '    - {from: reply, to: check}\n')
  .replace('ref: writer}\n', 'ref: writer}\n    check: {id: check, kind: agent, ref: sorter}\n')
  .replace('Sort the mail.', 'Sort the mail by topic.')
  .replace('gpt-5-mini}\n', 'gpt-5-mini}\n      tools: {include: [search]}\n');

const opened = draftsWindow([
  ...['compare', 'layout', 'clean', 'conflict', 'broken'].map(
    (name) => [`${name}.yaml`, SPEC] as const,
  ),
  ['other.yaml', SPEC.replace('gpt-5-mini', 'gpt-5')],
]);

function fileOf(name: string): string {
  const files = readdirSync(opened.folder, { recursive: true, encoding: 'utf8' });
  const file = files.find((one) => path.basename(one) === name);
  if (file === undefined) throw new Error(`${name} is nowhere`);
  return path.join(opened.folder, file);
}

/** Puts a text in place of what the editor holds, as pasting it would. */
async function replaceText(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+a');
  await page.evaluate((data) => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', data);
    const event = new ClipboardEvent('paste', {
      clipboardData: transfer,
      bubbles: true,
      cancelable: true,
    });
    document.activeElement?.dispatchEvent(event);
  }, text);
  await expect.poll(() => draftText(page)).toContain(text.split('\n')[2] ?? '');
}

async function compareWithSaved(page: Page): Promise<void> {
  await page.getByTestId('draft-menu').click();
  await page.getByRole('menuitem', { name: 'Compare…' }).click();
  await expect(page.getByTestId('compare-view')).toBeVisible();
}

async function show(page: Page, views: string, name: string): Promise<void> {
  await page.getByTestId(views).getByText(name, { exact: true }).click();
}

test('unsaved changes: their lines, what they mean, and both drawings', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'compare.yaml');
  await replaceText(page, LATER);
  await compareWithSaved(page);
  await expect(page.getByTestId('compare-verdict')).toContainText('with more privileges');
  await show(page, 'compare-views', 'Meaning');
  const list = page.getByTestId('change-list');
  await expect(list.getByRole('heading').first()).toHaveText('May do more, or is watched less');
  await expect(list).toContainText('human step "ask" was removed');
  await expect(list).toContainText('agent "writer"');
  await checkLooks(opened.desktop, 'compare-meaning');

  await show(page, 'compare-views', 'Graphs');
  const graphs = page.getByTestId('compare-graphs');
  await expect(graphs.getByText('− removed')).toHaveCount(1);
  await expect(graphs.getByText('+ added')).toHaveCount(1);
  await page.waitForTimeout(600);
  await checkLooks(opened.desktop, 'compare-graphs');

  // A change leads to its line, by keyboard too.
  await show(page, 'compare-views', 'Meaning');
  await list.getByRole('button', { name: /step "check" was added/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('text-diff')).toBeVisible();
  await expect(page.locator('.modified .current-line').first()).toBeVisible();
  await checkLooks(opened.desktop, 'compare-text');
  await page.keyboard.press('Escape');
});

test('a change of layout is no change in behaviour', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'layout.yaml');
  await replaceText(page, SPEC.replace('# The front desk', '# The desk in front'));
  await compareWithSaved(page);
  await expect(page.getByTestId('compare-verdict')).toHaveText('No change in behaviour');
  await show(page, 'compare-views', 'Meaning');
  await expect(page.getByText('Both say the same')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('a draft beside another one, found by keyboard', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'other.yaml');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Compare…');
  await page.keyboard.press('Enter');
  await page.getByTestId('compare-with').fill('broken');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await show(page, 'compare-views', 'Meaning');
  await expect(page.getByTestId('change-list')).toContainText(
    'agent "writer": model.name is "gpt-5", was "gpt-5-mini"',
  );
  await keepScreen(page, 'compare-drafts');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('two writers on one thing decide each change, not each line', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'conflict.yaml');
  const mine = SPEC.replace('gpt-5-mini', 'gpt-5')
    .replace('Be friendly.', 'Be kind.')
    .replace('Pay this back?', 'Pay it back?');
  await replaceText(page, mine);
  const theirs = SPEC.replace('gpt-5-mini', 'gpt-5-nano')
    .replace('Be friendly.', 'Be brief.')
    .replace('Find a page.', 'Find a page of our site.');
  writeFileSync(fileOf('conflict.yaml'), theirs);
  await page.keyboard.press('Control+s');
  const dialog = page.getByTestId('conflict-dialog');
  await expect(page.getByTestId('conflict')).toHaveCount(2);
  await expect(page.getByTestId('conflict-open')).toContainText('2 places');
  await expect(page.getByTestId('save-merged')).toBeDisabled();
  await expect(page.getByTestId('conflict-brought')).toContainText('Find a page of our site.');
  await checkLooks(opened.desktop, 'conflict-open');

  const [prompt, model] = [
    page.getByTestId('conflict').nth(0),
    page.getByTestId('conflict').nth(1),
  ];
  await prompt.getByText('Both', { exact: true }).click();
  await expect(prompt).toHaveAttribute('data-chosen', 'both');
  await expect(page.getByTestId('save-merged')).toBeDisabled();
  // By keyboard: the radio of the other conflict.
  await model.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(model).toHaveAttribute('data-chosen', 'theirs');
  await expect(page.getByTestId('conflict-open')).toContainText('fit together');
  await checkLooks(opened.desktop, 'conflict-decided');
  await show(page, 'conflict-views', 'Merged text');
  await expect(dialog.getByTestId('text-diff')).toContainText('Be kind.');
  await checkLooks(opened.desktop, 'conflict-text');
  await page.getByTestId('save-merged').click();
  await expect(page.getByTestId('save-merged')).toBeHidden();
  await expect(page.getByTestId('status-save')).toContainText(/saved/i);
  expect(readFileSync(fileOf('conflict.yaml'), 'utf8')).toBe(
    mine
      .replace('name: gpt-5}', 'name: gpt-5-nano}')
      .replace('Be kind.', 'Be kind.\n        Be brief.')
      .replace('Find a page.', 'Find a page of our site.'),
  );
});

test('what fits together needs no decision, and what is wrong only together is said', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'clean.yaml');
  await replaceText(
    page,
    SPEC.replace('gpt-5-mini}\n', 'gpt-5-mini}\n      tools: {include: [search]}\n'),
  );
  writeFileSync(fileOf('clean.yaml'), SPEC.replace(/tools:\n {2}search.*\n/, ''));
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('conflict-faults')).toContainText('search');
  await expect(page.getByTestId('save-merged')).toBeEnabled();
  await checkLooks(opened.desktop, 'conflict-faults');
  await page.getByTestId('take-theirs').click();
  await expect(page.getByTestId('conflict-dialog')).toBeHidden();
});

test('a text that is no spec is merged by lines, and that is said', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'broken.yaml');
  await replaceText(page, `${SPEC}broken: [`);
  writeFileSync(fileOf('broken.yaml'), SPEC.replace('Lead.', 'Lead well.'));
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('conflict-dialog')).toContainText('merged by lines');
  await expect(page.getByTestId('text-diff')).toContainText('broken: [');
  await keepScreen(page, 'conflict-lines');
  await page.getByTestId('take-theirs').click();
});
