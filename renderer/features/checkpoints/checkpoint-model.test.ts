import { expect, test } from 'vitest';
import { diffLines, previousOf } from './checkpoint-model.ts';

const none = { value: null, from_value: null, to_value: null };

test('lines are by key; bookkeeping is told apart from work', () => {
  const lines = diffLines({
    added: [{ ...none, key: 'state.visited_steps[1]', value: 'b' }],
    removed: [{ ...none, key: 'state.pending.id', value: 'x' }],
    changed: [
      { ...none, key: 'state.output_text', from_value: '', to_value: 'done' },
      { ...none, key: 'state.updated_at', from_value: '1', to_value: '2' },
      { ...none, key: 'state.trace_events[3].type', from_value: '1', to_value: '2' },
    ],
    change_count: 5,
    from_sequence: 1,
    to_sequence: 2,
    truncated: false,
  });
  expect(lines.map(({ key, change, noise }) => [key, change, noise])).toEqual([
    ['state.output_text', 'changed', false],
    ['state.pending.id', 'removed', false],
    ['state.trace_events[3].type', 'changed', true],
    ['state.updated_at', 'changed', true],
    ['state.visited_steps[1]', 'added', false],
  ]);
});

test('the state before is the one listed before', () => {
  const rows = [1, 2, 5].map((sequence) => ({ sequence, type: 't', node: '', age: '' }));
  expect(previousOf(rows, 5)?.sequence).toBe(2);
  expect(previousOf(rows, 1)).toBeNull();
  expect(previousOf(rows, 9)).toBeNull();
});
