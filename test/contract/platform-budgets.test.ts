// Budgets of a month (docs/usage.md): a real platform, a real HTTP server in place of the provider.
import { describe, expect, test } from 'vitest';
import { desk, open, run, server, shareModels } from '../support/models-world.ts';
import type { Loose, TestPlatform } from '../support/platform.ts';

shareModels();

/** A workflow of two agents one after another; each answer uses 11 + 7 tokens. */
function letters(): Loose {
  const agent = (name: string) => ({ ...desk().agent, name });
  return {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: {
      type: 'sequential',
      name: 'letters',
      steps: [
        { id: 'write', kind: 'agent', ref: 'writer' },
        { id: 'check', kind: 'agent', ref: 'checker' },
      ],
    },
    components: { agents: { writer: agent('writer'), checker: agent('checker') } },
  };
}

const put = (on: TestPlatform, id: string, over: Loose, key = 'admin-key') =>
  on.call('PUT', `/v1/budgets/${id}`, {
    key,
    body: { name: id, unit: 'tokens', amount: 18, action: 'stop', ...over },
  });

const budgets = async (on: TestPlatform): Promise<Loose[]> =>
  (await on.get('/v1/budgets')).body.budgets;

const asService = (on: TestPlatform, spec: Loose) =>
  on.post('/v1/runs', { input: 'x', spec }, { key: 'service-key' });

describe('a budget that stops', () => {
  test('refuses new runs once it is used up, and says what to do; others go on', async () => {
    const on = await open();
    expect((await put(on, 'service', { key: 'service' })).status).toBe(200);
    expect((await asService(on, desk())).status).toBe(200);
    const [standing] = await budgets(on);
    expect(standing).toMatchObject({ id: 'service', key: 'service', used: 18, amount: 18 });
    const refused = await asService(on, desk());
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toMatchObject({
      error: 'budget_exceeded',
      ...{ budget_id: 'service', unit: 'tokens', amount: 18, used: 18 },
    });
    expect(refused.body.detail.message).toContain("The budget 'service' of ");
    const queued = { input: 'x', spec: desk(), async_mode: true };
    expect((await on.post('/v1/runs', queued, { key: 'service-key' })).status).toBe(429);
    expect(server.requests.length).toBe(1);
    expect((await run(desk(), {}, on)).status).toBe(200);
    await put(on, 'service', { key: 'service', amount: 100 });
    expect((await asService(on, desk())).status).toBe(200);
  });

  test('ends a run at its next call of a model; it goes on when there is room again', async () => {
    const on = await open();
    await put(on, 'letters', { workflow: 'letters' });
    const answer = await run(letters(), {}, on);
    expect([answer.status, answer.body.detail.error]).toEqual([429, 'budget_exceeded']);
    expect(server.requests.length).toBe(1);
    const [{ run_id: id }] = (await on.get('/v1/runs')).body.runs;
    const stored = await on.get(`/v1/runs/${id}`);
    expect(stored.body).toMatchObject({ status: 'failed', error: { type: 'BudgetExceeded' } });
    expect((await on.call('DELETE', '/v1/budgets/letters')).status).toBe(200);
    const continued = await on.post(`/v1/runs/${id}/continue`);
    expect([continued.status, continued.body.status]).toEqual([200, 'completed']);
    expect(server.requests.length).toBe(2);
  });

  test('of money counts by the prices of models, and names tokens without a price', async () => {
    const on = await open();
    await put(on, 'money', { unit: 'cost', amount: 0.000_1 });
    await run(desk(), {}, on);
    expect(await budgets(on)).toMatchObject([{ used: 0, unpriced_tokens: 18 }]);
    expect((await run(desk(), {}, on)).status).toBe(200);
    const prices = { currency: 'EUR', prices: [{ model: 'm-1', input: 2, output: 10 }] };
    const set = await on.call('PUT', '/v1/usage/prices', { body: prices });
    expect(set.body.prices).toEqual([{ model: 'm-1', input: 2, cached_input: null, output: 10 }]);
    // Two answers of 11 and 7 tokens: 2 × (11 × 2 + 7 × 10) / 1,000,000.
    expect((await budgets(on))[0]?.used).toBeCloseTo(0.000_184, 9);
    const refused = await run(desk(), {}, on);
    expect(refused.status).toBe(429);
    expect(refused.body.detail.message).toContain('0.00018 of 0.0001 EUR');
  });

  test('one that is switched off, and one of a month before, stop nobody', async () => {
    const on = await open();
    await put(on, 'off', { enabled: false });
    await run(desk(), {}, on);
    expect((await run(desk(), {}, on)).status).toBe(200);
    await put(on, 'off', { enabled: true });
    expect((await run(desk(), {}, on)).status).toBe(429);
    on.clock.skewMs = 32 * 86_400_000;
    expect((await budgets(on))[0]?.used).toBe(0);
    expect((await run(desk(), {}, on)).status).toBe(200);
  });
});

describe('a budget that asks', () => {
  const ask = async (on: TestPlatform): Promise<void> => {
    await run(desk(), {}, on);
    await put(on, 'gate', { action: 'ask' });
    server.reset();
  };
  const answer = async (on: TestPlatform, task: Loose, decision: string, content?: string) =>
    on.post(`/v1/human-tasks/${task.continuation_id}/resume`, {
      ...{ request_id: task.request_id, decision },
      ...(content === undefined ? {} : { content }),
    });
  const taskOf = async (on: TestPlatform, id: string): Promise<Loose> =>
    (await on.get(`/v1/human-tasks?run_id=${id}`)).body.tasks[0];

  test.each([false, true])('lets a run begin when a person says so (async: %s)', async (later) => {
    const on = await open();
    await ask(on);
    const made = await run(letters(), { async_mode: later }, on);
    const { body } = later ? await on.waitFor(made.body.run_id, 'blocked') : made;
    expect(body).toMatchObject({ status: 'blocked', continuation_id: expect.any(String) });
    expect(server.requests.length).toBe(0);
    const id = made.body.run_id;
    const task = await taskOf(on, id);
    expect(task).toMatchObject({ workflow_name: 'letters', workflow_kind: 'sequential' });
    expect(task.pending_human_request).toMatchObject({
      type: 'approval',
      title: 'Run beyond a budget',
      context: { input_text: 'Where is order A-7?', budget: 'gate', workflow: 'letters' },
    });
    const resumed = await answer(on, task, 'approved');
    expect([resumed.status, resumed.body.status]).toEqual([200, 'completed']);
    expect(server.requests.length).toBe(2);
    const { events } = (await on.get(`/v1/runs/${id}/trace`)).body;
    const types = events.map(({ type }: Loose) => type);
    expect(types.slice(0, 2)).toEqual(['human_intervention_requested', 'workflow_started']);
    const decided = await on.get('/v1/audit-events?event_type=human.decision');
    expect(decided.body.events).toMatchObject([{ run_id: id, actor: 'admin' }]);
  });

  test('an agent alone waits too; a rejected run is cancelled and has used nothing', async () => {
    const on = await open();
    await ask(on);
    const { body } = await run(desk(), { target: 'agent' }, on);
    expect(body.status).toBe('blocked');
    const task = await taskOf(on, body.run_id);
    const resumed = await answer(on, task, 'rejected', 'Not this month.');
    expect([resumed.status, resumed.body.status]).toEqual([200, 'cancelled']);
    const stored = await on.get(`/v1/runs/${body.run_id}`);
    expect(stored.body.error.message).toContain('Not this month.');
    expect(server.requests.length).toBe(0);
  });

  test('the question outlives a restart', async () => {
    const on = await open();
    await ask(on);
    const { body } = await run(letters(), {}, on);
    await on.service.stop();
    const again = await open({}, on.file);
    const task = await taskOf(again, body.run_id);
    expect((await answer(again, task, 'approved')).body.status).toBe('completed');
  });
});

describe('who may change budgets', () => {
  test('those who may change policies; each change is an audit event', async () => {
    const on = await open();
    for (const key of ['viewer-key', 'service-key', 'reviewer-key']) {
      expect((await put(on, 'x', {}, key)).status).toBe(403);
    }
    expect((await put(on, 'x', {}, 'operator-key')).status).toBe(200);
    expect((await on.get('/v1/budgets', { key: 'viewer-key' })).status).toBe(403);
    expect((await on.call('DELETE', '/v1/budgets/x')).status).toBe(200);
    expect((await on.call('DELETE', '/v1/budgets/x')).status).toBe(404);
    expect(await budgets(on)).toEqual([]);
    const audit = async (type: string): Promise<Loose> =>
      (await on.get(`/v1/audit-events?event_type=${type}`)).body;
    expect((await audit('budget.changed')).events).toMatchObject([
      { actor: 'operator', metadata: { previous: null, current: { id: 'x', amount: 18 } } },
    ]);
    expect((await audit('budget.removed')).total).toBe(1);
  });

  test.each([
    { amount: 0 },
    { amount: -1 },
    { unit: 'hours' },
    { action: 'warn' },
    { name: '' },
    { more: 1 },
  ])('%o is refused', async (over) => {
    const on = await open();
    expect((await put(on, 'x', over)).status).toBe(422);
  });
});
