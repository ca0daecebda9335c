import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

// GET /runs/{id}/checkpoints of a run that holds much (contract/platform.md 3.6).

const AGENTS = 400;
const MIB = 1024 * 1024;

let p: TestPlatform;
let id: string;
beforeAll(async () => {
  p = await startTestPlatform();
  const participants = Array.from({ length: AGENTS }, (_, index) => {
    return { id: `p${index}`, kind: 'agent', ref: 'writer' };
  });
  const spec = {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: { type: 'concurrent', name: 'fan', participants },
    components: { agents: { writer: { name: 'writer' } } },
  };
  const { status, body } = await p.post('/v1/runs', { spec, input: 'hello '.repeat(100) });
  expect(status).toBe(200);
  id = body.run_id;
}, 60_000);
afterAll(() => p.stop());

const list = async (query: string): Promise<Loose> => {
  const { status, body } = await p.get(`/v1/runs/${id}/checkpoints?${query}`);
  expect(status).toBe(200);
  return body;
};

test('RP-012 a page of checkpoints that hold a long trace stays within what one answer may hold', async () => {
  const { checkpoints } = await list('limit=1000&sort_by=sequence&sort_order=asc');
  expect(checkpoints.length).toBeGreaterThan(AGENTS);
  expect(Buffer.byteLength(JSON.stringify(checkpoints))).toBeLessThan(20 * MIB);
  const whole = checkpoints[5];
  expect(whole.state.trace_events.length).toBeGreaterThan(5);
  const cut = checkpoints[AGENTS - 10];
  expect(cut.state).toEqual({ _limited: true, status: 'running' });
  expect(cut.metadata._checkpoint_storage.payload_limited).toBe(true);
  const page = await list(`limit=1&offset=${AGENTS - 10}&sort_by=sequence&sort_order=asc`);
  const [alone] = page.checkpoints;
  expect(alone).toMatchObject({ id: cut.id, trace_events: cut.trace_events });
  expect(alone.state.trace_events.length).toBeGreaterThan(AGENTS - 10);
  const { state, trace_events, metadata } = alone;
  const stored = Buffer.byteLength(JSON.stringify({ state, trace_events, metadata }));
  expect(cut.metadata._checkpoint_storage.original_bytes).toBe(stored);
}, 60_000);

test('a sort by what only the states hold gives the same pages', async () => {
  const asked = 'limit=3&sort_by=state.trace_event_count&sort_order=desc';
  const { checkpoints, total } = await list(asked);
  const newest = await list('limit=3&sort_by=sequence&sort_order=desc');
  expect(total).toBe(newest.total);
  expect(checkpoints.length).toBe(3);
  expect(new Set(checkpoints.map((item: Loose) => item.sequence))).toEqual(
    new Set(newest.checkpoints.map((item: Loose) => item.sequence)),
  );
}, 60_000);
