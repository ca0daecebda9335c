import { describe, expect, it } from 'vitest';
import { beginFlow, nextArrival, stepEnded } from './flow.ts';
import { createFlowShape, type FlowEdge } from './flow-shape.ts';
import type { Arrival } from './flow-state.ts';

/** `a>b` from output 0, `a.1>b` from output 1. */
function edgesOf(text: string): FlowEdge[] {
  return text.split(' ').map((word) => {
    const [from = '', to = ''] = word.split('>');
    const [step = '', output = '0'] = from.split('.');
    return { from: step, output: Number(output), to, input: 0 };
  });
}

interface Walk {
  readonly edges: string;
  readonly inside?: Readonly<Record<string, string>>;
  /** The output on which a step gives at each of its runs; 0 without it. */
  readonly gives?: Readonly<Record<string, readonly number[]>>;
}

/** The steps in the order in which they run. */
function walk({ edges, inside = {}, gives = {} }: Walk): string {
  const list = edgesOf(edges);
  const keys = [...new Set(list.flatMap(({ from, to }) => [from, to]))];
  const plain = { type: '', version: 1, parameters: {}, disabled: false, alwaysOutput: false };
  const nodes = keys.map((key) => {
    const around = inside[key];
    return { key, name: key, ...plain, ...(around === undefined ? {} : { inside: around }) };
  });
  const shape = createFlowShape('dify', nodes, list);
  const runs = new Map<string, number>();
  const begun = beginFlow('s');
  let { state } = begun;
  const order: string[] = [];
  for (let next: Arrival | undefined = begun.next; next !== undefined; ) {
    const run = runs.get(next.step) ?? 0;
    runs.set(next.step, run + 1);
    order.push(next.step);
    const output = gives[next.step]?.[run] ?? 0;
    const counts = Array.from({ length: output + 1 }, (_, at) => (at === output ? 1 : 0));
    state = JSON.parse(JSON.stringify(stepEnded(shape, state, next, run, counts)));
    const taken = nextArrival(shape, state);
    next = taken?.next;
    state = taken?.state ?? state;
  }
  return order.join(' ');
}

describe('the order of Dify', () => {
  it('runs a step once, when all that leads to it is settled', () => {
    expect(walk({ edges: 's>a s>b a>j b>c c>j j>e' })).toBe('s a b c j e');
  });

  it('leaves out what no taken edge leads to, and waits for it no longer', () => {
    const edges = 's>i i>a i.1>b a>x x>j b>j j>e';
    expect(walk({ edges, gives: { i: [0] } })).toBe('s i a x j e');
    expect(walk({ edges, gives: { i: [1] } })).toBe('s i b j e');
    expect(walk({ edges: 's>i i.1>a a>b', gives: { i: [0] } })).toBe('s i');
  });

  it('does not wait for what another start leads to', () => {
    expect(walk({ edges: 's>a t>a a>b t>c c>b b>e' })).toBe('s a b e');
  });

  const inside = { m: 'l', a: 'l', b: 'l', c: 'l' };

  it('runs a step with rounds before each of them and after the last one', () => {
    const edges = 's>l l.1>m m>a l>e';
    expect(walk({ edges, inside, gives: { l: [1, 1, 0] } })).toBe('s l m a l m a l e');
    expect(walk({ edges, inside, gives: { l: [0] } })).toBe('s l e');
  });

  it('ends a round when nothing of it is left, whichever way it took', () => {
    const edges = 's>l l.1>m m>a a>b a.1>c l>e';
    expect(walk({ edges, inside, gives: { l: [1, 1, 0], a: [0, 1] } })).toBe(
      's l m a b l m a c l e',
    );
    const none = { edges: 's>l l.1>m m>a a.1>b l>e', inside, gives: { l: [1, 0] } };
    expect(walk(none)).toBe('s l m a l e');
  });

  it('joins within a round, and in each anew', () => {
    const edges = 's>l l.1>m m>a m>b a>c b>c l>e';
    expect(walk({ edges, inside, gives: { l: [1, 1, 0] } })).toBe('s l m a b c l m a b c l e');
  });

  it('has rounds in rounds', () => {
    const nested = { m: 'l', k: 'l', n: 'k', x: 'k' };
    const edges = 's>l l.1>m m>k k.1>n n>x l>e';
    expect(walk({ edges, inside: nested, gives: { l: [1, 1, 0], k: [1, 0, 1, 1, 0] } })).toBe(
      's l m k n x k l m k n x k n x k l e',
    );
  });

  it('goes on beside a step with rounds, and joins behind it', () => {
    const edges = 's>l s>p l.1>m l>j p>j';
    expect(walk({ edges, inside, gives: { l: [1, 0] } })).toBe('s l p m l j');
  });
});
