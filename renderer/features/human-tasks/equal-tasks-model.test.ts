import { expect, test } from 'vitest';
import { type HumanTaskRow, humanTaskRow } from '../../../server/contract/dashboard/human-tasks.ts';
import { equalTasks, sharedAnswers } from './equal-tasks-model.ts';

const row = (continuation_id: string, more: Partial<HumanTaskRow> = {}): HumanTaskRow =>
  humanTaskRow.parse({
    continuation_id,
    run_id: `run-${continuation_id}`,
    workflow_name: 'refunds',
    workflow_kind: 'workflow',
    request_summary: 'Refund?',
    request_id: `q-${continuation_id}`,
    status: 'pending',
    deadline_age: '1h',
    near_deadline: false,
    created_age: '1m',
    input_preview: null,
    request_type: 'approval',
    options: [],
    default_option: null,
    on_timeout: 'fail',
    expires_at: null,
    ...more,
  });

test('tasks are equal when the same answer means the same in all of them', () => {
  const chosen = row('a');
  const rows = [
    chosen,
    row('b', { input_preview: 'another text', expires_at: 7 }),
    row('c', { workflow_name: 'orders' }),
    row('d', { options: ['yes'] }),
    row('e', { on_timeout: 'continue' }),
    row('f', { request_summary: 'Pay?' }),
  ];
  expect(equalTasks(rows, chosen).map(({ continuation_id }) => continuation_id)).toEqual([
    'a',
    'b',
  ]);
});

test('only answers without a text of their own are shared', () => {
  const labels = (more: Partial<HumanTaskRow>) =>
    sharedAnswers(row('a', more)).map(({ label }) => label);
  expect(labels({})).toEqual(['Approve', 'Reject']);
  expect(labels({ request_type: 'selection', options: ['left', 'right'] })).toEqual([
    'Choose “left”',
    'Choose “right”',
    'Reject',
  ]);
  expect(labels({ request_type: 'freeform' })).toEqual(['Reject']);
  expect(labels({ request_type: 'correction' })).toEqual(['Reject']);
});
