import { expect, test } from 'vitest';
import type { HumanTaskRow } from '../../server/contract/dashboard/human-tasks.ts';
import type { RunRow } from '../../server/contract/dashboard/runs.ts';
import { afterLook, type Look, NO_NEWS } from './news-model.ts';

const run = (run_id: string, status: string, updated_at = '2026-11-21T08:00:00Z'): RunRow => ({
  ...{ run_id, status, updated_at, workflow_name: 'invoice', workflow_kind: 'graph' },
  ...{ agent_name: 'clerk', current_node_id: 'sign', current_step_index: null, usage: null },
  ...{ current_step_id: null, updated_age: '1m', created_at: null, environment: null },
  ...{ blocked: status === 'blocked', has_error: false, stuck: false, stuck_reason: null },
  ...{ spec_name: null, session_id: null, started_at: null, completed_at: null, offline: false },
  ...{ input_preview: null, output_preview: null, error_preview: 'no paper' },
});

const task = (continuation_id: string, run_id: string, near_deadline = false): HumanTaskRow => ({
  ...{ continuation_id, run_id, workflow_name: 'invoice', workflow_kind: 'graph' },
  ...{ request_summary: 'Pay it?', request_id: null, status: 'pending', deadline_age: 'in 4m' },
  ...{ near_deadline, created_age: '1m', input_preview: 'R-118', request_type: 'approval' },
  ...{ options: [], default_option: null, on_timeout: null, expires_at: null },
});

const look = (runs: RunRow[], tasks: HumanTaskRow[] = []): Look => ({ runs, tasks });

function looks(all: readonly Look[], muted: Parameters<typeof afterLook>[3] = []) {
  let state = NO_NEWS;
  const told = all.map((one, at) => {
    const after = afterLook(state, one, at, muted);
    ({ state } = after);
    return after.told.map(({ id, title }) => `${id.split(' ')[0]}: ${title}`);
  });
  return { state, told };
}

test('what is there at the first look is not new, but a deadline that is near', () => {
  const { told } = looks([
    look([run('run-a', 'failed')], [task('t1', 'x'), task('t2', 'y', true)]),
    look([run('run-a', 'failed')], [task('t1', 'x'), task('t2', 'y', true)]),
  ]);
  expect(told).toEqual([['deadline: Due in 4m'], []]);
});

test('a deadline that was told before a reload is not told again', () => {
  const near = look([], [task('t2', 'y', true)]);
  const { state } = afterLook(NO_NEWS, near, 1, []);
  expect(state.kept).toHaveLength(1);
  expect(afterLook({ ...NO_NEWS, kept: state.kept }, near, 2, []).told).toEqual([]);
});

test('a run that fails, and one that is taken up and fails again, is told each time once', () => {
  const { told, state } = looks([
    look([run('run-a', 'running')]),
    look([run('run-a', 'failed')]),
    look([run('run-a', 'failed')]),
    look([run('run-a', 'running', '2026-11-21T08:01:00Z')]),
    look([run('run-a', 'failed', '2026-11-21T08:02:00Z')]),
  ]);
  const failed = ['failed: clerk run-a failed'];
  expect(told).toEqual([[], failed, [], [], failed]);
  expect([state.kept.length, state.unread]).toEqual([2, 2]);
  expect(state.kept[0]).toMatchObject({ about: 'no paper', to: '/runs/run-a', at: 4 });
});

test('a run that waits is told as its task, and by itself where nobody is asked', () => {
  const runs = [run('run-a', 'blocked'), run('run-b', 'blocked')];
  const { told } = looks([look([]), look(runs), look(runs, [task('t1', 'run-a')])]);
  expect(told.slice(1)).toEqual([[], ['task: Pay it?', 'blocked: clerk run-b waits']]);
});

test('a run that finishes is told once, and one that had finished before is not', () => {
  const { told, state } = looks([
    look([run('run-a', 'running'), run('run-b', 'completed')]),
    look([run('run-a', 'completed'), run('run-b', 'completed')]),
    look([run('run-a', 'completed'), run('run-b', 'completed')]),
  ]);
  expect(told).toEqual([[], ['finished: clerk run-a finished'], []]);
  expect(state.kept[0]).toMatchObject({ to: '/runs/run-a' });
});

test('a kind that is muted is neither told nor kept, also not once it is on again', () => {
  const all = [look([]), look([run('run-a', 'failed')], [task('t1', 'x')])];
  const { told, state } = looks(all, ['failed']);
  expect(told[1]).toEqual(['task: Pay it?']);
  expect(afterLook(state, all[1] ?? look([]), 9, []).told).toEqual([]);
});
