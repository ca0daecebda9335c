// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { RunUsage } from './run-usage.tsx';

freshWindows();

const AT = '/dashboard/api/runs/r1/usage';
const usage = {
  ...{ input_tokens: 1400, output_tokens: 300, total_tokens: 1700 },
  ...{ cost_usd: 0.02, cost_approximate: true, currency: 'USD' },
};
const step = (name: string) => ({
  ...{ step: name, provider: 'openai', model: 'm-1', calls: 2, input_tokens: 1400 },
  ...{ cached_input_tokens: 1024, output_tokens: 300, reasoning_tokens: 180, total_tokens: 1700 },
});

test('tokens stand by step and model beside what the run cost', async () => {
  peer.answer('GET', AT, 200, { available: true, steps: [step('draft'), step('')] });
  mounted(<RunUsage run={{ run_id: 'r1', agent_name: 'desk', usage }} />);
  const row = await screen.findByTestId('usage-draft-m-1');
  expect(row.textContent).toBe('draftm-121,4001,0243001801,7000.02');
  expect(screen.getByTestId('usage-desk-m-1').textContent).toContain('desk');
  expect(screen.getByTestId('run-usage-steps').textContent).toContain('0.02 USD');
});

test('of many steps the largest are shown until all are asked for', async () => {
  const steps = Array.from({ length: 9 }, (_, at) => step(`s${at}`));
  peer.answer('GET', AT, 200, { available: true, steps });
  const user = mounted(<RunUsage run={{ run_id: 'r1', agent_name: 'desk', usage }} />);
  await screen.findByTestId('usage-s5-m-1');
  expect(screen.queryByTestId('usage-s6-m-1')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all 9' }));
  await screen.findByTestId('usage-s8-m-1');
});

test('a run that used nothing has no such part, and nobody is asked', () => {
  mounted(
    <RunUsage run={{ run_id: 'r1', agent_name: 'desk', usage: { ...usage, total_tokens: 0 } }} />,
  );
  mounted(<RunUsage run={{ run_id: 'r1', agent_name: 'desk', usage: null }} />);
  expect(screen.queryByTestId('run-usage-steps')).toBeNull();
  expect(peer.reads).toEqual([]);
});

test.each([
  ['platform', 200, { available: false, steps: [] }],
  ['dashboard', 404, { code: 'not_found', message: 'Not found.', request_id: 'x' }],
])('a %s of an older version says that it does not tell', async (_who, status, body) => {
  peer.answer('GET', AT, status, body);
  mounted(<RunUsage run={{ run_id: 'r1', agent_name: 'desk', usage }} />);
  await screen.findByText(/does not tell them/);
});
