import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { draftsWindow } from './support/drafts-window.ts';
import { draftText, openDraft, typeAtEnd } from './support/editor.ts';
import { command } from './support/keyboard.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepLooks, keepScreen } from './support/screens.ts';

const GRAPH = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort # first
  nodes:
    sort: {id: sort, kind: agent, ref: writer}
    check: {id: check, kind: agent, ref: writer}
    reply: {id: reply, kind: agent, ref: writer}
  edges:
    - {from: sort, to: check}
    - {from: check, to: reply} # always
components:
  agents:
    writer: {name: writer}
`;

const LIST = `version: v1
agent: {name: desk}
workflow:
  type: sequential
  steps:
    - {id: read, kind: agent, ref: writer}
    - {id: draft, kind: agent, ref: writer} # slow
    - {id: send, kind: agent, ref: writer}
components:
  agents:
    writer: {name: writer}
`;

const pictures = scratchFolder();
test.afterAll(() => pictures.remove());

const opened = draftsWindow([
  ['graph-edit.yaml', GRAPH],
  ['list-edit.yaml', LIST],
]);

function node(page: Page, key: string): Locator {
  return page.locator(`.react-flow__node[data-id="workflow.nodes.${key}"]`);
}

function step(page: Page, index: number): Locator {
  return page.locator(`.react-flow__node[data-id="workflow.steps[${index}]"]`);
}

function word(page: Page): Locator {
  return page.getByTestId('graph-word');
}

async function says(page: Page, text: string): Promise<void> {
  await expect.poll(() => draftText(page)).toBe(text);
}

async function undo(page: Page, key: string, text: string): Promise<void> {
  await node(page, key).focus();
  await page.keyboard.press('Control+z');
  await says(page, text);
}

test('the graph edits its text by pointer, and undo goes to the text', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'graph-edit.yaml');
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  const edge = (text: string): string => GRAPH.replace('# always\n', `# always\n    - ${text}\n`);

  await test.step('an edge is dragged; where it cannot lead is said before the drop', async () => {
    const box = async (key: string) => {
      const found = await node(page, key).boundingBox();
      if (found === null) throw new Error(`${key} is not drawn`);
      return found;
    };
    const from = await box('sort');
    await node(page, 'sort').hover();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height);
    await page.mouse.down();
    const taken = await box('check');
    await page.mouse.move(taken.x + 30, taken.y + taken.height / 2, { steps: 8 });
    await expect(node(page, 'check').locator('.sw-node')).toHaveAttribute('data-refused', 'true');
    await expect(node(page, 'check').locator('.sw-node')).toHaveAttribute('title', /already/);
    await expect(word(page)).toContainText('leads to "check" already');
    await keepScreen(page, 'graph-edit-refused');
    await page.mouse.up();
    await expect(word(page)).toContainText('leads to "check" already');
    await says(page, GRAPH);
    await node(page, 'sort').hover();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height);
    await page.mouse.down();
    const free = await box('reply');
    await page.mouse.move(free.x + 30, free.y + free.height / 2, { steps: 8 });
    await page.mouse.up();
    await says(page, edge('{from: sort, to: reply}'));
    await expect(word(page)).toContainText('is never taken');
    await expect(page.locator('.react-flow__edge')).toHaveCount(3);
    await keepLooks(opened.desktop, 'graph-edit-connected');
    await undo(page, 'sort', GRAPH);
    await expect(page.locator('.react-flow__edge')).toHaveCount(2);
  });

  await test.step('it is saved as a picture, and what became of that is told', async () => {
    const file = (name: string) => path.join(pictures.path, name);
    const button = page.getByRole('button', { name: 'Export graph as SVG' });
    await opened.desktop.saveAs(file('none/graph.svg'));
    await button.click();
    await expect(page.getByText('The graph was not exported')).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByText('The graph was not exported')).toBeHidden();
    await opened.desktop.saveAs(file('graph.svg'));
    await button.click();
    await expect(page.getByText('Exported graph.svg')).toBeVisible();
    expect(readFileSync(file('graph.svg'), 'utf8')).toContain('reply');
    await opened.desktop.saveAs(file('graph.png'));
    await command(page, 'Export graph as PNG');
    await expect(page.getByText('Exported graph.png')).toBeVisible();
    expect(readFileSync(file('graph.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  await test.step('a step from the catalogue, behind the chosen one', async () => {
    await node(page, 'reply').click();
    await page.getByTestId('graph-add').click();
    await page.getByTestId('graph-search').fill('human');
    await page.getByTestId('graph-name').fill('approve');
    await checkLooks(opened.desktop, 'graph-edit-add');
    await page.getByTestId('graph-submit').click();
    await expect(node(page, 'approve')).toBeVisible();
    await expect(node(page, 'approve')).toBeFocused();
    await says(
      page,
      edge('{from: reply, to: approve}')
        .replace('  edges', '    approve: {id: approve, kind: human, ref: approve}\n  edges')
        .concat(
          '  humans:\n    approve:\n      description: Say here what is to be decided.\n      request_type: approval\n',
        ),
    );
    await keepLooks(opened.desktop, 'graph-edit-added');
    await undo(page, 'reply', GRAPH);
  });

  await test.step('an edge gets a condition', async () => {
    await expect(page.locator('.react-flow__node')).toHaveCount(3);
    await expect(async () => {
      await page.locator('.react-flow__edge').first().click({ force: true });
      await page.getByTestId('graph-condition').click({ timeout: 500 });
    }).toPass();
    const dialog = page.getByTestId('graph-dialog');
    await dialog.getByLabel('It is taken').selectOption('any');
    await dialog.getByLabel('Value').fill('refund');
    await dialog.getByLabel('Label').fill('money');
    await checkLooks(opened.desktop, 'graph-edit-condition');
    await page.getByTestId('graph-submit').click();
    await says(
      page,
      GRAPH.replace(
        'to: check}',
        'to: check, condition: {type: output_contains, value: refund}, label: money}',
      ),
    );
    await expect(page.locator('.sw-edge-label')).toHaveText('money');
    await undo(page, 'sort', GRAPH);
  });

  await test.step('an end of the chosen edge is dragged onto another node', async () => {
    const first = page.locator('.react-flow__edge').first();
    await first.focus();
    await expect(async () => {
      await first.click({ force: true });
      await expect(first.locator('.react-flow__edgeupdater-target')).toBeVisible({ timeout: 500 });
    }).toPass();
    await keepScreen(page, 'graph-edit-ends');
    await first.locator('.react-flow__edgeupdater-target').hover({ force: true });
    await page.mouse.down();
    const to = await node(page, 'reply').boundingBox();
    if (to === null) throw new Error('reply is not drawn');
    await page.mouse.move(to.x + 30, to.y + to.height / 2, { steps: 8 });
    await page.mouse.up();
    await says(page, GRAPH.replace('{from: sort, to: check}', '{from: sort, to: reply}'));
    await expect(word(page)).toContainText('leads to "reply" now');
    await undo(page, 'sort', GRAPH);
  });

  await test.step('an edge becomes the fallback of its step', async () => {
    const second = page.locator('.react-flow__edge').nth(1);
    await second.focus();
    await page.keyboard.press('f');
    await says(
      page,
      GRAPH.replace(
        'check, kind: agent, ref: writer}',
        'check, kind: agent, ref: writer, on_error: fallback, fallback_ref: reply}',
      ).replace('    - {from: check, to: reply} # always\n', ''),
    );
    await expect(word(page)).toContainText('"reply" runs now when "check" fails.');
    await keepScreen(page, 'graph-edit-fallback');
    await undo(page, 'check', GRAPH);
  });

  await test.step('the menu of a node deletes it with its edges, and says so', async () => {
    await node(page, 'check').click({ button: 'right' });
    await expect(page.getByTestId('graph-menu')).toBeVisible();
    await keepScreen(page, 'graph-edit-menu');
    await page
      .getByTestId('graph-menu')
      .getByRole('menuitem', { name: /^Delete/ })
      .click();
    await expect(node(page, 'check')).toHaveCount(0);
    await expect(word(page)).toContainText('2 edges went with it');
    await keepScreen(page, 'graph-edit-deleted');
    await undo(page, 'sort', GRAPH);
  });

  await test.step('a text that cannot be read says so, and the graph is not edited (AS-120)', async () => {
    await typeAtEnd(page, 'x: [');
    await expect(word(page)).toContainText('cannot be edited');
    await expect(page.getByTestId('graph')).toHaveAttribute('data-editing', 'false');
    await page.getByTestId('graph-add').click({ force: true });
    await expect(page.getByTestId('graph-dialog')).toHaveCount(0);
    await keepScreen(page, 'graph-edit-broken');
  });
});

test('every edit of the graph by keyboard alone', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'list-edit.yaml');
  await expect(page.locator('.react-flow__node')).toHaveCount(3);

  await test.step('earlier, and back', async () => {
    await step(page, 1).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => draftText(page)).toMatch(/steps:\n.*draft.*# slow\n.*read/);
    await expect(step(page, 0)).toBeFocused();
    await expect(step(page, 0)).toContainText('draft');
    await page.keyboard.press('Alt+ArrowUp');
    await expect(word(page)).toHaveText('It is the first one already.');
    await page.keyboard.press('Alt+ArrowDown');
    await says(page, LIST);
  });

  await test.step('a name in place; a taken one is refused', async () => {
    await step(page, 1).focus();
    await page.keyboard.press('F2');
    const field = page.getByLabel('New name of draft');
    await expect(field).toBeFocused();
    await keepScreen(page, 'graph-edit-rename');
    await field.fill('send');
    await page.keyboard.press('Enter');
    await expect(word(page)).toContainText('already the name');
    await step(page, 1).focus();
    await page.keyboard.press('F2');
    await field.fill('write');
    await page.keyboard.press('Enter');
    await says(page, LIST.replace('id: draft', 'id: write'));
    await expect(step(page, 1)).toContainText('write');
    await page.keyboard.press('Control+z');
    await says(page, LIST);
  });

  await test.step('a new step, chosen by its words', async () => {
    await step(page, 0).focus();
    await page.keyboard.press('Insert');
    await expect(page.getByTestId('graph-search')).toBeFocused();
    await page.keyboard.type('new function');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => draftText(page))
      .toContain('ref: writer}\n    - {id: function, kind: function, ref: function}\n');
    await expect(step(page, 1)).toBeFocused();
    await page.keyboard.press('Control+z');
    await says(page, LIST);
  });

  await test.step('two steps into a workflow, their comments with them', async () => {
    await step(page, 1).focus();
    await page.keyboard.press('Space');
    await step(page, 2).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+g');
    await page.getByTestId('graph-name').fill('finish');
    await keepScreen(page, 'graph-edit-wrap');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => draftText(page))
      .toContain(
        '      steps:\n      - {id: draft, kind: agent, ref: writer} # slow\n      - {id: send',
      );
    await expect(page.locator('.react-flow__node')).toHaveCount(4);
    await keepLooks(opened.desktop, 'graph-edit-wrapped');
    await step(page, 1).focus();
    await page.keyboard.press('Control+z');
    await says(page, LIST);
  });

  await test.step('what this kind of workflow cannot say', async () => {
    await step(page, 0).focus();
    await page.keyboard.press('Alt+Enter');
    await page.getByTestId('graph-target').selectOption({ index: 3 });
    await expect(page.getByTestId('graph-dialog')).toContainText('sequential workflow');
    await expect(page.getByTestId('graph-dialog').getByText('Move a step')).toHaveCount(1);
    await expect(page.getByTestId('graph-submit')).toBeDisabled();
    await keepLooks(opened.desktop, 'graph-edit-connect');
    await page.keyboard.press('Escape');
    await step(page, 2).focus();
    await page.keyboard.press('Delete');
    await says(page, LIST.replace('    - {id: send, kind: agent, ref: writer}\n', ''));
  });
});
