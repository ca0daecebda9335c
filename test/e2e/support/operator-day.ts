import { expect, type Page } from '@playwright/test';
import { brokenDesk } from './broken-desk.ts';
import { fixtureSpec } from './runs.ts';
import { checkLooks, type Screen } from './screens.ts';

/** Where an operator works, and as whom. */
export interface Door {
  readonly screen: Screen;
  readonly page: Page;
  /** What pictures are named after. */
  readonly name: string;
  startRun(spec: unknown, input: string): Promise<void>;
  /** Signs in again, where new roles ended the session. */
  comeBack(): Promise<void>;
}

const POLLER = `version: v1
agent:
  name: poller
  system_prompt: Say what the build does.
`;

async function operate(page: Page, place: string): Promise<void> {
  await page.getByTestId('place-operate').click();
  await page.getByTestId(`operate-${place}`).click();
}

/** A failed run is seen, understood, mended, and goes on. */
async function failure({ screen, page, name }: Door): Promise<void> {
  await page.getByTestId('place-operate').click();
  const failed = page.getByTestId('needs-failed').getByRole('link').first();
  await expect(failed).toContainText('ticket-desk', { timeout: 70_000 });
  await checkLooks(screen, `operator-day-${name}-overview`);
  await page.getByTestId('operate-failures').click();
  await expect(page.getByTestId('failures-coverage')).toHaveText('1 cause in 1 failed run.');
  await page.getByTestId('place-operate').click();
  await failed.click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'failed');
  await page.getByTestId('fix-run').click();
  const text = page.getByTestId('fix-text');
  const spec = await text.inputValue();
  await text.fill(
    spec.replace('kind: workflow', 'kind: agent').replace('ref: inner', 'ref: reader'),
  );
  await expect(page.getByTestId('fix-fit')).toHaveAttribute('data-fits', 'true');
  await page.getByTestId('carry-on').click();
  await page.getByTestId('bulk-start').click();
  await page.getByTestId('bulk-close').click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('recovered')).toContainText('went on at judge');
  await checkLooks(screen, `operator-day-${name}-mended`);
}

async function decision({ page }: Door): Promise<void> {
  await page.getByTestId('place-tasks').click();
  const task = page.getByTestId('task');
  await expect(task).toContainText('Is this invoice correct');
  await task
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  await expect(task).toHaveCount(0, { timeout: 20_000 });
}

async function launch({ page }: Door): Promise<void> {
  await operate(page, 'launch');
  await page.getByTestId('launch-text').fill(POLLER);
  await page.getByTestId('launch-check').click();
  await page.getByTestId('launch-input').fill('build 88');
  await page.getByTestId('launch-run-submit').click();
  await expect(page.getByTestId('run-page')).toContainText('poller');
}

async function policy({ page }: Door): Promise<void> {
  await operate(page, 'policies');
  await page.getByTestId('policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Guardrails are required' }).check();
  await page.getByTestId('policy-apply').click();
  await page.getByTestId('apply-policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('policy-of-staging')).toContainText('on');
}

async function price({ page }: Door): Promise<void> {
  await operate(page, 'spend');
  await page.getByTestId('price-value').fill('0.02');
  await page.getByTestId('price-save').click();
  await expect(page.getByTestId('price-save')).toHaveCount(0);
}

async function access({ page, comeBack }: Door): Promise<void> {
  await operate(page, 'administration');
  await page.getByLabel('viewer: Write notes on runs').check();
  await page.getByTestId('access-save').click();
  await comeBack();
  await operate(page, 'administration');
  await expect(page.getByLabel('viewer: Write notes on runs')).toBeChecked();
}

/** Everything that was done stands in the log of people. */
async function told({ screen, page, name }: Door): Promise<void> {
  await operate(page, 'audit');
  await page.getByText('People', { exact: true }).click();
  const people = page.getByRole('table', { name: 'What people did' });
  for (const act of [
    'Continue a run with a mended spec',
    'Answer a task',
    'Start a run',
    'Change a policy',
  ]) {
    await expect(people).toContainText(act);
  }
  await checkLooks(screen, `operator-day-${name}-audit`);
}

/** See the failure, understand, fix and carry on, decide, launch, policy, spend, access, audit. */
export async function operatorDay(door: Door): Promise<void> {
  await door.startRun(brokenDesk, 'The printer jams.');
  await door.startRun(fixtureSpec('invoice-approval.yaml'), 'invoice R-118');
  for (const part of [failure, decision, launch, policy, price, access, told]) await part(door);
}
