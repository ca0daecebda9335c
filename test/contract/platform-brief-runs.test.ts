import { expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import { p, sharePlatform } from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';

// GET /v1/runs with the header x-specwright-brief-runs (docs/contract-notes.md, 3.3).
sharePlatform();

const NAMES = ['run_id', 'status', 'created_at', 'updated_at', 'deadline_at', 'usage'];

async function listed(brief?: string, query = ''): Promise<Loose> {
  const headers = brief === undefined ? {} : { 'x-specwright-brief-runs': brief };
  const answer = await p.get(`/v1/runs?limit=10${query}`, { headers });
  expect(answer.status).toBe(200);
  return answer.body;
}

const inBrief = (run: Loose) => Object.fromEntries(NAMES.map((name) => [name, run[name]]));

test('runs of the named statuses are told in brief, with the same values (RP-055)', async () => {
  await p.post('/v1/runs', { spec: TINY, input: 'one' });
  await p.post('/v1/runs', { spec: humanSpec(), input: 'two' });
  await p.post('/v1/runs', { spec: TINY, input: 'three' });
  const whole = await listed();
  const { runs, ...facts } = whole;
  expect(runs.map(({ status }: Loose) => status)).toEqual(['completed', 'blocked', 'completed']);
  expect(facts.count).toBe(3);

  expect(await listed('*')).toEqual({ ...facts, runs: [], brief: runs.map(inBrief) });
  expect(await listed('failed, completed')).toEqual({
    ...facts,
    runs: [runs[1]],
    brief: [runs[0], runs[2]].map(inBrief),
  });
  expect(await listed('failed')).toEqual(whole);
  expect(await listed('')).toEqual(whole);
  const sorted = '&created_after=2026-01-01&sort_by=created_at&sort_order=desc';
  const { brief } = await listed('*', sorted);
  expect(brief).toEqual((await listed(undefined, sorted)).runs.map(inBrief));
});
