import { expect, test } from 'vitest';
import { runDetail } from '../../../server/contract/dashboard/runs.ts';
import { chosenColumns, switchColumn } from './column-choice.ts';
import {
  type ComparedRun,
  factPairs,
  oldestFirst,
  readComparison,
  stepPairs,
} from './compare-model.ts';
import { runsText } from './export-runs.ts';
import { runWait } from './run-model.ts';

function compared(nodes: readonly string[], fields: Record<string, unknown> = {}): ComparedRun {
  const run = runDetail.parse({
    run_id: 'r',
    status: 'completed',
    agent_name: 'desk',
    workflow_name: 'triage',
    spec_name: 'triage',
    environment: null,
    offline: false,
    workflow_kind: 'workflow',
    current_node_id: null,
    current_step_index: null,
    continuation_id: null,
    session_id: null,
    trace_event_count: 0,
    output_text: 'done',
    input_text: 'in',
    input_redacted: false,
    error: null,
    path: [],
    is_terminal: true,
    trace: [],
    trace_complete: true,
    trace_dropped: false,
    trace_dropped_count: 0,
    checkpoints: [],
    usage: null,
    created_at: '2026-11-21T10:00:00.000000+00:00',
    updated_at: '2026-11-21T10:00:02.000000+00:00',
    started_at: '2026-11-21T10:00:01.000000+00:00',
    completed_at: '2026-11-21T10:00:02.000000+00:00',
    runtime_mode: null,
    ...fields,
  });
  const facts = {
    environment: null,
    deadlineAt: null,
    specPath: null,
    target: null,
    workflowType: 'graph',
    modelWarning: null,
    recording: null,
    rerunOf: null,
    recovered: [],
    answeredBy: {},
    errorType: null,
    errorPath: null,
    spec: {},
    metadata: {},
  };
  const states = ['', ...nodes].map((node, index) => ({
    sequence: index + 1,
    type: index === 0 ? 'run_started' : 'node_completed',
    node,
    at: new Date(Date.UTC(2026, 10, 21, 10, 0, index)).toISOString(),
  }));
  return { run, facts, states };
}

test('facts that differ are marked; what neither run has is left out (dashboard screens, Compare)', () => {
  const pairs = factPairs(compared([]), compared([], { status: 'timed_out', error: 'too slow' }));
  expect(pairs.map(({ name, differs }) => [name, differs])).toEqual([
    ['Status', true],
    ['Workflow', false],
    ['Kind', false],
    ['Agent', false],
    ['Took', false],
    ['Error', true],
  ]);
  expect(pairs[0]).toMatchObject({ left: 'completed', right: 'timed out' });
  const longer = { completed_at: '2026-11-21T10:10:00.000000+00:00' };
  const [took] = factPairs(compared([], longer), compared([])).filter(
    ({ name }) => name === 'Took',
  );
  expect(took?.delta).toMatch(/^−9 min /);
});

test('paths are laid beside each other by node; a step that one run lacks stands alone', () => {
  const pairs = stepPairs(compared(['a', 'b', 'b', 'd']), compared(['a', 'b', 'c', 'd', 'e']));
  expect(pairs.map(({ node, leftMs, rightMs }) => [node, leftMs, rightMs])).toEqual([
    ['a', 1_000, 1_000],
    ['b', 1_000, 1_000],
    ['b', 1_000, null],
    ['c', null, 1_000],
    ['d', 1_000, 1_000],
    ['e', null, 1_000],
  ]);
  expect(stepPairs(compared([]), compared([]))).toEqual([]);
  const event = {
    ts: '2026-11-21T10:00:01.000000+00:00',
    type: 'run_completed',
    node: 'a',
    duration_ms: 70,
    kind: 'llm',
    input_preview: null,
    output_preview: null,
    error: null,
    event_id: null,
    span_id: null,
    parent_span_id: null,
    offline: false,
  };
  const traced = compared(['a', 'a'], { trace: [{ ...event, type: 'run_started' }, event] });
  expect(stepPairs(traced, traced).map(({ leftMs }) => leftMs)).toEqual([70, 1_000]);
});

test('what a fork took over is kept, in run order, beside the run it comes from', () => {
  const origin = compared(['plan', 'write', 'publish'], { run_id: 'o' });
  const fork = compared(['publish'], { run_id: 'f', path: ['plan', 'write', 'publish'] });
  const rerunOf = { runId: 'o', sequence: 3, edited: [] };
  const right = { ...fork, facts: { ...fork.facts, rerunOf } };
  const shown = (left: ComparedRun, other: ComparedRun) =>
    stepPairs(left, other).map(({ node, leftMs, rightMs }) => [node, leftMs, rightMs]);
  const expected = [
    ['plan', 1_000, 'kept'],
    ['write', 1_000, 'kept'],
    ['publish', 1_000, 1_000],
  ];
  expect(shown(origin, right)).toEqual(expected);
  const elsewhere = { ...right, facts: { ...right.facts, rerunOf: { ...rerunOf, runId: 'x' } } };
  expect(shown(origin, elsewhere)).toEqual(expected);
});

test('the older run stands left, whichever was chosen first', () => {
  const old = compared([], { run_id: 'old' });
  const young = compared([], { run_id: 'young', created_at: '2026-11-22T10:00:00.000000+00:00' });
  const ids = (pair: readonly ComparedRun[]) => pair.map(({ run }) => run.run_id);
  expect(ids(oldestFirst(young, old))).toEqual(['old', 'young']);
  expect(ids(oldestFirst(old, young))).toEqual(['old', 'young']);
});

test('an address names two runs, also when an id looks like a number', () => {
  expect(readComparison({ a: 12, b: 'x' })).toEqual({ a: '12', b: 'x' });
  expect(readComparison({})).toEqual({ a: '', b: '' });
});

const columns = [
  { id: 'status', fixed: true },
  { id: 'kind', extra: true },
  { id: 'step' },
  { id: 'created', least: 1_000 },
];
const ids = (chosen: readonly string[] | null, room: number) =>
  chosenColumns(columns, chosen, room).map(({ id }) => id);

test('columns: the usual ones, fewer where it is narrow, else exactly those that were chosen', () => {
  expect(ids(null, 1_000)).toEqual(['status', 'step', 'created']);
  expect(ids(null, 999)).toEqual(['status', 'step']);
  expect(ids(['created', 'kind'], 0)).toEqual(['status', 'kind', 'created']);
  expect(ids([], 1_000)).toEqual(['status']);
  expect(switchColumn(columns, ['step', 'created'], 'kind')).toEqual(['kind', 'step', 'created']);
  expect(switchColumn(columns, ['step', 'created'], 'step')).toEqual(['created']);
});

test('an export has every column; cells cannot become formulas', async () => {
  const row = {
    run_id: 'r1',
    status: 'failed',
    workflow_name: '=HYPERLINK("x")',
    workflow_kind: 'workflow',
    agent_name: 'a, "b"',
    current_node_id: null,
    current_step_index: null,
    current_step_id: 'reply',
    updated_age: '1 s',
    created_at: null,
    updated_at: null,
    blocked: false,
    has_error: true,
    stuck: false,
    stuck_reason: null,
    usage: null,
    spec_name: 'flow',
    session_id: null,
    environment: null,
    started_at: null,
    completed_at: null,
    offline: false,
    input_preview: 'in',
    output_preview: null,
    error_preview: '@bad',
  };
  const [head, line] = (await runsText([row], 'csv')).split('\n');
  expect(head).toBe(
    'run_id,status,name,workflow,kind,agent,environment,at,input,output,error,offline,took_ms,created_at,updated_at,has_error,stuck,stuck_reason,input_tokens,output_tokens,total_tokens,cost,currency',
  );
  expect(line).toContain(`flow,"'=HYPERLINK(""x"")",workflow,"a, ""b""",,reply,in,,'@bad,,,,,1,`);
  expect(JSON.parse(await runsText([row], 'json'))).toEqual([row]);
});

test('a wait for the start is told when it is long enough to wonder about', () => {
  expect(runWait(compared([]).run)).toBe(1_000);
  expect(runWait({ created_at: null, started_at: null })).toBeNull();
});
