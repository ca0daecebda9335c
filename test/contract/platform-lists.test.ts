// Orders and windows of the lists beside the runs (contract/platform.md 1.5, 3.6-3.9).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortByKey, sortKeyOf, valueAt } from '../../server/platform/lists/page-items.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

const GATED = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: { type: 'sequential', name: 'gate', steps: [{ id: 'h', kind: 'human', ref: 'h' }] },
  components: { humans: { h: { description: 'Good?', timeout_seconds: 900 } } },
};

const STEPS = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'steps',
    steps: ['a', 'b', 'c'].map((id) => ({ id, kind: 'agent', ref: 'writer' })),
  },
  components: { agents: { writer: { name: 'writer' } } },
};

let p: TestPlatform;
let run = '';
beforeAll(async () => {
  p = await startTestPlatform({ env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
  for (let i = 0; i < 6; i += 1) {
    await p.post('/v1/runs', { input: `no ${i % 4}`, spec: GATED, session_id: `s${i % 2}` });
    await p.post('/v1/runs', { input: `no ${i}`, spec: TINY });
  }
  run = (await p.post('/v1/runs', { input: 'steps', spec: STEPS })).body.run_id;
  await p.get('/v1/security/credentials');
});
afterAll(() => p.stop());

/** The default order of the store is the window; every other order is that of its values. */
async function expectOrders(list: string, member: string, window: string, fields: string[]) {
  const get = async (query: string) => (await p.get(`${list}?${query}`)).body[member] as Loose[];
  const newest = await get(`limit=1000&${window}`);
  expect(newest.length).toBeGreaterThan(3);
  for (const field of fields) {
    for (const order of ['asc', 'desc'] as const) {
      const expected = sortByKey(newest, (item) => sortKeyOf(valueAt(item, field)), order);
      const query = `sort_by=${field}&sort_order=${order}`;
      expect([query, await get(`limit=1000&${query}`)]).toEqual([query, expected]);
      expect(await get(`limit=3&offset=2&${query}`)).toEqual(expected.slice(2, 5));
    }
  }
}

describe('lists in any order', () => {
  test('audit events, by their fields and by what is inside', async () => {
    await expectOrders('/v1/audit-events', 'events', 'sort_by=created_at&sort_order=desc', [
      ...['id', 'event_type', 'run_id', 'continuation_id', 'actor', 'created_at'],
      ...['metadata.session_id', 'metadata.provider_count', 'metadata.usage', 'unknown.field'],
    ]);
  });

  test('human tasks, by their fields and by what is inside', async () => {
    await expectOrders('/v1/human-tasks', 'tasks', 'sort_by=created_at&sort_order=desc', [
      ...['id', 'request_id', 'status', 'run_id', 'workflow_kind', 'expires_at', 'created_at'],
      ...['current_input', 'pending_human_request.timeout_seconds', 'messages', 'unknown.field'],
    ]);
  });

  test('a trace, by its fields and by what is inside', async () => {
    await expectOrders(`/v1/runs/${run}/trace`, 'events', 'sort_by=timestamp&sort_order=asc', [
      ...['type', 'event_id', 'agent_name', 'metadata.attempt', 'unknown.field'],
    ]);
  });
});
