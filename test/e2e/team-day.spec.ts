import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { dashboardEnv, studioProviderFile, writePrivate } from '../support/team-server.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { atProvider, freePort, hostWord, person } from './support/team.ts';

// Many pictures of two browsers in one story.
test.setTimeout(300_000);

const SPEC = `version: v1
agent:
  name: desk
  model:
    provider: dummy
    name: d
`;
const CALLBACKS = ['/studio/api/session/oidc/callback', '/dashboard/api/callback'];

const claims = (name: string, email: string) => ({ name, email, email_verified: true });

async function startTeam() {
  const folder = scratchFolder();
  const tree = path.join(folder.path, 'projects', 'default');
  mkdirSync(tree, { recursive: true });
  writeFileSync(path.join(tree, 'desk.yaml'), SPEC);
  const origin = `http://127.0.0.1:${await freePort()}`;
  const idp = await startIdentityProvider(
    CALLBACKS.map((callback) => origin + callback),
    [
      { id: 'ada', claims: { ...claims('Ada', 'ada@example.com'), roles: ['desk'] } },
      { id: 'eve', claims: claims('Eve', 'eve@example.com') },
    ],
  );
  const bootstrap = { owner: { kind: 'oidc', issuer: idp.issuer, subject: 'ada' } };
  const file = writePrivate(
    path.join(folder.path, 'provider.json'),
    studioProviderFile(idp.issuer, origin, { bootstrap }),
  );
  const headless = await serveHeadless({
    folder: folder.path,
    args: ['--gateway-port', new URL(origin).port],
    env: {
      STUDIO_AUTH_MODE: 'oidc',
      STUDIO_OIDC_PROVIDER_FILE: file,
      ...dashboardEnv(idp.issuer, origin),
    },
  });
  return { folder, tree, origin, idp, headless };
}

async function signIn(page: Page, origin: string, who: string): Promise<void> {
  await page.goto(origin);
  await page.getByTestId('provider-studio').click();
  await atProvider(page, who);
  await expect(page.getByTestId('account')).toBeVisible();
}

const place = (page: Page, name: string) =>
  page.getByTestId('project-places').getByRole('link', { name });

async function toProject(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/projects/default`);
  await expect(page.getByTestId('project-page')).toBeVisible();
}

test("a team's day: invited, held, confirmed, let in, refused, removed, and all of it told (AS-094, AS-099, AS-101, AS-102, AS-134, AS-137)", async () => {
  const { folder, tree, origin, idp, headless } = await startTeam();
  const browser = await openChromium();
  const ada = await person(browser);
  await signIn(ada, origin, 'ada');
  await toProject(ada, origin);
  await ada.getByTestId('add-found-specs').click();
  await expect(ada.getByTestId('add-found-specs')).toBeHidden();

  // Nobody is invited before the exposure is confirmed; the refusal leads to where it is.
  await place(ada, 'Members').click();
  await expect(ada.getByTestId('members-unconfirmed')).toContainText('not confirmed yet');
  const form = ada.getByTestId('invite-form');
  await expect(form.getByTestId('invite-kind').locator('option[disabled]')).toHaveText(
    /User name \(nobody signs in with a name and password here\)/,
  );
  await form.getByTestId('invite-value').fill('eve@EXAMPLE.com');
  await form.getByTestId('invite-role').selectOption('editor');
  await form.getByTestId('invite-send').click();
  await expect(form.getByTestId('error-state')).toContainText('Nobody was invited');
  await form.getByTestId('remedy-place').click();
  await expect(ada.getByTestId('exposure-status')).toContainText('Not confirmed yet');
  await expect(ada.getByRole('table', { name: 'Exposed files' })).toContainText('desk.yaml');
  await ada.getByTestId('confirm-exposure').click();
  await expect(ada.getByTestId('exposure-status')).toContainText('Last confirmed by Ada');
  await expect(ada.getByTestId('confirm-exposure')).toBeHidden();
  await ada.goBack();
  await form.getByTestId('invite-value').fill('eve@EXAMPLE.com');
  await form.getByTestId('invite-role').selectOption('editor');
  await form.getByTestId('invite-value').press('Enter');
  const waiting = ada.getByTestId('invitation-eve@example.com');
  await expect(waiting).toContainText('editor');

  // A file that comes after the confirmation holds the invitation.
  writeFileSync(path.join(tree, 'prices.yaml'), SPEC);
  await toProject(ada, origin);
  await ada.getByTestId('add-found-specs').click();
  await expect(ada.getByTestId('add-found-specs')).toBeHidden();
  const eve = await person(browser);
  await signIn(eve, origin, 'eve');
  await expect(eve.getByTestId('no-project')).toBeVisible();
  await place(ada, 'Members').click();
  await expect(waiting.getByTestId('held-reason')).toContainText('files were added or removed');
  await checkLooks(ada, 'team-day-held');
  await waiting.getByRole('link', { name: 'Confirm the exposure' }).click();
  await expect(ada.getByTestId('exposure-status')).toContainText('Since then: 1 file new.');
  await expect(ada.getByTestId('row-prices.yaml')).toContainText('new');
  await checkLooks(ada, 'team-day-exposure');
  await ada.getByTestId('confirm-exposure').click();
  await expect(ada.getByTestId('exposure-status')).toContainText('No file is new or gone since.');

  // The second person comes in, and finds no control that her role does not allow.
  await eve.getByTestId('account').click();
  await eve.getByTestId('account-sign-out').click();
  await eve.getByTestId('provider-studio').click();
  await expect(eve.getByTestId('project-default')).toBeVisible();
  const refused: string[] = [];
  eve.on('response', (answer) => {
    if (answer.status() === 403) refused.push(new URL(answer.url()).pathname);
  });
  await toProject(eve, origin);
  await place(eve, 'Members').click();
  await expect(eve.getByTestId('member-Ada')).toContainText('Owner');
  await expect(eve.getByTestId('member-Eve')).toContainText('you');
  await expect(eve.getByTestId('members-page').getByRole('combobox')).toHaveCount(0);
  await expect(eve.getByTestId('members-page').getByRole('button')).toHaveCount(0);
  await expect(eve.getByTestId('limits')).toBeVisible();
  await checkLooks(eve, 'team-day-editor');
  await toProject(eve, origin);
  await place(eve, 'Exposure').click();
  await expect(eve.getByTestId('exposure-status')).toContainText('An owner of the project');
  await expect(eve.getByTestId('confirm-exposure')).toHaveCount(0);
  await toProject(eve, origin);
  await place(eve, 'Activity').click();
  await expect(eve.getByTestId('activity-shut')).toContainText('You are editor of this project');
  expect(refused).toEqual([]);

  // The storage goes over and comes back.
  await toProject(ada, origin);
  await place(ada, 'Members').click();
  await ada.getByTestId('offer-to').selectOption({ label: 'Eve' });
  await ada.getByTestId('offer-storage').click();
  await expect(ada.getByTestId('storage-offer')).toContainText('Offered to Eve by you');
  await toProject(eve, origin);
  await place(eve, 'Members').click();
  await eve.getByTestId('accept-storage').click();
  await expect(eve.getByTestId('member-Eve')).toContainText('carries the storage');
  await ada.reload();
  await ada.getByTestId('remove-Eve').click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(ada.getByTestId('members').locator('..')).toContainText(
    'Their storage carries the project.',
  );
  await ada.getByTestId('role-of-Ada').selectOption('viewer');
  await ada.getByRole('dialog').getByRole('button', { name: 'Become viewer' }).click();
  await expect(ada.getByTestId('error-state')).toContainText('Make somebody else an owner first.');
  await eve.getByTestId('offer-to').selectOption({ label: 'Ada' });
  await eve.getByTestId('offer-storage').click();
  await expect(eve.getByTestId('storage-offer')).toBeVisible();
  await ada.reload();
  await ada.getByTestId('accept-storage').click();
  await expect(ada.getByTestId('member-Ada')).toContainText('carries the storage');

  // Removed: the other window says so at the next thing that it asks.
  await ada.getByTestId('remove-Eve').click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(ada.getByTestId('member-Eve')).toHaveCount(0);
  await eve.goto(`${origin}/projects/default`);
  await expect(eve.getByText('There is no such project')).toBeVisible();
  hostWord(folder.path, 'oidc', 'studio', 'principal', 'disable', '--subject', 'eve');
  await eve.reload();
  await expect(eve.getByTestId('provider-studio')).toBeVisible();

  // Another folder in the place of the confirmed one: every refusal leads to the list.
  renameSync(tree, `${tree}-old`);
  mkdirSync(tree);
  writeFileSync(path.join(tree, 'desk.yaml'), SPEC);
  await toProject(ada, origin);
  await ada.getByTestId('project-page').getByTestId('remedy-place').click();
  await expect(ada.getByTestId('exposure-status')).toContainText('This is another folder');
  await expect(ada.getByTestId('exposure-status')).toContainText('Not in this folder:');
  await checkLooks(ada, 'team-day-swapped');
  await ada.getByTestId('confirm-exposure').click();
  await expect(ada.getByTestId('exposure-status')).toContainText('Confirmed.');
  await toProject(ada, origin);
  await expect(ada.getByTestId('count-drafts')).toHaveText('2');

  await place(ada, 'Activity').click();
  const table = ada.getByRole('table', { name: 'Activity' });
  for (const what of [
    'Confirm the exposure',
    'Invite somebody',
    'Come in by an invitation',
    'Take over the storage',
    'Remove a member',
  ]) {
    await expect(table).toContainText(what);
  }
  await ada.getByTestId('activity-outcome').selectOption('held');
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByText('Eve').click();
  await expect(ada.getByTestId('activity-detail')).toContainText('files were added or removed');
  await ada.getByRole('button', { name: 'Clear' }).click();
  await expect(table).toContainText('Remove a member');
  await checkLooks(ada, 'team-day-activity');
  const saving = ada.waitForEvent('download');
  await ada.getByTestId('export-activity').click();
  await ada.getByRole('menuitem', { name: /JSON lines/ }).click();
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.map((line) => JSON.parse(line).display_name)).toContain('Eve');
  const csv = hostWord(folder.path, 'oidc', 'studio', 'audit', '--csv', '--actor', 'operator');
  expect(csv).toContain('host.disable_principal');

  await browser.close();
  await idp.close();
  await headless.stop();
  folder.remove();
});
