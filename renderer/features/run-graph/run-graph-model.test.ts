import { expect, test } from 'vitest';
import { drawRun } from './run-graph-model.ts';

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

test('visited nodes and the edges of the path are marked, others are not', () => {
  const drawn = drawRun(view, { status: 'blocked', path: ['a', 'b'], kind: 'workflow' });
  expect(drawn?.progress).toEqual({ a: 'visited', b: 'visited', c: 'current', d: 'idle' });
  expect([...(drawn?.taken ?? [])]).toEqual(['a->b', 'b->c']);
  expect(drawn?.graph.nodes[0]).toMatchObject({ kind: 'agent', start: true });
});

test('where a failed run stopped is marked as failed; a completed one has no current node', () => {
  const failed = drawRun(view, { status: 'failed', path: ['a', 'b'], kind: 'workflow' });
  expect(failed?.progress['c']).toBe('failed');
  const done = drawRun(view, { status: 'completed', path: ['a', 'b', 'c'], kind: 'workflow' });
  expect(done?.progress['c']).toBe('visited');
});

test('without a graph there is nothing to draw', () => {
  const none = { available: false, nodes: [], edges: [], current: null };
  expect(drawRun(none, { status: 'failed', path: [], kind: '' })).toBeNull();
});
