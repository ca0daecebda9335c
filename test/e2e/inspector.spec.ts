import { expect, type Locator, type Page, test } from '@playwright/test';
import { draftsWindow } from './support/drafts-window.ts';
import { draftText, goTo, openDraft, typeAtEnd } from './support/editor.ts';
import { checkLooks, keepLooks, keepScreen } from './support/screens.ts';

const SPEC = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort # first
  nodes:
    sort: {id: sort, kind: agent, ref: writer}
    ask: {id: ask, kind: human, ref: lead}
  edges:
    - {from: sort, to: ask} # always
components:
  agents:
    writer:
      name: writer # the author
      system_prompt: |
        Answer shortly.
  humans:
    lead: {description: Good?}
`;

const TUTOR = `version: v1
agent: {name: tutor, system_prompt: Explain.}
`;

const LISTS = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: writer}
    file: {id: file, kind: agent, ref: writer}
  edges:
    - {from: sort, to: file} # always
components:
  agents:
    writer: {name: writer}
`;

const opened = draftsWindow([
  ['inspector.yaml', SPEC],
  ['tutor.yaml', TUTOR],
  ['lists.yaml', LISTS],
]);

function node(page: Page, key: string): Locator {
  return page.locator(`.react-flow__node[data-id="workflow.nodes.${key}"]`);
}

async function says(page: Page, text: string): Promise<void> {
  await expect.poll(() => draftText(page)).toBe(text);
}

test('the form of what is chosen edits its text, by keyboard alone', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'inspector.yaml');
  await expect(page.locator('.react-flow__node')).toHaveCount(2);
  const form = page.getByTestId('inspector');
  const agent = form.getByRole('region', { name: 'Agent writer' });

  await test.step('Enter on a node opens its form; Escape goes back', async () => {
    await node(page, 'sort').focus();
    await page.keyboard.press('Enter');
    await expect(form).toHaveAttribute('data-path', 'workflow.nodes.sort');
    await expect(form.getByLabel('Key').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(node(page, 'sort')).toBeFocused();
    await page.keyboard.press('Enter');
  });

  await test.step('a prompt is one edit of its own lines, and one step back', async () => {
    const prompt = agent.getByRole('textbox', { name: 'System prompt' });
    await prompt.fill('Answer at length.\nName the source.\n');
    await page.keyboard.press('Tab');
    const written = SPEC.replace('Answer shortly.', 'Answer at length.\n        Name the source.');
    await says(page, written);
    await checkLooks(opened.desktop, 'inspector');
    await prompt.focus();
    await page.keyboard.press('Control+z');
    await says(page, SPEC);
    await expect(prompt).toHaveValue('Answer shortly.\n');
  });

  await test.step('a field that the text lacks comes and goes', async () => {
    await form
      .getByRole('button', { name: /more field/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    const retries = form.getByRole('textbox', { name: 'Max retries' });
    await retries.fill('two');
    await page.keyboard.press('Enter');
    await expect(form).toContainText('Give a number.');
    await retries.fill('2');
    await page.keyboard.press('Enter');
    await says(page, SPEC.replace('ref: writer}', 'ref: writer, max_retries: 2}'));
    await form.getByRole('button', { name: 'Clear Max retries' }).press('Enter');
    await says(page, SPEC);
  });

  await test.step('a name changes wherever it stands, a wrong value is told at its field', async () => {
    const key = agent.getByLabel('Key');
    await key.fill('author');
    await page.keyboard.press('Enter');
    await says(page, SPEC.replace('ref: writer', 'ref: author').replace('writer:\n', 'author:\n'));
    await page.keyboard.press('Control+z');
    await says(page, SPEC);
    await node(page, 'ask').focus();
    await page.keyboard.press('Enter');
    await expect(form).toHaveAttribute('data-path', 'workflow.nodes.ask');
    const ref = form.getByRole('combobox', { name: 'Ref', exact: true });
    await ref.fill('nobody');
    await page.keyboard.press('Escape');
    await expect(form.locator('[data-field="workflow.nodes.ask.ref"]')).toContainText('nobody');
    await expect(node(page, 'ask')).toBeFocused();
    await keepScreen(page, 'inspector-fault');
    await page.keyboard.press('Control+z');
    await says(page, SPEC);
  });

  await test.step('an edge has a form; a text that cannot be read closes none', async () => {
    await page.locator('.react-flow__edge').first().focus();
    await page.keyboard.press('Enter');
    await expect(form).toHaveAttribute('data-path', 'workflow.edges[0]');
    await form.getByRole('textbox', { name: 'Label' }).fill('always');
    await page.keyboard.press('Enter');
    await says(page, SPEC.replace('to: ask}', 'to: ask, label: always}'));
    await keepScreen(page, 'inspector-edge');
    await typeAtEnd(page, ']');
    await expect(form).toContainText('cannot be read now');
    await page.keyboard.press('Control+z');
  });
});

test('find in all drafts searches the texts as they stand', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'tutor.yaml');
  await typeAtEnd(page, '# an Answer to come');
  await page.keyboard.press('Control+Shift+f');
  const field = page.getByTestId('find-text');
  await expect(field).toBeFocused();
  await field.fill('answer');
  await expect(page.getByTestId('find-count')).toHaveText('2 lines in 2 drafts');
  await expect(page.getByTestId('found-draft').last()).toContainText('unsaved');
  await checkLooks(opened.desktop, 'find');
  await page.getByLabel('Pattern').check();
  await field.fill('answer to \\w+$');
  await expect(page.getByTestId('find-count')).toHaveText('1 line in 1 draft');
  await page.locator('.sw-find-line').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /tutor/);
  await expect(page.getByRole('contentinfo')).toContainText('Line 3');
});

test('items of a list are added, moved and taken away; the place outlives a reload', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'lists.yaml');
  await says(page, LISTS);
  await goTo(page, 4, 4);
  const form = page.getByTestId('inspector');
  await expect(form).toHaveAttribute('data-path', 'workflow');
  await form.getByRole('button', { name: 'Add to Edges' }).press('Enter');
  const added = LISTS.replace('# always\n', '# always\n    - {from: sort, to: sort}\n');
  await says(page, added);
  await expect(form).toHaveAttribute('data-path', 'workflow.edges[1]');
  await goTo(page, 4, 4);
  await form.getByRole('button', { name: 'Move sort → sort up' }).press('Enter');
  await says(page, LISTS.replace('  edges:\n', '  edges:\n    - {from: sort, to: sort}\n'));
  await keepLooks(opened.desktop, 'inspector-lists');
  await form.getByRole('button', { name: 'Remove sort → sort' }).press('Enter');
  await says(page, LISTS);

  await goTo(page, 13, 5);
  await page.reload();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await expect(page.getByRole('contentinfo')).toContainText('Line 13, column 5');
});

test('a kept input is a case: it runs, and runs of it are compared', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'tutor.yaml');
  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-input').fill('What is a graph?');
  await page.getByTestId('case-name').fill('graphs');
  await page.keyboard.press('Enter');
  const cases = page.getByRole('list', { name: 'Cases' });
  await expect(cases).toContainText('not run yet');
  await page.getByTestId('run-all-cases').click();
  await expect(cases).toContainText(/completed/i);
  await expect(page.getByTestId('draft-run-output')).toBeVisible();
  await page.getByTestId('run-all-cases').click();
  await expect(cases.getByText('Compare with the run before')).toBeVisible();
  await page.getByRole('button', { name: 'Expected of graphs' }).click();
  await page.getByTestId('expected-how').selectOption('contains');
  await page.getByTestId('expected-text').fill('nothing of that kind');
  await keepLooks(opened.desktop, 'run-case-expected');
  await page.getByTestId('expected-keep').click();
  await expect(page.getByTestId('cases-summary')).toHaveText('0 of 1 passed, 1 not as expected');
  await expect(cases).toContainText('The output does not contain');
  await page.getByTestId('run-history').click();
  await expect(page.getByRole('list', { name: 'Runs of this draft' }).locator('li')).toHaveCount(2);
  await checkLooks(opened.desktop, 'run-cases');
  await cases.getByText('Compare with the run before').click();
  await expect(page).toHaveURL(/compare\?a=/);
});
