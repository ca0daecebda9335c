import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flowOf } from '../../test/support/n8n-flow.ts';
import { recordedCases } from '../../test/support/n8n-runs.ts';
import { beginFlow, nextArrival, stepEnded } from './flow.ts';
import { createFlowShape, type FlowEdge, type FlowNode, orderEdges } from './flow-shape.ts';
import type { Arrival, FlowState } from './flow-state.ts';

/** How many items each output of a run gives; undefined ends the whole run there. */
type Counts = (arrival: Arrival, run: number) => readonly (number | null)[] | undefined;

interface Walk {
  readonly shape: ReturnType<typeof createFlowShape>;
  readonly start: string;
  readonly counts: Counts;
  readonly kept?: (state: FlowState) => FlowState;
}

function walk({ shape, start, counts, kept = (state) => state }: Walk): [Arrival, number][] {
  const arrivals: [Arrival, number][] = [];
  const runs = new Map<string, number>();
  const begun = beginFlow(start);
  let { state } = begun;
  for (let next: Arrival | undefined = begun.next; next !== undefined; ) {
    const run = runs.get(next.step) ?? 0;
    runs.set(next.step, run + 1);
    arrivals.push([next, run]);
    const given = counts(next, run);
    if (given === undefined) break;
    state = kept(stepEnded(shape, state, next, run, given));
    const taken = nextArrival(shape, state);
    next = taken?.next;
    state = kept(taken?.state ?? state);
  }
  return arrivals;
}

function node(key: string, more: Partial<FlowNode> = {}): FlowNode {
  const type = 'n8n-nodes-base.noOp';
  const plain = { version: 1, parameters: {}, disabled: false, alwaysOutput: false };
  return { key, name: key, type, ...plain, ...more };
}

function merge(key: string, mode = 'append', version = 3): FlowNode {
  return node(key, { type: 'n8n-nodes-base.merge', version, parameters: { mode } });
}

/** `a>b` or `a.1>b.2`: from output 1 of a to input 2 of b. */
function edges(...texts: string[]): FlowEdge[] {
  return texts.map((text) => {
    const [[from = '', output = '0'] = [], [to = '', input = '0'] = []] = text
      .split('>')
      .map((end) => end.split('.'));
    return { from, output: Number(output), to, input: Number(input) };
  });
}

const names = (arrivals: [Arrival, number][]) => arrivals.map(([{ step }]) => step).join(' ');
const recorded = recordedCases().filter(
  ({ mode, trigger, result }) =>
    mode === 'manual' && trigger !== undefined && (result.runs ?? []).length > 0,
);

describe('who runs next is who ran next in the real engine', () => {
  it.each(recorded.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const runs = one.result.runs ?? [];
    const shape = flowOf(one);
    const arrivals = walk({
      shape,
      start: one.trigger ?? '',
      counts: ({ step }, run) =>
        runs
          .find((made) => made.node === step && made.run === run)
          ?.outputs?.main?.map((items) => items?.length ?? null),
    });
    expect(
      arrivals.map(([{ step, sources }, run]) => ({
        node: step,
        run,
        source: sources.map(
          (source) => source && { node: source.step, output: source.output, run: source.run },
        ),
      })),
    ).toEqual(
      runs.map(({ node: name, run, source }) => ({
        node: name,
        run,
        source: source.map((from) => from && { ...from }),
      })),
    );
  });
});

describe('a step that several inputs lead to', () => {
  const one = ['t>a', 't.1>b', 'a>m', 'b>m.1', 'm>z'];
  const list = ['t', 'a', 'b', 'z'].map((key) => node(key));
  const oneArm: Counts = ({ step }) => (step === 't' ? [1, 0] : [1]);

  it('waits for all, then runs with what came', () => {
    const shape = createFlowShape('v1', [...list, merge('m')], edges(...one));
    expect(names(walk({ shape, start: 't', counts: () => [1, 1] }))).toBe('t a b m z');
    expect(names(walk({ shape, start: 't', counts: oneArm }))).toBe('t a m z');
  });

  it('that needs all of them does not run with less', () => {
    const shape = createFlowShape('v1', [...list, merge('m', 'chooseBranch')], edges(...one));
    expect(names(walk({ shape, start: 't', counts: oneArm }))).toBe('t a');
  });

  it('runs again with one side when the other was fed once only', () => {
    const shape = createFlowShape('v1', [...list, merge('m')], edges(...one, 't>m'));
    const arrivals = walk({ shape, start: 't', counts: () => [1, 1] });
    expect(names(arrivals)).toBe('t a b m z m z');
    expect(arrivals.findLast(([{ step }]) => step === 'm')?.[0].sources[1]).toBeNull();
  });

  it('runs after those before it that wait as well', () => {
    const nodes = [...list, merge('m'), merge('n')];
    const shape = createFlowShape('v1', nodes, edges(...one, 'a>n', 'm>n.1'));
    expect(names(walk({ shape, start: 't', counts: oneArm }))).toBe('t a m z n');
  });

  it('has, in v0, the arm forced to run from its first step on', () => {
    const more = ['t>a', 't.1>c', 'c>b', 'a>m', 'b>m.1', 'm>z'];
    const shape = createFlowShape('v0', [...list, node('c'), merge('m')], edges(...more));
    const arrivals = walk({ shape, start: 't', counts: oneArm });
    expect(names(arrivals)).toBe('t a c b m z');
    expect(arrivals[2]?.[0]).toEqual({
      step: 'c',
      sources: [{ step: 'a', output: 0, run: 0 }],
      forced: true,
    });
  });

  it('forces nothing, in v0, that will run by itself', () => {
    const nodes = [...list, node('c'), merge('m')];
    const slow = edges('t>m', 't>a', 'a>b', 'b>c', 'c>m.1', 'm>z');
    const shape = createFlowShape('v0', nodes, slow);
    expect(names(walk({ shape, start: 't', counts: () => [1] }))).toBe('t a b c m z');
  });
});

it('follows the later listed of two edges to one place first (v1)', () => {
  const listed = edges('if>x', 'if.1>x', 'if.1>y', 'if>z');
  const positions = new Map([
    ['x', [0, 100] as const],
    ['y', [0, 0] as const],
    ['z', [50, 0] as const],
  ]);
  const ordered = orderEdges(positions, listed, 'v1');
  expect(ordered).toEqual(edges('if.1>y', 'if>z', 'if.1>x', 'if>x'));
  expect(orderEdges(positions, listed, 'v0')).toEqual(listed);
});

const KEYS = ['s', 'a', 'b', 'c', 'd', 'e', 'f'];
const order = fc.constantFrom('v0' as const, 'v1' as const);
/** Edges lead from an earlier key to a later one, so nothing goes in circles. */
const forwardEdges = fc.uniqueArray(
  fc
    .record({
      ends: fc.uniqueArray(fc.nat(KEYS.length - 1), { minLength: 2, maxLength: 2 }),
      output: fc.nat(2),
      input: fc.nat(2),
    })
    .map(({ ends, output, input }): FlowEdge => {
      const [from = 0, to = 0] = ends.toSorted((one, other) => one - other);
      return { from: KEYS[from] ?? '', output, to: KEYS[to] ?? '', input };
    }),
  { maxLength: 14, selector: (edge) => JSON.stringify(edge) },
);
const gives = fc.func(fc.array(fc.option(fc.nat(2), { nil: null }), { maxLength: 3 }));

describe('whatever the shape', () => {
  const property = (check: (made: Omit<Walk, 'kept'>) => void) =>
    fc.assert(
      fc.property(order, forwardEdges, gives, (which, list, counts) =>
        check({
          shape: createFlowShape(
            which,
            KEYS.map((key) => merge(key, key)),
            list,
          ),
          start: 's',
          counts: ({ step }, run) => counts(step, run),
        }),
      ),
    );

  it('a flow without circles ends, and each arrival has a source', () => {
    property((made) => {
      const [, ...later] = walk(made);
      for (const [{ sources }] of later) expect(sources.some((one) => one !== null)).toBe(true);
    });
  });

  it('the same input gives the same order, and the state may be stored between', () => {
    property((made) => {
      const kept = (state: FlowState) => JSON.parse(JSON.stringify(state)) as FlowState;
      expect(walk({ ...made, kept })).toEqual(walk(made));
    });
  });

  it('each run of a step takes what came once', () => {
    property((made) => {
      const taken = walk(made).flatMap(([{ step, sources, forced }]) =>
        forced === true
          ? []
          : sources.map((one, input) => one && JSON.stringify([step, input, one])),
      );
      const used = taken.filter((one) => one !== null);
      expect(new Set(used).size).toBe(used.length);
    });
  });
});

it('a loop of 20,000 rounds that leaves something behind each time stays quick', () => {
  const shape = createFlowShape(
    'v1',
    [node('loop'), node('b'), merge('m')],
    [...edges('loop>loop', 'loop>b', 'loop>m'), ...edges('b>m.1')],
  );
  const arrivals = walk({
    shape,
    start: 'loop',
    counts: ({ step }, run) => [step === 'loop' && run >= 20_000 ? 0 : 1],
  });
  expect(arrivals).toHaveLength(60_001);
}, 5_000);
