import { expect, test } from 'vitest';
import { metAt } from './use-rehearsed.ts';

const step = (name: string, answered_by: 'mocked' | null, outputs: object[][]) => ({
  ...{
    at: 0,
    step: name,
    name,
    type: 't',
    run: 0,
    pinned: false,
    answered_by,
    sources: [],
    within: [],
  },
  outputs: outputs as Record<string, never>[][],
});

test('a gap says whether the rehearsal answered for it, ran it, failed there or never came', () => {
  const run = {
    ...{ status: 'failed' as const, current_node_id: 'tell' },
    ...{ visited_nodes: ['call', 'note', 'old'], visited_steps: [] },
  };
  const runs = [step('call', 'mocked', [[{}]]), step('note', null, [[{}, {}], [{}]])];
  const met = ['call', 'note', 'tell', 'old', 'print'].map((name) => metAt(name, run, runs));
  expect(met).toEqual(['mocked · 1 item', 'ran · 3 items', 'failed', 'ran', 'not reached']);
});
