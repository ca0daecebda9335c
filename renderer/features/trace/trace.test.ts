import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { ApiError } from '../../data/api-error.ts';
import { axisOf, barOf, placeOf } from './trace-axis.ts';
import { countKinds, filterRows, nodesOf } from './trace-model.ts';
import { EMPTY_TRACE, phaseText, type TraceAction, traceReducer } from './trace-reducer.ts';
import { followTrace, type TraceFrame } from './trace-stream.ts';
import { toWaterfall } from './waterfall.ts';

function event(type: string, at: number, more: Partial<TraceEvent> = {}): TraceEvent {
  return {
    ts: new Date(1_000_000 + at).toISOString(),
    type,
    node: '',
    duration_ms: 0,
    kind: 'node',
    input_preview: null,
    output_preview: null,
    error: null,
    event_id: `${type}${at}`,
    span_id: null,
    parent_span_id: null,
    offline: false,
    ...more,
  };
}

test('a stream that ended before all events of the run had come is never called complete', () => {
  const actions: TraceAction[] = [
    { type: 'opened' },
    { type: 'events', events: [event('a', 1)] },
    { type: 'told' },
    { type: 'ended', isCut: false },
  ];
  const ended = actions.reduce(traceReducer, EMPTY_TRACE);
  expect(ended).toMatchObject({ phase: 'ended', isTold: false, error: undefined });
  expect(phaseText(ended, 1)).toBe('Complete');
  expect(phaseText(ended, 3)).toBe('Ended early: 1 of 3 events');
  expect(phaseText(ended, null)).toBe('Ended');
  expect(phaseText({ ...ended, phase: 'waiting' }, 1)).toBe('Reconnecting');
  const cut = traceReducer(ended, { type: 'ended', isCut: true });
  expect(phaseText(cut, null)).toBe('The first 1 event');
  expect(phaseText(cut, 3)).toBe('Ended early: 1 of 3 events');
});

test('spans become one line with nesting; open ones run; errors show', () => {
  const { rows, start, end } = toWaterfall([
    event('workflow_started', 0, { span_id: 'w' }),
    event('run_started', 10, {
      span_id: 'r',
      parent_span_id: 'w',
      node: 'draft',
      input_preview: 'in',
    }),
    event('run_completed', 60, {
      span_id: 'r',
      parent_span_id: 'w',
      node: 'draft',
      kind: 'llm',
      duration_ms: 50,
      output_preview: 'out',
    }),
    event('tool_failed', 70, { kind: 'tool', duration_ms: 5, error: 'no' }),
    event('human_intervention_requested', 100, { kind: 'human', parent_span_id: 'w' }),
  ]);
  expect(
    rows.map(({ what, state, depth, durationMs }) => [what, state, depth, durationMs]),
  ).toEqual([
    ['workflow', 'paused', 0, 100],
    ['run', 'done', 1, 50],
    ['tool failed', 'failed', 0, 5],
    ['waits for', 'point', 1, 0],
  ]);
  expect(rows[1]).toMatchObject({ kind: 'llm', input: 'in', output: 'out' });
  expect(end - start).toBe(100);
  const open = [event('workflow_started', 0, { span_id: 'w' }), event('x', 40)];
  expect(toWaterfall(open).rows[0]).toMatchObject({ state: 'running', durationMs: 0 });
  expect(toWaterfall(open, true).rows[0]).toMatchObject({ state: 'done', durationMs: 40 });
  const axis = axisOf(rows);
  expect(barOf(rows[0]!, axis)).toEqual({ left: 0, width: 100 });
  expect(barOf(rows[1]!, axis)).toEqual({ left: 10, width: 50 });
  expect(barOf(rows[3]!, axis)).toEqual({ left: 99.5, width: 0.5 });
});

test('a long wait for a person is cut short, so that work stays visible', () => {
  const hour = 3_600_000;
  const span = (id: string, from: number, to: number) => [
    event('run_started', from, { span_id: id, node: id }),
    event('run_completed', to, { span_id: id, node: id, duration_ms: to - from }),
  ];
  const { rows } = toWaterfall([...span('a', 0, 480), ...span('b', hour, hour + 480)]);
  const axis = axisOf(rows);
  expect(axis.cuts).toEqual([{ left: 50, ms: hour - 480 }]);
  expect(barOf(rows[0]!, axis)).toEqual({ left: 0, width: expect.closeTo(48, 0) });
  expect(barOf(rows[1]!, axis).left).toBeCloseTo(52, 0);
  expect(placeOf(axis, rows[0]!.end + hour / 2)).toBeCloseTo(48, 0);
  const short = toWaterfall([...span('a', 0, 480), ...span('b', 520, 1000)]);
  expect(axisOf(short.rows).cuts).toEqual([]);
  expect(axisOf([])).toMatchObject({ spans: [], cuts: [] });
});

test('what a node did last tells whether it works or failed', () => {
  const { rows } = toWaterfall([
    event('run_started', 0, { span_id: '1', node: 'a' }),
    event('run_failed', 5, { span_id: '1', node: 'a', error: 'no' }),
    event('run_started', 6, { span_id: '2', node: 'a' }),
    event('run_started', 6, { span_id: '3', node: 'b' }),
    event('run_failed', 9, { span_id: '3', node: 'b', error: 'no' }),
    event('note', 9, { node: 'b' }),
  ]);
  expect(nodesOf(rows)).toEqual({ busy: ['a'], failed: ['b'] });
  const failed = filterRows(rows, { kinds: [], text: '', node: null, failed: true });
  expect(failed.map(({ node }) => node)).toEqual(['a', 'b']);
});

test('filters by kind, text and node join; counts are of what occurs', () => {
  const { rows } = toWaterfall([
    event('x', 1, { node: 'a', kind: 'llm' }),
    event('y', 2, { node: 'b', kind: 'llm', output_preview: 'Apples' }),
    event('z', 3, { node: 'b' }),
  ]);
  const ids = (filter: Partial<Parameters<typeof filterRows>[1]>) =>
    filterRows(rows, { kinds: [], text: '', node: null, failed: false, ...filter }).map(
      ({ what }) => what,
    );
  expect(ids({})).toEqual(['x', 'y', 'z']);
  expect(ids({ kinds: ['llm'], node: 'b' })).toEqual(['y']);
  expect(ids({ text: ' apple' })).toEqual(['y']);
  expect(countKinds(rows)).toEqual([
    ['llm', 2],
    ['node', 1],
  ]);
});

type Frames = (after: number) => AsyncGenerator<TraceFrame>;

async function follow(connections: Frames[], known = 0) {
  const actions: string[] = [];
  const waits: number[] = [];
  let n = 0;
  await followTrace({
    known,
    async *open(after, onOpen) {
      onOpen();
      yield* connections[n++]!(after);
    },
    dispatch: (action) => actions.push(action.type),
    add: (one) => actions.push(one.type),
    flush: () => undefined,
    wait: async (ms) => void waits.push(ms),
  });
  return { actions, waits };
}
const frame = (type: string, id?: number): TraceFrame => ({
  event: 'trace',
  data: event(type, 1),
  ...(id === undefined ? {} : { id: String(id) }),
});
const end: TraceFrame = { event: 'end', data: {} };
const stopped = (code: string): TraceFrame => ({
  event: 'stream_error',
  data: { code, message: 'm', request_id: 'q', retry_after: 5 },
});

test('a broken connection is opened again where it was, a final refusal is not', async () => {
  const asked: number[] = [];
  const again = await follow([
    async function* () {
      yield frame('a', 1);
      yield frame('b', 2);
    },
    async function* () {
      yield stopped('service_unavailable');
    },
    async function* (after) {
      asked.push(after);
      yield frame('c', 3);
      yield end;
    },
  ]);
  const once = ['opened', 'a', 'b', 'waiting', 'opened', 'waiting', 'opened', 'c', 'ended'];
  expect(again.actions).toEqual(once);
  expect(again.waits).toEqual([1000, 5000]);
  expect(asked).toEqual([2]);
  const final = await follow([
    async function* () {
      yield stopped('not_found');
    },
  ]);
  expect(final.actions).toEqual(['opened', 'failed']);
  const refused = await follow([
    // biome-ignore lint/correctness/useYield: a connection that is refused yields nothing
    async function* () {
      throw new ApiError({
        status: 403,
        code: 'forbidden',
        message: 'm',
        requestId: null,
        details: {},
        retryAfter: null,
      });
    },
  ]);
  expect(refused.actions.at(-1)).toBe('failed');
});

test('of a service that knows no places, events that are known already are passed over', async () => {
  const { actions } = await follow([
    async function* () {
      yield frame('a');
      yield frame('b');
    },
    async function* () {
      yield frame('a');
      yield frame('b');
      yield frame('c');
      yield end;
    },
  ]);
  expect(actions).toEqual(['opened', 'a', 'b', 'waiting', 'opened', 'c', 'ended']);
  const later = await follow(
    [
      async function* () {
        yield frame('a');
        yield frame('b');
        yield end;
      },
    ],
    1,
  );
  expect(later.actions).toEqual(['opened', 'b', 'ended']);
});

test('waits grow while nothing comes, and begin again once something did', async () => {
  // biome-ignore lint/correctness/useYield: a connection that breaks before anything came
  const broken: Frames = async function* () {
    throw new TypeError('no connection');
  };
  const told: Frames = async function* () {
    yield { event: 'run', data: { status: 'running' } };
  };
  const last: Frames = async function* () {
    yield end;
  };
  const { actions, waits } = await follow([broken, broken, broken, told, broken, last]);
  expect(waits).toEqual([1000, 2000, 4000, 1000, 2000]);
  expect(actions.filter((action) => action === 'told')).toHaveLength(1);
});
