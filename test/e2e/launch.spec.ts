// Launching from the studio, from text and again; what authors run in the operators' record.
import { expect, type Page, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { ask } from './support/ask.ts';
import { checkLooks } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const DEFAULT = '/studio/api/projects/default';

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.location.hash = to;
  }, path);
}

const BROKEN = `version: v1
agent:
  name: desk
  system_prompt: Answer letters.
workflow:
  name: answer
  type: sequential
  steps:
    - id: draft
      kind: agent
      ref: nobody
`;
const MENDED = `version: v1
agent:
  name: desk
  system_prompt: Answer letters.
`;

test('a draft and an artifact are launched, and launched again, with all that a run takes', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const make = (name: string, text: string) =>
    ask(desktop, 'POST', `${DEFAULT}/drafts`, { name, kind: 'spec', text });
  const { ref, revision } = await make('letters', BROKEN);

  await goTo(page, paths.launch());
  await page.getByTestId('launch-kind').getByText('Draft', { exact: true }).click();
  await page.getByTestId('launch-project').click();
  await page.getByRole('option').first().click();
  await page.getByTestId('launch-pick').click();
  await page.getByRole('option', { name: ref }).click();
  await expect(page.getByTestId('launch-text')).toHaveValue(BROKEN);
  await expect(page.getByTestId('launch-text')).toHaveAttribute('readonly');
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('It does not run as it is');
  await expect(page.getByTestId('launch-run-submit')).toHaveCount(0);
  await checkLooks(desktop, 'launch-refused-draft');

  // A finding leads into the draft, to the place it is about.
  await page.getByTestId('launch-place').first().click();
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  await expect(page.getByTestId('status-bar')).toContainText('Line 11');

  const save = async (text: string, expected_revision: string): Promise<string> => {
    const body = { text, expected_revision };
    return (await ask(desktop, 'PUT', `${DEFAULT}/drafts/${ref}`, body)).revision;
  };
  const saved = await save(MENDED, revision);
  await goTo(page, paths.launch());
  await page.getByTestId('launch-kind').getByText('Draft', { exact: true }).click();
  await page.getByTestId('launch-project').click();
  await page.getByRole('option').first().click();
  await page.getByTestId('launch-pick').click();
  await page.getByRole('option', { name: ref }).click();
  await expect(page.getByTestId('launch-text')).toHaveValue(MENDED);
  await page.getByTestId('launch-options').click();
  await page.getByTestId('launch-timeout').fill('600');
  await page.getByTestId('launch-session').fill('letters-of-today');
  await page.getByTestId('launch-metadata').fill('authoring: {}');
  await expect(page.getByText('it is written from the source')).toBeVisible();
  await expect(page.getByTestId('launch-check')).toBeDisabled();
  await page.getByTestId('launch-metadata').fill('ticket: R-118');
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('It may run');
  await page.getByTestId('launch-input').fill('hello');
  await checkLooks(desktop, 'launch-draft');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toContainText('desk');

  // The run leads back to its draft, and carries what was chosen.
  const { entries } = await ask(desktop, 'GET', '/dashboard/api/launch/history');
  expect(entries[0]).toMatchObject({
    source: { kind: 'draft', ref, revision: saved },
    options: { timeout: 600, session_id: 'letters-of-today', not_kept: ['metadata'] },
  });
  const run = await ask(desktop, 'GET', `/platform/v1/runs/${entries[0].run_id}`);
  expect(run.metadata.caller_metadata).toMatchObject({
    ticket: 'R-118',
    authoring: { project_id: 'default', draft: ref, revision: saved },
  });

  // What is frozen of it runs as well; started on its own page, it is a launch all the same.
  const artifact = await ask(desktop, 'POST', `${DEFAULT}/artifacts`, {
    base: { path: ref, revision: saved },
    alias: 'default',
  });
  await goTo(page, paths.artifact('default', artifact.id));
  await page.getByTestId('run-artifact').click();
  await page.getByTestId('run-input').fill('from its page');
  await page.getByTestId('run-submit').click();
  await expect(page.getByTestId('run-page')).toBeVisible();

  await goTo(page, paths.launch());
  const groups = page.getByTestId('launch-group');
  await expect(groups).toHaveCount(2);
  await expect(groups.first()).toContainText('artifact of project default');
  await expect(groups.first()).toContainText('in the studio');
  await expect(groups.nth(1)).toContainText('completed', { timeout: 20_000 });
  await checkLooks(desktop, 'launch-history');
  await groups.first().getByTestId('launch-again').click();
  await expect(page.getByTestId('launch-text')).toHaveValue(/name: desk/);
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-run-submit')).toHaveText('Run in dev');
  await checkLooks(desktop, 'launch-again-artifact');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toBeVisible();

  // The draft goes on; launching it again says so.
  await save(`${MENDED}  description: Later.\n`, saved);
  await goTo(page, paths.launch());
  await groups.nth(1).getByTestId('launch-again').click();
  await expect(page.getByTestId('launch-note').nth(1)).toContainText('has changed since');
  await expect(page.getByTestId('launch-metadata')).toHaveValue('ticket: R-118\n');
  await expect(page.getByTestId('launch-timeout')).toHaveValue('600');

  // An author's rehearsal is nobody's launch.
  await expect(groups.first()).toContainText('1 earlier launch');
  await ask(desktop, 'POST', `${DEFAULT}/draft-runs`, {
    alias: 'default',
    draft: { path: ref, revision: saved },
    text: MENDED,
    input: 'hello',
  });
  const after = await ask(desktop, 'GET', '/dashboard/api/launch/history');
  expect(after.entries).toHaveLength(3);
  await desktop.close();
  folder.remove();
});

test('text shows where a finding stands; production is typed once more (OD-054)', async () => {
  const { folder, desktop, page } = await openStillWindow();
  await goTo(page, paths.administration());
  await page.getByTestId('connection-add').click();
  await page.getByTestId('connection-env').fill('live');
  await page.getByTestId('connection-production').check({ force: true });
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('connections')).toContainText('production');

  await goTo(page, paths.launch());
  await page.getByTestId('launch-text').fill(BROKEN);
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-place').first().click();
  const chosen = await page
    .getByTestId('launch-text')
    .evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    );
  expect(chosen).toBe('ref');

  await page.getByTestId('launch-text').fill(MENDED);
  await page.getByTestId('launch-environment').fill('live');
  await page.keyboard.press('Escape');
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-input').fill('hello');
  await expect(page.getByTestId('launch-run-submit')).toBeDisabled();
  await page.getByTestId('launch-typed').fill('liv');
  await expect(page.getByTestId('launch-run-submit')).toBeDisabled();
  await page.getByTestId('launch-typed').fill('live');
  await expect(page.getByTestId('launch-run-submit')).toBeEnabled();
  await checkLooks(desktop, 'launch-production');

  // Where the window shows an environment, a launch is for that one.
  await page.getByTestId('operator-environment').click();
  await page.getByTestId('environment-live').click();
  await expect(page.getByTestId('launch-fixed-environment')).toContainText('live, production');
  await expect(page.getByTestId('launch-environment')).toHaveCount(0);
  await page.getByTestId('launch-text').fill(MENDED);
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-typed').fill('live');
  await checkLooks(desktop, 'launch-fixed-production');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toBeVisible();
  await desktop.close();
  folder.remove();
});
