import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { importOne } from './support/import-one.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';

const EXPORT = path.resolve(import.meta.dirname, '../fixtures/n8n/two-agents-sequential.json');

/** Changes every stored analysis, as an earlier version of the program or a bad disk would. */
function changeAnalyses(folder: string, set: string): void {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith('studio.db'),
  );
  const store = new DatabaseSync(path.join(folder, found ?? 'missing'));
  store.exec(`PRAGMA busy_timeout = 5000; UPDATE analysis SET ${set}`);
  store.close();
}

/** Acknowledges all gaps of one analysis for an artifact, as its page would. */
async function acknowledgeAll(desktop: Desktop, artifact: string, analysis: string): Promise<void> {
  const { gateway } = await desktop.services();
  const refused = await desktop.page.evaluate(
    async ({ url, token, artifact, analysis }) => {
      const at = `${url}/studio/api/projects/default/artifacts/${artifact}`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await (await fetch(at, { headers })).json();
      const gaps: { analysis_id: string }[] = answer.unacknowledged_manual_gaps;
      const own = gaps.filter((gap) => gap.analysis_id === analysis);
      const sent = own.map((gap) =>
        fetch(`${at}/acknowledgements`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ gap }),
        }),
      );
      return (await Promise.all(sent)).filter(({ ok }) => !ok).length + (own.length === 0 ? 1 : 0);
    },
    { ...gateway, artifact, analysis },
  );
  expect(refused).toBe(0);
}

const idIn = (page: Page, part: string): string =>
  new RegExp(`[/?&]${part}[/=]([0-9a-f]+)`).exec(page.url())?.[1] ?? '';

test('two imports of one draft, both settled; what ages is renewed offer by offer', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const later = path.join(folder.path, 'later.json');
  writeFileSync(later, `${readFileSync(EXPORT, 'utf8')}\n`);

  // How it is converted is chosen, remembered and named.
  await desktop.ready();
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await page.getByTestId('import-options-open').click();
  await expect(page.getByTestId('source-flowise')).toContainText('experimental');
  await checkLooks(desktop, 'import-options');
  await page.keyboard.press('Escape');
  await importOne(desktop, EXPORT);
  await expect(page.getByTestId('conversion')).toHaveText('Extended conversion');
  const first = idIn(page, 'imports');
  await desktop.chooseFiles(later);
  await page.keyboard.press('Control+o');
  await expect.poll(() => idIn(page, 'imports')).not.toBe(first);
  const second = idIn(page, 'imports');

  // "Review gaps" leads to one that has something open.
  await page.getByTestId('open-editor').click();
  await page.getByTestId('open-gaps').click();
  await expect(page.getByTestId('analysis-switch')).toContainText('2 to review open');
  await expect(page.getByTestId('gap-import')).toContainText('n8n, imported');
  await page.locator('.sw-gap-main').first().click();
  await page.getByTestId('create-artifact').first().click();
  await page.getByTestId('artifact-submit').click();
  await page.getByTestId('open-artifact').click();
  await expect(page.getByTestId('artifact-page')).toBeVisible();
  const artifact = idIn(page, 'artifacts');
  await acknowledgeAll(desktop, artifact, second);
  await page.reload();
  await page.getByTestId('remedy-acknowledge').click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  expect(idIn(page, 'gaps')).toBe(first);
  await expect(page.getByTestId('analysis-other')).toContainText('nothing open');
  await checkLooks(desktop, 'gaps-two-imports');
  await acknowledgeAll(desktop, artifact, first);
  await page.reload();
  await expect(page.getByTestId('gap-progress')).toContainText('No gap blocks export');

  // The stored analyses age; a new import makes the artifact stale, and its offers renew it.
  changeAnalyses(folder.path, "analyzer_version = '0.9.0'");
  await page.getByTestId('open-artifact').click();
  await expect(page.getByTestId('freshness')).toHaveAttribute('data-outcome', 'older');
  await page.getByTestId('open-freshness').click();
  await expect(page.getByTestId('lineage')).toHaveCount(2);
  await expect(page.getByTestId('freshness-advice')).toContainText('refuses no export');
  for (const file of [EXPORT, later]) {
    await page.locator('[data-testid="lineage"][data-outcome="older"]').first().waitFor();
    const older = page.locator('[data-testid="lineage"][data-outcome="older"]').first();
    await older.getByTestId('offer-re_import').click();
    await desktop.chooseFiles(file);
    await page.getByTestId('choose-source').click();
    await expect(page.getByTestId('chosen-source')).toContainText('It is');
    if (!(await page.getByTestId('chosen-source').innerText()).includes('byte for byte.')) {
      await desktop.chooseFiles(file === EXPORT ? later : EXPORT);
      await page.getByTestId('choose-source').click();
    }
    await expect(page.getByTestId('chosen-source')).toContainText('byte for byte.');
    await keepScreen(page, 'freshness-import-again');
    await page.getByTestId('reimport-file-submit').click();
    await expect(page.getByTestId('reimport-file-dialog')).toHaveCount(0);
  }
  await expect(page.getByTestId('outcome')).toHaveAttribute('data-outcome', 'frozen_history');
  await expect(page.getByTestId('elected').first()).toContainText('made after the artifact');
  await checkLooks(desktop, 'freshness-superseded');
  await page.getByTestId('offer-open_successor').first().click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.goBack();
  await page.getByTestId('offer-new_artifact').first().click();
  await expect(page.getByTestId('freshness')).toHaveAttribute('data-outcome', 'current');
  await page.getByTestId('open-freshness').click();
  await expect(page.getByTestId('outcome')).toHaveAttribute('data-outcome', 'current');
  await page.getByRole('button', { name: 'All artifacts' }).click();
  await expect(page.getByTestId('project-freshness-page')).toContainText('superseded');
  await checkLooks(desktop, 'freshness-project');

  // A draft that was written here: said, shown with name and time, voided by an edit.
  await makeDraft(desktop, 'own', 'version: v1\nagent:\n  name: own\n');
  await page.reload();
  await openDraft(page, 'own.yaml');
  await page.getByTestId('open-analysis').click();
  await page.getByTestId('assert-not-applicable').click();
  await expect(page.getByTestId('assertion')).toContainText('needs no source analysis');
  await keepScreen(page, 'gaps-not-applicable');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open editor' }).click();
  await expect(page.getByTestId('open-analysis')).toHaveAccessibleName(/none is needed/);
  await typeAtEnd(page, '  description: more');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('open-analysis')).toHaveAccessibleName(/none yet/);
  await page.getByTestId('open-analysis').click();
  await expect(page.getByTestId('assertion')).toContainText('has voided that');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Review gaps of this project');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('analysis-row')).toHaveCount(4);
  await keepScreen(page, 'gaps-of-project');
  await expectAccessible(page);

  // A damaged record says so, and what to do.
  changeAnalyses(folder.path, "payload = 'kas1.damaged'");
  await page.getByTestId('review-gaps').first().click();
  await expect(page.getByTestId('gap-page-unread')).toContainText('is damaged');
  await expect(page.getByTestId('import-again')).toBeVisible();
  await expect(page.getByTestId('analysis-current')).toContainText('damaged');
  await keepScreen(page, 'gaps-damaged');
  await expectAccessible(page);
  expect(desktop.errors.filter((line) => !line.includes(' 409 '))).toEqual([]);
  await desktop.close();
  folder.remove();
});
