// What models used, budgets and the prices that those of money count by, over the dashboard (docs/usage.md).
import { afterEach, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { desk, open, run, shareModels } from '../support/models-world.ts';
import type { Loose } from '../support/platform.ts';

shareModels();

const dashboards: RunningService[] = [];
afterEach(async () => {
  for (const service of dashboards.splice(0)) await service.stop();
});

async function asked(url: string, role: string) {
  const config = readDashboardConfig({
    DASH_DEV_MODE: '1',
    XDG_CONFIG_HOME: '/nonexistent',
    DASH_STATIC_OPERATOR_ROLE: role,
  });
  const service = await startTestDashboard({ url, apiKey: 'admin-key' }, { config });
  dashboards.push(service);
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${service.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed: Loose = await answer.json();
    return { status: answer.status, body: parsed };
  };
}

const PRICES = {
  currency: 'EUR',
  prices: [{ model: 'm-1', input: 2, cached_input: null, output: 10 }],
};

test('a budget of money is set with its prices, and a run is refused beyond it', async () => {
  const on = await open();
  const ask = await asked(on.url, 'admin');
  const body = { name: 'Money', unit: 'cost', amount: 0.000_05, action: 'stop' };
  expect((await ask('PUT', '/budgets/prices', body)).status).toBe(200);
  expect((await ask('PUT', '/budget-prices', PRICES)).body).toEqual(PRICES);
  await run(desk(), {}, on);
  const list = await ask('GET', '/budgets');
  expect(list.body).toMatchObject({ available: true, prices: PRICES, budgets: [{ unit: 'cost' }] });
  // 11 tokens in and 7 out.
  expect(list.body.budgets[0].used).toBeCloseTo(0.000_092, 9);
  expect((await run(desk(), {}, on)).status).toBe(429);
  const log = await ask('GET', '/audit-log');
  expect(log.body.entries.map(({ action }: Loose) => action).sort()).toEqual([
    'budget.prices.put',
    'budget.put',
  ]);
});

test('who may not change policies reads budgets and prices, and changes neither', async () => {
  const on = await open();
  const ask = await asked(on.url, 'operator');
  expect((await ask('GET', '/budgets')).body).toMatchObject({ available: true, budgets: [] });
  const refused = [
    await ask('PUT', '/budget-prices', PRICES),
    await ask('PUT', '/budgets/a', { name: 'a', unit: 'tokens', amount: 1, action: 'stop' }),
    await ask('DELETE', '/budgets/a'),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 3 }, () => [403, 'forbidden']),
  );
});

test('tokens of a run by step and model are what the platform tells', async () => {
  const on = await open();
  const ask = await asked(on.url, 'viewer');
  const { run_id } = (await run(desk(), {}, on)).body;
  const told = (await on.get(`/v1/runs/${run_id}/usage`)).body;
  expect(told.steps).toMatchObject([{ model: 'm-1', input_tokens: 11, output_tokens: 7 }]);
  expect(await ask('GET', `/runs/${run_id}/usage`)).toEqual({
    status: 200,
    body: { available: true, steps: told.steps },
  });
  // An older platform answers as to every unknown address.
  const none = await ask('GET', '/runs/none-of-this-id/usage');
  expect(none.body).toEqual({ available: false, steps: [] });
});
