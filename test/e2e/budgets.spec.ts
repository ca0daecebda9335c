import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { openProvider } from './support/provider.ts';
import { resize } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

const DESK = `version: v1
agent:
  name: desk
  system_prompt: Answer letters.
  model:
    provider: openai
    name: gpt-5
    extra: { api_key_ref: OPENAI_API_KEY }
`;

test('a budget with prices is made, stops a run, then asks, and its question is answered', async () => {
  const folder = scratchFolder();
  const provider = await openProvider();
  const desktop = await openDesktop({
    folder: folder.path,
    env: { OPENAI_API_KEY: 'sk-budgets', OPENAI_BASE_URL: provider.url },
  });
  const { page } = desktop;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await desktop.ready();
  await resize(desktop, 1440, 900);
  const operate = async (place: string): Promise<void> => {
    await page.getByTestId('place-operate').click();
    await page.getByTestId(`operate-${place}`).click();
  };
  const launch = async (input: string): Promise<void> => {
    await operate('launch');
    await page.getByTestId('launch-text').fill(DESK);
    await page.getByTestId('launch-check').click();
    await page.getByTestId('launch-input').fill(input);
    await page.getByTestId('launch-run-submit').click();
  };

  await operate('spend');
  const budgets = page.getByTestId('budgets');
  await expect(budgets).toContainText('There is no budget: nothing is held back.');
  await page.getByTestId('budget-price-model-add').click();
  const prices = page.getByRole('group', { name: 'Prices that budgets count by' });
  await prices.getByLabel('Model 1', { exact: true }).fill('gpt-5');
  await prices.getByLabel('A million tokens in, model 1').fill('2');
  await prices.getByLabel('A million tokens out, model 1').fill('10');
  await page.getByTestId('budget-price-save').click();
  await expect(page.getByTestId('budget-price-save')).toHaveCount(0);
  await page.getByTestId('budget-add').click();
  await budgets.getByLabel('Name', { exact: true }).fill('Letters of the month');
  await budgets.getByLabel('Counts').click();
  await page.getByRole('option', { name: 'money, by the platform’s prices' }).click();
  await budgets.getByLabel('A month may use').fill('0.00004');
  await budgets.scrollIntoViewIfNeeded();
  await checkLooks(desktop, 'budgets-add');
  await page.getByRole('button', { name: 'Save the budget' }).click();
  await expect(budgets).toContainText('0 of 0.00004 USD');

  // The first run goes beyond it, and the next one is refused in words.
  await launch('letter 1');
  await expect(page.getByTestId('run-output')).toContainText('From the provider.');
  await expect(page.getByTestId('run-usage-steps')).toContainText('gpt-5');
  await checkLooks(desktop, 'budgets-run');
  await launch('letter 2');
  await expect(page.getByRole('main')).toContainText("The budget 'Letters of the month' of ");
  await expect(page.getByRole('main')).toContainText('is used up: 0.000046 of 0.00004 USD.');
  await checkLooks(desktop, 'budgets-refused');
  await operate('spend');
  await expect(budgets.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await budgets.scrollIntoViewIfNeeded();
  await checkLooks(desktop, 'budgets-used-up');

  // One that asks lets a run wait for a person.
  await budgets.getByRole('button', { name: 'Change' }).click();
  await budgets.getByLabel('Beyond it').click();
  await page.getByRole('option', { name: 'a person is asked' }).click();
  await page.getByRole('button', { name: 'Save the budget' }).click();
  await expect(budgets).toContainText('asks');
  const before = provider.seen.length;
  await launch('letter 3');
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'blocked');
  await page.getByTestId('place-tasks').click();
  const task = page.getByTestId('task');
  await expect(task).toContainText('Run beyond a budget');
  await expect(task).toContainText('Letters of the month');
  await checkLooks(desktop, 'budgets-task');
  expect(provider.seen).toHaveLength(before);
  await page.getByTestId('decide-approved').click();
  await page.getByTestId('send-decision').click();
  await expect.poll(() => provider.seen.length, { timeout: 30_000 }).toBe(before + 1);
  await desktop.close();
  provider.close();
  folder.remove();
});
