import { expect, test } from '@playwright/test';
import { ask } from './support/ask.ts';
import { fixtureSpec, startRun } from './support/runs.ts';
import { checkLooks, checkThemes } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

test('an operator sees what needs a person, what happened and whether all is well', async () => {
  const { folder, desktop, page } = await openStillWindow();

  // An empty store is calm, not blank.
  await page.getByTestId('place-operate').click();
  await expect(page.getByTestId('tile-failed')).toContainText('0');
  await expect(page.getByTestId('tile-failed')).toHaveAttribute('data-tone', 'neutral');
  await expect(page.getByTestId('needs-tasks')).toContainText('No task waits.');
  await expect(page.getByTestId('needs-failed')).toContainText('No run failed.');
  await expect(page.getByTestId('spend')).toContainText('No price is set.');

  const broken = await startRun(desktop, {
    spec: fixtureSpec('failing-import.yaml'),
    input: 'three files',
  });
  const spec = fixtureSpec('invoice-approval.yaml');
  const asking = await startRun(desktop, { spec, input: 'invoice R-118' });
  const waits = page.getByTestId('needs-tasks').getByRole('link').first();
  await expect(waits).toContainText('Is this invoice correct', { timeout: 30_000 });
  await expect(page.getByTestId('needs-failed')).toContainText(broken.slice(-6));
  await expect(page.getByTestId('overview-readiness')).toContainText('The platform is ready');
  await expect(page.getByTestId('activity')).toContainText('2 runs, by the hour');
  await expect(page.locator('path.recharts-rectangle').first()).toBeVisible();
  await checkLooks(desktop, 'operations-overview');
  // What happened meanwhile is told once, and can be read again.
  await page.getByTestId('news').click();
  const centre = page.getByTestId('news-centre');
  await expect(centre).toContainText('Is this invoice correct', { timeout: 30_000 });
  await expect(centre).toContainText(`${broken.slice(-6)} failed`, { timeout: 30_000 });
  await checkLooks(desktop, 'operations-news');
  await page.getByLabel('Runs that failed').uncheck();
  await expect
    .poll(
      async () => (await ask(desktop, 'GET', '/dashboard/api/settings/preferences')).preferences,
    )
    .toMatchObject({ muted: ['finished', 'failed'] });
  await page.keyboard.press('Escape');
  // The bell keeps what it told over a reload.
  await page.reload();
  await desktop.ready();
  await page.getByTestId('news').click();
  await expect(centre).toContainText('Is this invoice correct');
  await checkThemes(page, 'operations-news-kept');
  await page.getByTestId('news-clear').click();
  await expect(centre).toContainText('Nothing is new.');
  await page.keyboard.press('Escape');
  await page.getByTestId('tile-blocked').click();
  await expect(page.getByTestId('runs-count')).toHaveText('1 run');
  // All four decisions of a task are in sight on the page of its run.
  await page.evaluate((to) => {
    location.hash = to;
  }, `/runs/${asking}`);
  for (const name of ['Approve', 'Reject', 'Send edited text', 'Choose option'])
    await expect(page.getByRole('button', { name, exact: false }).last()).toBeInViewport({
      ratio: 1,
    });
  await page.keyboard.press('Control+4');
  await page.getByTestId('needs-failed').getByRole('link').first().click();
  await expect(page.getByTestId('run-page')).toContainText(broken.slice(-6));

  await page.keyboard.press('Control+4');
  await page.getByTestId('operate-failures').click();
  await expect(page.getByTestId('failures-coverage')).toHaveText('1 cause in 1 failed run.');
  await expect(page.getByTestId('failure')).toContainText('E_HANDLER_NOT_FOUND');
  // A cause has an address; what is dealt with leaves the list, as a note on its runs.
  await page.getByRole('link', { name: 'the one run of this cause' }).click();
  await expect(page.getByRole('table', { name: 'Runs of this cause' })).toContainText('no');
  await page.getByTestId('failure-deal').click();
  await page.getByTestId('deal-words').fill('The function is written.');
  await page.getByTestId('deal-submit').click();
  await page.getByTestId('bulk-start').click();
  await expect(page.getByTestId('bulk-sum')).toHaveText('1 run of 1 noted');
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('failure-dealt')).toContainText('dealt with');
  await checkLooks(desktop, 'operations-failures');
  await page.getByRole('button', { name: 'All causes' }).click();
  await expect(page.getByTestId('failures-coverage')).toContainText('1 dealt with');
  await expect(page.getByTestId('failure')).toHaveCount(0);

  // What somebody decides through the window stands in the log of people (OD-083).
  await ask(desktop, 'POST', `/dashboard/api/runs/${asking}/cancel`, {});
  await page.keyboard.press('Control+4');
  await page.getByTestId('operate-audit').click();
  const events = page.getByRole('table', { name: 'Audit events' });
  await expect(events).toContainText(broken.slice(-6));
  await expect(events.getByRole('rowheader').first()).toContainText('Today, ');
  await page.getByTestId('audit-run').fill(asking);
  await expect(events).not.toContainText(broken.slice(-6));
  await expect(events).toContainText(asking.slice(-6));
  // A row unfolds by keyboard, with all it holds and what people did to its run.
  const cancelled = events.getByRole('row').filter({ hasText: 'Run cancelled' }).first();
  await cancelled.focus();
  await page.keyboard.press('Enter');
  await expect(cancelled.getByRole('button', { name: 'Details' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  await expect(page.getByTestId('audit-detail')).toContainText(asking);
  // Its code stays at hand.
  await expect(
    page.getByTestId('audit-detail').getByRole('button', { name: 'run.cancelled, Copy' }),
  ).toBeVisible();
  await expect(page.getByTestId('audit-joined')).toContainText('the operator: Stop a run');
  await checkLooks(desktop, 'operations-audit');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('audit-detail')).toHaveCount(0);
  await page.getByTestId('audit-type').selectOption('run.created');
  await expect(events.getByRole('row')).toHaveCount(3);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('type=run.created');
  await page.reload();
  await desktop.ready();
  await expect(page.getByTestId('audit-type')).toHaveValue('run.created');
  await expect(events.getByRole('row')).toHaveCount(3);
  await page.getByTestId('audit-since').fill('2001-01-01');
  await page.getByTestId('audit-until').fill('2001-01-01');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByTestId('audit-clear').click();
  await expect(events).toContainText(broken.slice(-6));

  await page.getByText('People', { exact: true }).click();
  const people = page.getByRole('table', { name: 'What people did' });
  await expect(people).toContainText('Stop a run');
  await page.getByTestId('audit-words').fill('nobody at all');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByTestId('audit-words').fill('');
  await page.getByTestId('audit-outcome').selectOption('denied');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByTestId('audit-outcome').selectOption('ok');
  await page.getByTestId('audit-who').selectOption('static-operator');
  await page.getByTestId('audit-run').fill(asking);
  const acted = people.getByRole('row').filter({ hasText: 'Stop a run' });
  await expect(people.getByRole('row')).toHaveCount(3);
  await acted.click();
  await expect(page.getByTestId('audit-joined')).toContainText('Run cancelled');
  await checkLooks(desktop, 'operations-people');

  // The first policy is written here; what it does is shown before it is stored (OD-094).
  await page.getByTestId('operate-policies').click();
  await page.getByTestId('policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Guardrails are required' }).check();
  await expect(page.getByTestId('policy-affected')).toContainText('None of the newest runs');
  await checkLooks(desktop, 'operations-policy');
  await page.getByTestId('policy-apply').click();
  await page.getByTestId('apply-policy-name').fill('production');
  await expect(page.getByTestId('apply-policy-submit')).toBeDisabled();
  await page.getByTestId('apply-policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('policy-of-staging')).toContainText('on');
  await expect(page.getByTestId('policy-preview')).toHaveCount(0);
  const stored = await ask(desktop, 'GET', '/dashboard/api/policies/staging');
  expect(stored.policy).toMatchObject({ enabled: true, require_guardrails: true });

  await page.getByTestId('operate-health').click();
  await expect(page.getByTestId('platform-health')).toContainText('ready');
  await expect(page.getByTestId('health-history')).toContainText('ready each time');
  await expect(page.getByTestId('own-health')).toContainText('answers');
  await checkLooks(desktop, 'operations-health');

  // A secret that is missing matters where a spec needs it; it is set here and never shown again.
  const model = { provider: 'anthropic', name: 'any' };
  await startRun(desktop, { spec: { version: 'v1', agent: { name: 'asker', model } }, input: 'x' });
  await page.getByTestId('operate-secrets').click();
  const needed = page.getByTestId('credential-ANTHROPIC_API_KEY');
  await expect(needed).toContainText('missing and needed');
  await expect(page.getByTestId('credential-GOOGLE_API_KEY')).toContainText('not set');
  await checkLooks(desktop, 'operations-credentials');
  await needed.getByRole('button', { name: 'Set ANTHROPIC_API_KEY…' }).click();
  await page.getByTestId('key-value').fill('plain-words-of-a-key');
  await page.keyboard.press('Enter');
  await expect(needed).toContainText('present');
  await expect(needed.getByRole('button', { name: 'Replace ANTHROPIC_API_KEY…' })).toBeVisible();
  expect(await page.content()).not.toContain('plain-words-of-a-key');

  await desktop.close();
  folder.remove();
});

const POLLER = `version: v1
agent:
  name: poller
  system_prompt: Say what the build does.
`;

test('roles, environments and a price are set; a spec runs only after a green check', async () => {
  const { folder, desktop, page } = await openStillWindow();
  await page.getByTestId('place-operate').click();

  // Roles and prices hold for everybody: changes are told before they are saved (OD-033, OD-037).
  await page.getByTestId('operate-administration').click();
  await expect(page.getByLabel(/^admin: Change settings/)).toBeDisabled();
  await page.getByLabel('viewer: Write notes on runs').check();
  await expect(page.getByTestId('access-changes')).toHaveText(/viewer gains: Write notes on runs/);
  await checkLooks(desktop, 'operations-administration');
  await page.getByTestId('access-save').click();
  await expect(page.getByTestId('access-changes')).toHaveCount(0);
  await page.getByTestId('connection-add').click();
  await page.getByTestId('connection-env').fill('staging');
  await page.getByTestId('connection-color').selectOption('teal');
  await page.keyboard.press('Enter');
  const connections = page.getByTestId('connections');
  await connections.getByRole('button', { name: 'Test' }).click();
  await expect(connections).toContainText('is ready');
  await page.getByTestId('operator-environment').click();
  await page.getByTestId('environment-staging').click();
  await expect(page.getByTestId('operator-environment')).toHaveAttribute('data-color', 'teal');
  await checkLooks(desktop, 'operations-environment');
  await connections.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByTestId('environment-use')).toContainText('This window shows it.');
  await checkLooks(desktop, 'operations-environment-remove');
  await page.keyboard.press('Escape');
  await page.getByTestId('operator-environment').click();
  await page.getByRole('menuitem', { name: 'Default platform' }).click();
  await connections.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByTestId('environment-use')).toHaveCount(0);
  await page.getByTestId('remove-connection-submit').click();
  await expect(connections).toHaveCount(0);
  await page.getByTestId('operate-spend').click();
  await page.getByTestId('price-value').fill('0.02');
  await page.getByTestId('price-budget').fill('5');
  await page.getByTestId('price-model-add').click();
  await page.getByLabel('Model 1', { exact: true }).fill('gpt-5');
  await expect(page.getByTestId('price-save')).toBeDisabled();
  await page.getByLabel('A thousand tokens in, model 1').fill('0.01');
  await page.getByLabel('A thousand tokens out, model 1').fill('0.08');
  await checkLooks(desktop, 'operations-spend');
  await page.getByTestId('price-save').click();
  await expect(page.getByTestId('price-save')).toHaveCount(0);
  await page.getByTestId('operate-overview').click();
  await expect(page.getByTestId('spend')).toContainText('≈ 0 USD');

  // An edit takes the verdict away (OD-054).
  await page.getByTestId('operate-launch').click();
  await page.getByTestId('launch-text').fill('agent: [');
  await expect(page.getByTestId('launch-check')).toBeDisabled();
  await page.getByTestId('launch-text').fill('version: v1\nagent: { name: a, model: 3 }\n');
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('Not valid');
  await expect(page.getByTestId('launch-run-submit')).toHaveCount(0);
  await checkLooks(desktop, 'operations-launch-refused');
  await page.getByTestId('launch-text').fill(POLLER);
  await expect(page.getByTestId('launch-verdict')).toHaveCount(0);
  await page.getByTestId('launch-environment').fill('staging');
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-verdict')).toContainText('It may run');
  await page.getByTestId('launch-input').fill('build 88');
  await expect(page.getByTestId('launch-run-submit')).toHaveText('Run in staging');
  await checkLooks(desktop, 'operations-launch');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toBeVisible();
  await page.keyboard.press('Control+4');
  await page.getByTestId('operate-launch').click();
  await expect(page.getByTestId('launch-history')).toContainText('poller');
  await expect(page.getByTestId('launch-history')).toContainText('staging');
  await desktop.close();
  folder.remove();
});
