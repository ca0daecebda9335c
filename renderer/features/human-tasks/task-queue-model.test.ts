import { expect, test } from 'vitest';
import type { HumanTaskRow } from '../../../server/contract/dashboard/human-tasks.ts';
import { chosenTask, isFound, neighbour } from './task-queue-model.ts';

const rows = ['a', 'b', 'c'].map(
  (id): HumanTaskRow => ({
    continuation_id: id,
    run_id: id,
    workflow_name: '',
    workflow_kind: '',
    request_summary: '',
    request_id: null,
    status: 'pending',
    deadline_age: '',
    input_preview: null,
    near_deadline: false,
    created_age: '',
    request_type: null,
    options: [],
    default_option: null,
    on_timeout: null,
    expires_at: null,
  }),
);

test('an answered task gives way to the one that takes its place', () => {
  expect(chosenTask(rows, 'b', 0)?.continuation_id).toBe('b');
  expect(chosenTask(rows, 'gone', 1)?.continuation_id).toBe('b');
  expect(chosenTask(rows, 'gone', 9)?.continuation_id).toBe('c');
  expect(chosenTask(rows, null, 0)?.continuation_id).toBe('a');
  expect(chosenTask([], 'a', 0)).toBeUndefined();
});

test('moving stops at the ends', () => {
  expect(neighbour(rows, 'a', 1)?.continuation_id).toBe('b');
  expect(neighbour(rows, 'c', 1)?.continuation_id).toBe('c');
  expect(neighbour(rows, 'a', -1)?.continuation_id).toBe('a');
});

test('a task is found by all of its words, in any order, and by its run', () => {
  const row = {
    ...{ request_summary: 'May this be sent?', input_preview: null },
    ...{ workflow_name: 'letters', run_id: '01a2-abc' },
  };
  const found = (words: string) => isFound(row, 'Answer a letter', words);
  expect(['', 'sent may', 'ANSWER', '01a2-a', 'letters'].map(found)).toEqual(Array(5).fill(true));
  expect(found('sent never')).toBe(false);
  expect(found('sent 01a')).toBe(false);
});
