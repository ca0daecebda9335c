import { describe, expect, it, vi } from 'vitest';
import {
  AGENT,
  convert,
  kindsOf,
  start,
  TRIGGER,
  UNDECIDED,
  workflowsOf,
} from './testing/extended-exports.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

describe('forks (importers 14)', () => {
  it('whose arms meet two by two are written from the inside out', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b', 'c', 'd']] },
      a: { to: [['ab']] },
      b: { to: [['ab']] },
      c: { to: [['cd']] },
      d: { to: [['cd']] },
      ab: { to: [['all']] },
      cd: { to: [['all']] },
      all: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    const workflows = (outcome.spec['components'] as { workflows: Record<string, unknown> })
      .workflows;
    const concurrent = Object.values(workflows).filter(
      (body) => (body as { type: string }).type === 'concurrent',
    );
    expect(concurrent).toHaveLength(3);
  });

  it('whose arms all lead to the same two steps give both what every arm gave', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { to: [['x', 'y']] },
      b: { to: [['x', 'y']] },
      x: { to: [['end']] },
      y: { to: [['end']] },
      end: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
  });

  it('with an arm that goes back into the loop keep the loop', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['side', 'a']] },
      side: {},
      done: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(outcome.spec['workflow']).toMatchObject({ type: 'graph' });
  });

  it('with two ways to one step are one way; a step that would run twice is told', () => {
    const outcome = convert({
      start,
      a: { to: [['join', 'join']] },
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    const told = convert({
      start,
      a: { to: [['pass', 'b']] },
      pass: { type: 'n8n-nodes-base.noOp', to: [['b']] },
      b: {},
    });
    expect(kindsOf(told, 'a')).toEqual(['blocking proprietary_node', 'manual carried_as']);
    expect(told.spec['workflow']).toMatchObject({ type: 'sequential' });
  });

  it('with a timed pause in an arm have a function in its place; the gap says so', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { type: 'n8n-nodes-base.wait', version: 1.1, parameters: { amount: 5 }, to: [['end']] },
      b: { to: [['end']] },
      end: {},
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    const alone = convert({
      start,
      a: { type: 'n8n-nodes-base.wait', version: 1.1, parameters: { amount: 5 }, to: [['b']] },
      b: {},
    });
    expect(kindsOf(alone, 'a')).toEqual(['manual carried_as']);
  });

  it('that cross have their own of the steps that the source runs for each of them', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { to: [['x', 'y']] },
      b: { to: [['y']] },
      x: {},
      y: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    const said = outcome.gaps.filter((gap) => gap.detail.includes('stands in each arm'));
    expect(said.map((gap) => `${gap.severity} ${gap.source_ref.source_label}`)).toEqual([
      'manual start',
    ]);
    const text = JSON.stringify(workflowsOf(outcome));
    expect(text.match(/"ref":"y"/g)).toHaveLength(2);
    expect(text.match(/"ref":"x"/g)).toHaveLength(1);
  });

  it('that cross in a step that waits for all of them, behind a decision, stay blocking', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b', 'c']] },
      a: { ...UNDECIDED, to: [['x', 'y']] },
      b: { ...UNDECIDED, to: [['y']] },
      c: { to: [['y']] },
      x: {},
      y: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(kindsOf(outcome, 'start')).toContain('blocking branching_shape');
  });

  it('with a way to where another arm leads anyway go there once, after that arm', () => {
    const outcome = convert({
      start,
      a: { to: [['b', 'join']] },
      b: { to: [['c', 'join']] },
      c: { to: [['d']] },
      d: {},
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(kindsOf(outcome, 'a')).toContain('manual carried_as');
    expect(outcome.spec['workflow']).toMatchObject({
      type: 'sequential',
      steps: [{ ref: 'a' }, { ref: 'b' }, { kind: 'workflow' }],
    });
  });

  it('with one arm that decides before they meet have that arm last', () => {
    const elements = {
      start,
      a: { to: [['b', 'c']] },
      b: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['join'], ['stop']] },
      stop: { type: 'n8n-nodes-base.stopAndError' },
      c: { to: [['join']] },
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    };
    const outcome = convert(elements);
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
    expect(outcome.spec['workflow']).toMatchObject({
      edges: [
        { from: 'a', to: 'c' },
        { from: 'b', to: 'join' },
        { from: 'c', to: 'b' },
      ],
    });
    const quiet = convert({ ...elements, stop: { type: 'n8n-nodes-base.noOp' } });
    expect(kindsOf(quiet, 'a')).toContain('blocking branching_shape');
  });

  it('inside of a loop that meet again keep the loop', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['x', 'y']] },
      x: { to: [['join']] },
      y: { to: [['join']] },
      join: { to: [['a']] },
      done: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(Object.keys(workflowsOf(outcome))).toEqual(['after_b']);
  });

  it('with an arm that waits for a person before they meet have that arm last', () => {
    const outcome = convert({
      start,
      a: { to: [['ask', 'c']] },
      ask: {
        type: 'n8n-nodes-base.slack',
        parameters: { operation: 'sendAndWait' },
        to: [['join']],
      },
      c: { to: [['join']] },
      join: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(outcome.spec['workflow']).toMatchObject({
      type: 'sequential',
      steps: [{ ref: 'a' }, { ref: 'c' }, { ref: 'ask', kind: 'human' }, { ref: 'join' }],
    });
  });
});

describe('loops (importers 14)', () => {
  it('over batches are one blocking gap: the function that hands them out', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['a']] },
      done: {},
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
  });

  it('that a condition to be written ends are told by the gap of that condition', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['end'], ['b']] },
      b: { to: [['a']] },
      end: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
    const [gap] = outcome.gaps.filter((g) => g.source_ref.source_label === 'ready');
    expect(gap?.detail).toContain('ends the circle "ready" → "b" → "a"');
    expect(gap?.detail).toContain('max_steps');
  });

  it('are told there also when nothing stands on the way out', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [[], ['a']] },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
  });

  it('that a carried condition ends lack their limit', () => {
    const outcome = convert({
      start,
      a: { type: AGENT, version: 2, to: [['ready']] },
      ready: {
        ...UNDECIDED,
        parameters: {
          conditions: {
            combinator: 'and',
            conditions: [
              {
                leftValue: '={{ $json.output }}',
                rightValue: 'done',
                operator: { type: 'string', operation: 'contains' },
              },
            ],
          },
        },
        to: [['end'], ['a']],
      },
      end: {},
    });
    expect(kindsOf(outcome, 'ready')).toEqual(['info condition_translated']);
    expect(kindsOf(outcome, 'a')).toContain('blocking unbounded_loop');
  });

  it('that a decision only passes through lack their limit', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['b'], ['c']] },
      b: { to: [['a']] },
      c: { to: [['a']] },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(true);
  });

  it('that stand in each other are told one by one', () => {
    const outcome = convert({
      start,
      a: { to: [['inner']] },
      inner: { ...UNDECIDED, to: [['b'], ['a']] },
      b: { to: [['c']] },
      c: { to: [['b', 'outer']] },
      outer: { ...UNDECIDED, to: [['end'], ['a']] },
      end: {},
    });
    const told = outcome.gaps.filter((gap) => gap.detail.includes('ends the circle'));
    expect(told.map((gap) => gap.source_ref.source_label)).toEqual(['inner', 'outer']);
    const unbounded = outcome.gaps.filter((gap) => gap.kind === 'unbounded_loop');
    expect(unbounded).toHaveLength(1);
    expect(unbounded[0]?.detail).toContain('"b", "c"');
  });

  it('by a plain way back are blocking until somebody chooses a limit', () => {
    const outcome = convert({ start, a: { to: [['b']] }, b: { to: [['a']] } });
    const unbounded = outcome.gaps.filter((gap) => gap.kind === 'unbounded_loop');
    expect(unbounded.map((gap) => gap.severity)).toEqual(['blocking']);
  });
});
