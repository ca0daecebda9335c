import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { draftsWindow } from './support/drafts-window.ts';
import { draftText, goTo, openDraft, typeAtEnd } from './support/editor.ts';
import { keepScreen } from './support/screens.ts';
import { keepTyping, type Painted, timeKey, watchTyping } from './support/typing.ts';

const SPECS = path.resolve(import.meta.dirname, '../fixtures/specs');
const sample = (name: string): string => readFileSync(path.join(SPECS, name), 'utf8');

const LANGUAGE = `version: v1
# The root agent
# answers alone.
agent:
  name: desk
  system_prompt: |
    Answer shortly.
    Name the source.
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: sorter}
    reply: {id: reply, kind: agent, ref: writer}
  edges:
    - {from: sort, to: reply} # always
components:
  agents:
    sorter: {name: sorter, description: Sorts the mail.}
    writer: {name: writer, description: Writes the answer.}
`;

const AGENT_ONLY = `version: v1
agent:
  name: tutor
  system_prompt: Explain.
`;

const GRAPH = `version: v1
agent: {name: desk, system_prompt: Lead.}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: sorter}
    check: {id: check, kind: guardrail, ref: sorter}
    ask: {id: ask, kind: human, ref: lead}
    stamp: {id: stamp, kind: function, ref: stamper, on_error: fallback, fallback_ref: reply}
    archive: {id: archive, kind: agent, ref: sorter, enabled: false}
    reply: {id: reply, kind: agent, ref: sorter}
  edges:
    - {from: sort, to: check}
    - {from: check, to: ask, condition: {type: output_contains, value: refund}, label: asks for money}
    - {from: check, to: stamp, condition: {type: not, condition: {type: output_contains, value: refund}}}
    - {from: ask, to: reply}
    - {from: stamp, to: archive}
    - {from: stamp, to: reply, condition: {type: any_of, conditions: [{type: status_is, value: completed}, {type: variable_equals, key: tries, value: 3}]}}
components:
  agents:
    sorter: {name: sorter, system_prompt: Sort.}
  functions:
    stamper: {implementation: desk.stamp}
  humans:
    lead: {description: Pay this back?}
`;

/** One spec for each kind of workflow, with what its drawing has. */
const KINDS = [
  ['sequential', sample('invoice-approval.yaml'), 3, 2],
  ['graph', GRAPH, 6, 7],
  ['concurrent', sample('vendor-panel.yaml'), 5, 6],
  ['handoff-sequence', sample('incident-handoff.yaml'), 3, 3],
  ['handoff-round-robin', sample('oncall-rotation.yaml'), 3, 1],
  ['group-chat', sample('pricing-debate.yaml'), 2, 2],
  ['nested', sample('nested-onboarding.yaml'), 9, 7],
  ['agent-only', AGENT_ONLY, 1, 0],
] as const;

const PEOPLE = Array.from({ length: 182 }, (_, index) => `agent_${index}`);

/** A sequential workflow and its agents, of about 2,000 lines. */
const LONG = `version: v1
agent: {name: root, system_prompt: Lead.}
components:
  agents:
${PEOPLE.map(
  (name) => `    # answers one part
    ${name}:
      name: ${name}
      system_prompt: |
        Read the request and answer in one paragraph.
        Name the source of every figure.
      model: {name: small, provider: default}
      description: Answers one part.
`,
).join('')}workflow:
  type: sequential
  name: chain
  steps:
${PEOPLE.map((name) => `    - id: step_${name}\n      kind: agent\n      ref: ${name}\n`).join('')}`;

const opened = draftsWindow([
  ['language.yaml', LANGUAGE],
  ['long.yaml', LONG],
  ...KINDS.map(([name, text]) => [`${name}.yaml`, text] as const),
]);

/** Takes changes back until the text is what it was. */
async function undoTo(page: Page, expected: string): Promise<void> {
  await expect(async () => {
    if ((await draftText(page)) !== expected) await page.keyboard.press('Control+z');
    expect(await draftText(page)).toBe(expected);
  }).toPass({ timeout: 10_000, intervals: [50] });
}

/** Puts the cursor some characters behind the start of a part of the text. */
async function goToPart(page: Page, part: string, into = 0): Promise<void> {
  const before = LANGUAGE.slice(0, LANGUAGE.indexOf(part) + into).split('\n');
  await goTo(page, before.length, (before.at(-1)?.length ?? 0) + 1);
}

test('the language service answers in the window', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'language.yaml');
  await expect(page.locator('.react-flow__node')).toHaveCount(2);

  await test.step('completion: keys, their required fields, names in scope', async () => {
    await typeAtEnd(page, '  hum');
    await page.keyboard.press('Control+Space');
    await expect(page.locator('.suggest-widget.visible')).toContainText('humans');
    await keepScreen(page, 'editor-completion');
    await page.keyboard.press('Enter');
    await expect.poll(() => draftText(page)).toContain('  humans:\n    name:\n');
    await page.keyboard.press('Escape');
    await undoTo(page, LANGUAGE);
    await goToPart(page, 'writer}');
    for (let i = 0; i < 'writer'.length; i += 1) await page.keyboard.press('Delete');
    await page.keyboard.press('Control+Space');
    await expect(page.locator('.suggest-widget.visible')).toContainText('sorter');
    await expect(page.locator('.suggest-widget.visible')).toContainText('writer');
    await page.keyboard.type('wri');
    await page.keyboard.press('Enter');
    await expect.poll(() => draftText(page)).toBe(LANGUAGE);
  });

  await test.step('hover: a field and what a name stands for', async () => {
    await page.getByText('writer', { exact: true }).first().hover();
    await expect(
      page.locator('.monaco-hover').filter({ hasText: 'Writes the answer' }),
    ).toBeVisible();
    await keepScreen(page, 'editor-hover');
    await page.keyboard.press('Escape');
  });

  await test.step('F12: from the use to the declaration', async () => {
    await goToPart(page, 'writer}', 2);
    await page.keyboard.press('F12');
    await expect(page.getByTestId('status-bar')).toContainText('Line 20,');
  });

  await test.step('F2: a name everywhere, undone at once; a taken name is refused', async () => {
    await goToPart(page, 'sort: {', 1);
    await page.keyboard.press('F2');
    const input = page.locator('.rename-box input');
    await expect(input).toHaveValue('sort');
    await keepScreen(page, 'editor-rename');
    await input.fill('triage');
    await page.keyboard.press('Enter');
    const renamed = LANGUAGE.replace('start: sort', 'start: triage')
      .replace('sort: {id: sort', 'triage: {id: triage')
      .replace('from: sort', 'from: triage');
    await expect.poll(() => draftText(page)).toBe(renamed);
    await undoTo(page, LANGUAGE);
    await goToPart(page, 'sort: {', 1);
    await page.keyboard.press('F2');
    await input.fill('reply');
    await page.keyboard.press('Enter');
    await expect(page.getByText('already the name of another step')).toBeVisible();
    await keepScreen(page, 'editor-rename-refused');
  });

  await test.step('outline, breadcrumbs and the list of symbols', async () => {
    await goToPart(page, 'reply: {', 2);
    await expect(page.getByTestId('breadcrumbs')).toHaveText('workflowreply');
    await page.getByTestId('side-view').getByText('Outline').click();
    const outline = page.getByTestId('outline');
    await expect(outline.locator('[aria-current]')).toContainText('reply');
    await outline.getByText('sorter').first().click();
    await expect(page.getByTestId('status-bar')).toContainText('Line 13,');
    await keepScreen(page, 'editor-outline');
    await page.keyboard.press('Control+Shift+O');
    await expect(page.locator('.quick-input-widget')).toContainText('reply');
    await page.keyboard.type('writer');
    await keepScreen(page, 'editor-symbols');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('status-bar')).toContainText('Line 20,');
    await page.getByTestId('side-view').getByText('Graph').click();
  });

  await test.step('folding, comments too', async () => {
    await goTo(page, 2, 1);
    await page.keyboard.press('Control+Shift+[');
    await expect(page.getByText('# answers alone.')).toHaveCount(0);
    await page.keyboard.press('Control+Shift+]');
    await expect(page.getByText('# answers alone.')).toHaveCount(1);
  });

  await test.step('format keeps comments; undo takes it back', async () => {
    await page.keyboard.press('Shift+Alt+F');
    await expect.poll(() => draftText(page)).toContain('\n  - {from: sort, to: reply} # always\n');
    await undoTo(page, LANGUAGE);
  });

  await test.step('a problem, the way to it, and its quick fix', async () => {
    await goToPart(page, 'writer}');
    await page.keyboard.press('Delete');
    await expect(page.getByTestId('status-problems')).toContainText('1');
    await page.keyboard.press('Control+Shift+M');
    const problem = page.locator('.sw-problem').first();
    await expect(problem).toContainText('riter');
    await problem.press('Enter');
    await expect(page.getByTestId('status-bar')).toContainText('Line 14,');
    await page.keyboard.press('Control+.');
    await expect(page.getByText('Change to "writer"').first()).toBeVisible();
    await keepScreen(page, 'editor-quick-fix');
    await page.keyboard.press('Enter');
    await expect.poll(() => draftText(page)).toBe(LANGUAGE);
    await expect(page.getByTestId('status-problems')).toContainText('0');
    await page.keyboard.press('Control+j');
  });

  await test.step('a quick fix that declares what is missing', async () => {
    await goToPart(page, 'writer}');
    for (const key of 'bot/') await page.keyboard.type(key);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('status-problems')).toContainText('1');
    const declare = page.getByText('Declare the agent "bot/writer"').first();
    // The editor drops a question when the findings of the last letter arrive after it.
    await expect(async () => {
      await page.keyboard.press('Control+.');
      await expect(declare).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await keepScreen(page, 'editor-declare');
    await declare.click();
    await expect
      .poll(() => draftText(page))
      .toContain('\n    bot/writer: {name: bot/writer, system_prompt: ');
    await expect(page.getByTestId('status-problems')).toContainText('0');
    await undoTo(page, LANGUAGE);
  });

  await test.step('a broken text keeps the outline and the last good graph', async () => {
    await goToPart(page, 'desk', 4);
    await page.keyboard.type(': [');
    await expect(page.getByTestId('graph')).toHaveAttribute('data-stale', 'true');
    await expect(page.locator('.react-flow__node')).toHaveCount(2);
    await goToPart(page, 'reply: {', 2);
    await expect(page.getByTestId('breadcrumbs')).toHaveText('workflowreply');
    await keepScreen(page, 'editor-broken');
    await undoTo(page, LANGUAGE);
  });
});

test('a key is painted at once in a text of 2,000 lines, its findings after it', async () => {
  const { page } = opened.desktop;
  await openDraft(page, 'long.yaml');
  // A long drawing opens where it begins, and stays there when its pane gets smaller.
  const start = page.locator('.react-flow__node[data-id="workflow.steps[0]"]');
  await expect(start).toBeInViewport({ ratio: 0.99 });
  await page.keyboard.press('F5');
  await expect(page.getByTestId('draft-run')).toBeVisible();
  await page.waitForTimeout(400);
  await expect(start).toBeInViewport({ ratio: 0.99 });
  await page.getByTestId('draft-run').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByTestId('status-problems')).toContainText('0');
  await goTo(page, 1000, 1);
  await page.keyboard.press('End');
  await watchTyping(page);
  const samples: Painted[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    samples.push(await timeKey(page, '['), await timeKey(page, 'Backspace'));
  }
  for (const { text, findings } of samples) expect(text).toBeLessThanOrEqual(findings);
  test.info().annotations.push({ type: 'typing', description: keepTyping('typing', samples) });
});

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

for (const [name, , nodes, edges] of KINDS) {
  test(`the graph of a ${name} workflow`, async () => {
    const { page } = opened.desktop;
    await openDraft(page, `${name}.yaml`);
    const drawn = page.locator('.react-flow__node');
    await expect(drawn.first()).toBeVisible();
    const tab = page.getByTestId('tabs').locator('[data-active="true"]');
    // A tab that ends between two pixels is in view.
    await expect(tab).toBeInViewport({ ratio: 0.98 });
    await expect(drawn).toHaveCount(nodes);
    await expect(page.locator('.react-flow__edge')).toHaveCount(edges);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(350);
        await keepScreen(page, `graph-${name}-${colorScheme}-${width}`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  });
}
