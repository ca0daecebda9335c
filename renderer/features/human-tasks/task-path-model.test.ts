import { expect, test } from 'vitest';
import type { RunGraphView } from '../../../server/contract/dashboard/runs.ts';
import { taskPath } from './task-path-model.ts';

function graphOf(current: string | null, edges: readonly Partial<RunGraphView['edges'][0]>[]) {
  const ids = ['sort', 'ask', 'pay', 'reply'];
  return {
    available: true,
    nodes: ids.map((id) => ({
      id,
      label: id.toUpperCase(),
      kind: null,
      step_kind: null,
      visited: false,
      current: id === current,
    })),
    edges: edges.map((edge) => ({
      source: 'ask',
      target: 'reply',
      label: null,
      conditional: false,
      ...edge,
    })),
    current,
  };
}

test('the way of a run stands up to the step that asks, loops with all their rounds', () => {
  const graph = graphOf('ask', [{ source: 'sort', target: 'ask' }, {}]);
  const path = ['sort', 'ask', 'sort', 'ask'];
  expect(taskPath(graph, { path, metadata: {} })).toEqual({
    done: ['SORT', 'ASK', 'SORT'],
    asks: 'ASK',
    next: [{ id: 'reply', label: 'REPLY', when: null }],
  });
  // The asking step has not ended yet, and may stand in the path or not.
  expect(taskPath(graph, { path: ['sort'], metadata: {} }).done).toEqual(['SORT']);
});

test('what follows is told with its condition, where it is one of the answer', () => {
  const edges = [
    { from: 'ask', to: 'pay', condition: { type: 'output_contains', value: 'refund' } },
    { from: 'ask', to: 'sort', condition: { type: 'status_is', value: 'failed' } },
    { from: 'sort', to: 'reply', condition: { type: 'output_equals', value: 'no' } },
  ];
  const metadata = { frozen_spec: { base: { workflow: { edges } } } };
  const graph = graphOf('ask', [
    { target: 'pay', conditional: true },
    { target: 'sort', conditional: true, label: 'again' },
    { target: 'ask', conditional: true },
    { target: 'reply' },
  ]);
  expect(taskPath(graph, { path: [], metadata }).next?.map(({ when }) => when)).toEqual([
    'if the answer contains “refund”',
    'if “again”',
    'on a condition of its edge',
    null,
  ]);
});

test('where every edge has a condition, the run may end there', () => {
  const graph = graphOf('ask', [{ target: 'pay', conditional: true, label: 'yes' }]);
  expect(taskPath(graph, { path: [], metadata: {} }).next).toEqual([
    { id: 'pay', label: 'PAY', when: 'if “yes”' },
    { id: '', label: 'the end', when: null },
  ]);
});

test('an end is an empty list, and what cannot be known is none', () => {
  expect(taskPath(graphOf('ask', []), { path: [], metadata: {} }).next).toEqual([]);
  expect(taskPath(graphOf(null, []), { path: ['sort'], metadata: {} })).toEqual({
    done: ['SORT'],
    asks: null,
    next: undefined,
  });
  const none = { available: false, nodes: [], edges: [], current: null };
  expect(taskPath(none, { path: ['a'], metadata: { frozen_spec: 'odd' } })).toMatchObject({
    done: ['a'],
  });
});
