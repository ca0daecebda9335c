import { expect, test } from 'vitest';
import { answeredNodes, drawRun, progressNow } from './run-graph-model.ts';

const node = (id: string, visited: boolean, current = false) => ({
  id,
  label: id,
  kind: null,
  step_kind: 'agent',
  visited,
  current,
});
const edge = (source: string, target: string) => ({
  source,
  target,
  label: null,
  conditional: false,
});
const view = {
  available: true,
  nodes: [node('a', true), node('b', true), node('c', false, true), node('d', false)],
  edges: [edge('a', 'b'), edge('b', 'c'), edge('a', 'c'), edge('c', 'd')],
  current: 'c',
};
const quiet = { busy: [], failed: [] };
const draw = (
  status: string,
  path: readonly string[],
  live: Parameters<typeof progressNow>[1]['live'] = quiet,
) => drawRun(view, 'workflow', progressNow(view, { status, path, live }));

test('visited nodes and the edges of the path are marked, others are not', () => {
  const drawn = draw('blocked', ['a', 'b']);
  expect(drawn?.progress).toEqual({ a: 'visited', b: 'visited', c: 'current', d: 'idle' });
  expect([...(drawn?.taken ?? [])]).toEqual(['a->b', 'b->c']);
  expect(drawn?.graph.nodes[0]).toMatchObject({ kind: 'agent', start: true });
});

test('where a failed run stopped is marked as failed; a completed one has no current node', () => {
  expect(draw('failed', ['a', 'b'])?.progress['c']).toBe('failed');
  expect(draw('completed', ['a', 'b', 'c'])?.progress['c']).toBe('visited');
});

test('nodes that the trace sees at work are current at once, as long as the run is not over', () => {
  const live = { busy: ['b', 'd'], failed: ['a'] };
  expect(draw('running', ['a'], live)?.progress).toMatchObject({
    a: 'failed',
    b: 'current',
    d: 'current',
  });
  expect(draw('completed', ['a', 'b'], live)?.progress).toMatchObject({ b: 'visited', d: 'idle' });
});

test('a saved state is drawn as the run stood there', () => {
  const then = { visited: ['a'], current: 'b', busy: [], failed: ['b'] };
  const drawn = drawRun(view, 'workflow', then);
  expect(drawn?.progress).toEqual({ a: 'visited', b: 'failed', c: 'idle', d: 'idle' });
  expect([...(drawn?.taken ?? [])]).toEqual(['a->b']);
});

test('without a graph there is nothing to draw', () => {
  const none = { available: false, nodes: [], edges: [], current: null };
  expect(drawRun(none, '', { visited: [], current: null, ...quiet })).toBeNull();
});

test('items name the edges of a flow: both ways out of a decision, and none that they did not go', () => {
  const drawnView = {
    ...view,
    nodes: ['check', 'large', 'small'].map((id) => node(id, true)),
    edges: [edge('check', 'large'), edge('check', 'small'), edge('large', 'small')],
  };
  const run = { visited: ['check', 'large', 'small'], current: null, busy: [], failed: [] };
  const ways = new Set(['check->large', 'check->small']);
  const drawn = drawRun(drawnView, 'graph', run, ways);
  expect([...(drawn?.taken ?? [])]).toEqual([...ways]);
  const progress = { check: 'visited', large: 'idle' } as const;
  expect(answeredNodes({ progress }, { check: 'pinned', large: 'mocked' })).toEqual({
    check: 'pinned',
  });
});
