import { expect, test } from 'vitest';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { recovery, replay } from '../../../server/contract/platform/run-reads.ts';
import type { RunStatusView } from '../../../server/contract/platform/runs.ts';
import { draftOf, editsOf, sendsMask } from './rerun-model.ts';
import { adviceOf } from './run-advice.ts';
import { factsOf } from './run-facts.ts';
import { savedStates, shownAt } from './run-timeline.ts';
import { readRunView, runViewPath, tabOf } from './run-view-model.ts';

test('the view of a run survives the address; what is not understood is left out', () => {
  const view = { tab: 'policy', at: 3, node: 'a b', event: 'e/1' } as const;
  const search = Object.fromEntries(new URLSearchParams(runViewPath('r', view).split('?')[1]));
  expect(readRunView(search)).toEqual(view);
  expect(runViewPath('r', {})).toBe('/runs/r');
  expect(readRunView({ tab: 'x', at: '-1', node: '' })).toEqual({});
});

test('what is chosen in the timeline comes before the path, until another tab is asked for', () => {
  expect(tabOf({})).toBe('replay');
  expect(tabOf({ event: 'e' })).toBe('event');
  expect(tabOf({ event: 'e', tab: 'replay' })).toBe('replay');
  expect(tabOf({ tab: 'event' })).toBe('replay');
});

const context = {
  run_id: 'r',
  status: 'failed' as const,
  workflow_type: 'sequential',
  completed_steps: ['a', 'b'],
  completed_nodes: [],
  failed_step: 'c',
  failed_node: null,
  next_step_index: 2,
  resume_input: 'x',
  checkpoint_count: 4,
  can_continue: true,
  can_replay: true,
};
const stopped = recovery.parse({
  run_id: 'r',
  status: 'failed',
  workflow_name: 'w',
  workflow_kind: 'workflow',
  current_step_index: 2,
  current_node_id: null,
  visited_steps: ['a', 'b'],
  visited_nodes: [],
  checkpoint_count: 4,
  pending_human_request: null,
  continuation_id: null,
  error: { message: 'no', type: 'RuntimeError' },
  replay_context: context,
});
const run = (status: string): Pick<RunDetail, 'status' | 'is_terminal'> => ({
  status,
  is_terminal: status !== 'blocked',
});

test('a failed run is continued where it failed, or run again from a checkpoint', () => {
  expect(adviceOf(run('failed'), stopped, true)).toMatchObject({
    text: expect.stringMatching(/repeats c .* 2 finished steps are kept/),
    canContinue: true,
    canRerun: true,
  });
  const stuck = { ...stopped, replay_context: { ...context, can_continue: false } };
  const limit = { ...stuck, error: { message: 'm', type: 'max_iterations' } };
  expect(adviceOf(run('failed'), limit, true)).toMatchObject({
    text: expect.stringMatching(/would stop there again/),
    canContinue: false,
    canRerun: true,
  });
  const missing = {
    ...stopped,
    error: {
      message: 'no',
      type: 'SpecCompilationError',
      findings: [{ code: 'E_HANDLER_NOT_FOUND', path: 'components.functions.a' }],
    },
  };
  expect(adviceOf(run('failed'), missing, true)).toMatchObject({
    text: expect.stringMatching(/A function is missing/),
    canContinue: false,
    canRerun: false,
  });
  const untrusted = { ...stopped, error: { message: 'no', type: 'CodeNotTrusted' } };
  expect(adviceOf(run('failed'), untrusted, true)).toMatchObject({
    text: expect.stringMatching(/SERV_CODE_SIGNERS/),
    canContinue: true,
    canRerun: true,
  });
  const unusable = { ...stopped, error: { message: 'no', type: 'CodeUnusable' } };
  expect(adviceOf(run('failed'), unusable, true)).toMatchObject({
    text: expect.stringMatching(/takes its functions anew/),
    canContinue: false,
    canRerun: true,
  });
  // A dashboard that is served alone has no drafts and no status bar to go to.
  const text = adviceOf(run('failed'), missing, false)?.text;
  expect(text).toMatch(/A function is missing.* on the computer of the platform/);
  expect(text).not.toMatch(/status bar|draft/);
  const none = { ...stuck, replay_context: { ...stuck.replay_context, checkpoint_count: 0 } };
  expect(adviceOf(run('cancelled'), none, true)).toMatchObject({
    canContinue: false,
    canRerun: false,
  });
  expect(adviceOf(run('completed'), stopped, true)).toBeNull();
  expect(adviceOf(run('blocked'), stopped, true)).toBeNull();
});

const status = (metadata: RunStatusView['metadata']): RunStatusView => ({
  run_id: 'r',
  status: 'completed',
  agent_name: null,
  workflow_name: null,
  workflow_kind: 'workflow',
  session_id: null,
  input_text: null,
  output_text: null,
  current_step_index: null,
  current_node_id: null,
  visited_steps: [],
  visited_nodes: [],
  pending_human_request: null,
  continuation_id: null,
  trace_event_count: 0,
  usage: null,
  metadata,
  error: null,
  created_at: '',
  updated_at: '',
  started_at: null,
  completed_at: null,
  deadline_at: null,
});

test('stand-ins, recordings and the origin of a run are told', () => {
  const facts = factsOf(
    status({
      model_warning: "No key for model provider 'openai': the offline runtime answers.",
      caller_metadata: { recording: { mode: 'record' }, ticket: 1 },
      rerun_of: { run_id: 'o', checkpoint_sequence: 3, edited: ['input'] },
    }),
  );
  expect(facts).toMatchObject({
    recording: { mode: 'record', name: 'r' },
    rerunOf: { runId: 'o', sequence: 3, edited: ['input'] },
    metadata: { ticket: 1 },
  });
  const bare = factsOf(status({ rerun_of: 7, caller_metadata: { recording: { mode: 'off' } } }));
  expect(bare).toMatchObject({ recording: null, rerunOf: null, modelWarning: null });
});

const timeline = (
  [
    [1, 'run_started', null],
    [2, 'node_completed', 'a'],
    [3, 'human_pause', 'b'],
    [4, 'node_failed', 'c'],
  ] as const
).map(([sequence, type, node_id]) => ({
  id: `${sequence}`,
  sequence,
  type,
  created_at: '2026-11-21T12:00:00+00:00',
  workflow_name: null,
  step_id: null,
  node_id,
  status: null,
  current_step_index: null,
  current_step_id: null,
  current_node_id: null,
  continuation_id: null,
  pending_human_request_id: null,
  error: null,
}));

test('a saved state tells what had happened by then', () => {
  const states = savedStates(
    replay.parse({
      run_id: 'r',
      status: 'failed',
      workflow_name: null,
      workflow_kind: null,
      agent_name: null,
      checkpoint_count: 4,
      timeline,
      replay_context: context,
    }),
  );
  expect(shownAt(states, 1)).toMatchObject({ visited: [], current: null, failed: false });
  expect(shownAt(states, 2)).toMatchObject({ visited: ['a'], current: null });
  expect(shownAt(states, 3)).toMatchObject({ visited: ['a'], current: 'b', failed: false });
  expect(shownAt(states, 4)).toMatchObject({ visited: ['a'], current: 'c', failed: true });
  expect(shownAt(states, 9)).toBeNull();
});

test('only what was edited is sent, so that masked texts go on as they were stored', () => {
  const message = (content: string) => ({ role: 'user', content, name: null });
  const state = {
    input: 'to [REDACTED]',
    messages: [message('[REDACTED]')],
    outputs: { x: '1', y: '2' },
    histories: { a: [message('m')], b: [message('n')] },
  };
  const draft = draftOf(state);
  expect(editsOf(draft, state)).toEqual({});
  const edits = editsOf(
    {
      ...draft,
      outputs: { x: '1', y: '3' },
      histories: { a: [], b: [message('n')] },
      nextStep: 'c',
    },
    state,
  );
  expect(edits).toEqual({ outputs: { y: '3' }, histories: { a: [] }, next_step: 'c' });
  expect(sendsMask(edits)).toBe(false);
  expect(sendsMask(editsOf({ ...draft, input: 'for [REDACTED]' }, state))).toBe(true);
});
