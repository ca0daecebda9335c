// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { BudgetsPart } from './budgets-part.tsx';
import { UsagePartTable } from './usage-part.tsx';

freshWindows();

const BUDGET = {
  ...{ id: 'letters', name: 'Letters', key: null, workflow: 'letters', unit: 'tokens' },
  ...{ amount: 2000, action: 'ask', enabled: true, used: 500, unpriced_tokens: 0 },
  updated_at: '2026-11-27T00:00:00.000000+00:00',
};

const PRICES = {
  currency: 'EUR',
  prices: [{ model: 'm-1', input: 2, cached_input: null, output: 10 }],
};

const list = (budgets: readonly unknown[]) => ({
  ...{ available: true, month: '2026-11', budgets },
  prices: PRICES,
});

test('tokens stand by model, with those from a cache and those of thoughts', async () => {
  const counts = { calls: 2, input_tokens: 1400, cached_input_tokens: 1024 };
  const rows = [
    { name: 'm-1', ...counts, output_tokens: 300, reasoning_tokens: 180, total_tokens: 1700 },
  ];
  const answer = { available: true, rows, truncated: false };
  peer.answer('GET', '/dashboard/api/usage', 200, answer);
  mounted(<UsagePartTable window="7d" />);
  const row = await screen.findByTestId('usage-m-1');
  expect(row.textContent).toBe('m-121,4001,0243001801,700');
});

test('a platform that does not count says so', async () => {
  const answer = { available: false, rows: [], truncated: false };
  peer.answer('GET', '/dashboard/api/usage', 200, answer);
  mounted(<UsagePartTable window="7d" />);
  await screen.findByText('This platform does not count tokens as they are used.');
});

test('a budget says how far it is used up; without any the page says that too', async () => {
  peer.answer('GET', '/dashboard/api/budgets', 200, list([BUDGET]));
  mounted(<BudgetsPart />);
  const row = await screen.findByTestId('budget-letters');
  expect(row.textContent).toContain('workflow letters · asks');
  expect(row.textContent).toContain('500 of 2,000 tokens');
});

test('no budget holds nothing back, and the page says so', async () => {
  peer.answer('GET', '/dashboard/api/budgets', 200, list([]));
  mounted(<BudgetsPart />);
  await waitFor(() =>
    expect(screen.getByTestId('budgets').textContent).toContain('nothing is held back'),
  );
});

test('a budget is added, and one that was removed is put back', async () => {
  peer.answer('GET', '/dashboard/api/budgets', 200, list([BUDGET]));
  peer.answer('DELETE', '/dashboard/api/budgets/letters', 200, { id: 'letters' });
  peer.answer('PUT', '/dashboard/api/budgets/letters', 200, BUDGET);
  const user = mounted(<BudgetsPart />);
  await screen.findByTestId('budget-letters');
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(await screen.findByTestId('undo'));
  const { id: _id, used: _used, unpriced_tokens: _none, updated_at: _at, ...body } = BUDGET;
  await waitFor(() =>
    expect(peer.writes.filter(({ method }) => method === 'PUT').map((each) => each.body)).toEqual([
      body,
    ]),
  );
  await user.click(screen.getByTestId('budget-add'));
  const save = screen.getByRole('button', { name: 'Save the budget' });
  expect(save).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Name'), 'All');
  await user.type(screen.getByLabelText('A month may use'), '0.05');
  await user.click(save);
  await waitFor(() => expect(peer.writes.at(-1)?.body).toMatchObject({ amount: 0.05 }));
});

test('prices that budgets of money count by are seen, changed and stored as a whole', async () => {
  peer.answer('GET', '/dashboard/api/budgets', 200, list([{ ...BUDGET, unit: 'cost' }]));
  peer.answer('PUT', '/dashboard/api/budget-prices', 200, PRICES);
  const user = mounted(<BudgetsPart />);
  await screen.findByText('500 of 2,000 EUR');
  await user.clear(await screen.findByLabelText('A million tokens in, model 1'));
  await user.type(screen.getByLabelText('A million tokens in, model 1'), '3.5');
  await user.click(screen.getByTestId('budget-price-model-add'));
  expect(screen.getByTestId('budget-price-save')).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Model 2'), ' m-2 ');
  await user.type(screen.getByLabelText('A million tokens in, model 2'), '1');
  await user.type(screen.getByLabelText('A million tokens in from a cache, model 2'), '0.1');
  await user.type(screen.getByLabelText('A million tokens out, model 2'), '4');
  const stored = {
    currency: 'EUR',
    prices: [
      { model: 'm-1', input: 3.5, cached_input: null, output: 10 },
      { model: 'm-2', input: 1, cached_input: 0.1, output: 4 },
    ],
  };
  await user.click(screen.getByTestId('budget-price-save'));
  await waitFor(() => expect(peer.writes.map(({ body }) => body)).toEqual([stored]));
  peer.answer('GET', '/dashboard/api/budgets', 200, { ...list([]), prices: stored });
  await waitFor(() => expect(screen.queryByTestId('budget-price-save')).toBeNull());
});

test('prices that somebody else stored meanwhile are not written over unasked', async () => {
  peer.answer('GET', '/dashboard/api/budgets', 200, list([]));
  const user = mounted(<BudgetsPart />);
  await user.clear(await screen.findByLabelText('A million tokens out, model 1'));
  await user.type(screen.getByLabelText('A million tokens out, model 1'), '9');
  const theirs = { ...PRICES, currency: 'CHF' };
  peer.answer('GET', '/dashboard/api/budgets', 200, { ...list([]), prices: theirs });
  peer.answer('PUT', '/dashboard/api/budget-prices', 200, PRICES);
  await user.click(screen.getByTestId('budget-price-save'));
  await user.click(await screen.findByTestId('keep-mine'));
  expect(peer.writes).toEqual([]);
  await user.click(screen.getByTestId('budget-price-save'));
  await waitFor(() => expect(peer.writes).toHaveLength(1));
});
