import { expect, test } from 'vitest';
import { diffLines, neighbourState, shownLines, sinceStart } from './checkpoint-model.ts';

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

const states = [1, 2, 5].map((sequence) => ({ sequence, type: 't', node: '', at: '' }));

test('stepping stays within the list and begins at the end', () => {
  expect(neighbourState(states, 5, -1)?.sequence).toBe(2);
  expect(neighbourState(states, 1, -1)?.sequence).toBe(1);
  expect(neighbourState(states, 5, 1)?.sequence).toBe(5);
  expect(neighbourState(states, null, -1)?.sequence).toBe(5);
  expect(neighbourState([], null, 1)).toBeUndefined();
});

test('changes are found by place and value; bookkeeping is folded away', () => {
  const line = (key: string, after: string, noise = false) =>
    ({ key, change: 'added', before: null, after, noise }) as const;
  const lines = [line('state.output_text', 'Paper jam'), line('state.updated_at', '2', true)];
  const keys = (noise: boolean, text: string) =>
    shownLines(lines, { noise, text }).map(({ key }) => key);
  expect(keys(false, '')).toEqual(['state.output_text']);
  expect(keys(false, 'PAPER')).toEqual(['state.output_text']);
  expect(keys(true, 'updated')).toEqual(['state.updated_at']);
});

test('a state is placed on the time of its run', () => {
  const [first, later, odd] = [
    { ...states[0]!, at: '2026-11-21T12:00:00+00:00' },
    { ...states[1]!, at: '2026-11-21T12:00:02.500+00:00' },
    states[2]!,
  ];
  expect(sinceStart([first, later, odd], later)).toBe(2500);
  expect(sinceStart([first, later, odd], odd)).toBeNull();
});
