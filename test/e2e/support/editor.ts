import { expect, type Page } from '@playwright/test';
import type { Workbench } from './desktop.ts';

/** A draft whose only step is the function `texts.tidy` of its project. */
export const TIDY_SPEC = `version: v1
agent: {name: desk}
workflow:
  name: pipe
  type: sequential
  steps:
    - {id: tidy, kind: function, ref: tidy}
components:
  functions:
    tidy: {implementation: texts.tidy}
`;

/** Makes a draft in the default project, as the page would. */
export async function makeDraft(
  desktop: Workbench,
  name: string,
  text: string,
  kind: 'spec' | 'overlay' = 'spec',
): Promise<void> {
  const { gateway } = await desktop.services();
  const refusal = await desktop.page.evaluate(
    async ({ url, token, body }) => {
      const answer = await fetch(`${url}/studio/api/projects/default/drafts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
      return answer.ok ? null : `${answer.status} ${await answer.text()}`;
    },
    { ...gateway, body: JSON.stringify({ name, kind, text }) },
  );
  if (refusal !== null) throw new Error(`${name}: ${refusal}`);
}

/** Opens a draft that lies in the default project. */
export async function openDraft(page: Page, name: string): Promise<void> {
  await page.getByTestId('place-author').click();
  const draft = page.getByTestId('sidebar').locator(`[href*="${name}"]`).first();
  const project = page.getByTestId('project-default');
  await expect(draft.or(project).first()).toBeVisible();
  if (await project.isVisible()) await project.click();
  await draft.click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', new RegExp(name));
  await page.locator('.monaco-editor .view-line').first().waitFor();
}

/** The whole text in the editor, as it would be copied. */
export async function draftText(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('.view-lines .view-line')];
    return rows
      .toSorted((a, b) => a.offsetTop - b.offsetTop)
      .map((row) => row.textContent ?? '')
      .join('\n');
  });
  return text.replaceAll('\u00a0', ' ');
}

/** Types behind the last line. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

/** Puts the cursor at a line and column, both from 1, by the editor's own "go to line". */
export async function goTo(page: Page, line: number, column = 1): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+g');
  const input = page.locator('.quick-input-widget input').first();
  await expect(input).toBeVisible();
  await input.fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await expect(input).toBeHidden();
}
