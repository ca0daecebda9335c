import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startFakePlatform } from '../support/fake-platform.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { makeDraft, openDraft } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';
import { writeShout } from './support/shout-function.ts';

const SPEC = `version: v1
agent: {name: desk, model: {provider: anthropic, name: m, extra: {api_key_ref: DESK_KEY}}}
workflow:
  name: shouting
  type: sequential
  steps:
    - {id: shout, kind: function, ref: shout}
components:
  functions:
    shout: {implementation: {$registry: shout}}
`;

async function goToEnvironments(page: Page): Promise<void> {
  await page.getByTestId('environment').click();
  await page.getByRole('menuitem', { name: 'Environments of this project' }).click();
  await expect(page.getByTestId('environments-page')).toBeVisible();
}

async function attachRegistry(desktop: Desktop, file: string): Promise<void> {
  const { page } = desktop;
  await page.getByTestId('alias-default').getByTestId('open-registry').click();
  await desktop.chooseFiles(file);
  await page.getByTestId('registry-file').click();
  const change = page.getByTestId('registry-change');
  await expect(change).toContainText('1 new');
  await expect(change).toContainText('shouting.yaml');
  await expect(change).toContainText('now filled');
  await checkLooks(desktop, 'environments-2-registry');
  await page.getByTestId('registry-attach').click();
  await expect(page.getByTestId('registry-dialog')).toHaveCount(0);
}

test('platforms are bound and rotated; what a spec lacks there leads to its fix', async () => {
  const folder = scratchFolder();
  const fake = await startFakePlatform();
  fake.on('GET /v1/healthz', { body: { ok: true, service: 's', version: '1.3.0', metadata: {} } });
  fake.on('GET /v1/policies/environment/*', { body: { policy: { require_guardrails: true } } });
  const profiles = path.join(folder.path, 'profiles.toml');
  writeFileSync(profiles, `[team]\nurl = "${fake.url}"\n`);
  const registry = path.join(folder.path, 'registry.yaml');
  writeFileSync(registry, 'shout: texts.shout\n');
  const env = { STUDIO_PROFILES_FILE: profiles };
  const desktop = await openDesktop({ folder: folder.path, env });
  const { page } = desktop;
  await desktop.ready();
  await makeDraft(desktop, 'shouting', SPEC);
  writeShout(folder.path);
  await openDraft(page, 'shouting.yaml');
  await page.getByTestId('status-trust').click();
  await page.getByTestId('trust-give').click();
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');

  await goToEnvironments(page);
  const own = page.getByTestId('alias-default');
  await expect(own.getByTestId('environment-state')).toHaveText('Reachable');
  await page.getByTestId('bind-alias').click();
  await page.getByTestId('bind-name').fill('team');
  await page.getByTestId('bind-profile').click();
  await page.getByRole('option', { name: /^team/ }).click();
  await keepScreen(page, 'environments-0-bind');
  await page.getByTestId('bind-submit').click();
  const team = page.getByTestId('alias-team');
  await expect(team).toContainText('guardrails are required');

  await team.getByTestId('next-generation').click();
  await page.getByTestId('bind-environment').fill('staging');
  await page.getByTestId('bind-submit').click();
  await expect(team.getByTestId('generation-1')).toContainText('Superseded');
  await team.getByTestId('generation-2').getByTestId('retire-generation').click();
  await expect(page.getByTestId('retire-dialog')).toContainText('Generation 1 answers for team');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('retire-dialog')).toHaveCount(0);
  writeFileSync(profiles, `[team]\nurl = "http://127.0.0.1:9"\n`);
  await team.getByRole('button', { name: 'More actions of team' }).click();
  await page.getByRole('menuitem', { name: 'Ask the platform again' }).click();
  await expect(team.getByTestId('environment-state')).toHaveText('Another address');
  await checkLooks(desktop, 'environments-1-page');
  await attachRegistry(desktop, registry);
  await expect(own).toContainText('generation 2');

  await openDraft(page, 'shouting.yaml');
  // AS-070: the reference is filled in on the platform, so the text has no fault.
  await expect(page.getByTestId('status-problems')).toHaveText(/^ 0errors/);
  await expect(page.locator('.squiggly-error')).toHaveCount(0);
  await page.getByTestId('side-view').getByText('Preview').click();
  await expect(page.getByTestId('alias-picker').first()).toHaveValue('default · dev');
  await page.getByTestId('preview-preflight').locator('summary').click();
  await expect(page.getByTestId('need-DESK_KEY')).toHaveAttribute('data-state', 'missing');
  await expect(page.getByTestId('need-anthropic')).toHaveCount(0);
  await checkLooks(desktop, 'environments-3-draft');

  await page.getByTestId('create-artifact').click();
  await page.getByTestId('artifact-submit').click();
  await expect(page.getByTestId('check-credentials')).toContainText('DESK_KEY');
  await expect(page.getByTestId('check-governance')).toHaveAttribute('data-ok', 'true');
  await expect(page.getByTestId('check-environment')).toContainText('generation 2');
  await expect(page.getByTestId('check-portability')).toContainText('Filled from the registry');
  await expect(page.getByTestId('check-freshness')).toContainText('no analysis');
  await checkLooks(desktop, 'environments-4-artifact');
  await page.keyboard.press('F5');
  await expect(page.getByTestId('lacks-DESK_KEY')).toContainText('Settings');
  await expect(page.getByTestId('run-input')).toBeFocused();
  await checkLooks(desktop, 'environments-7-run');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('run-input')).toHaveCount(0);
  await page.getByText('Tools, permissions, guardrails and human review').click();
  await expect(page.getByTestId('policy-report')).toContainText('The spec declares no tool.');
  await page.getByTestId('preflight').scrollIntoViewIfNeeded();
  await keepScreen(page, 'environments-6-report');
  await page.getByTestId('export-artifact').click();
  await expect(page.getByTestId('export-alias')).toContainText('default, generation 2');
  await keepScreen(page, 'environments-5-export');
  await page.keyboard.press('Escape');
  await page.getByTestId('blocker-line').click();
  await expect(page.getByTestId('editor-page')).toHaveAttribute('data-ref', /shouting/);
  await expect(page.locator('.sw-node-lines').first()).toBeVisible();

  await fake.close();
  await desktop.close();
  folder.remove();
});
