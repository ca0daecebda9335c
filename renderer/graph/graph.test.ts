import { describe, expect, it } from 'vitest';
import { graphFromWire, graphSignature } from './graph-model.ts';
import { graphSvg } from './graph-svg.ts';
import { containerIds, elkGraph, labelLines, nodeSize, roundedPath } from './layout-model.ts';

const graph = graphFromWire({
  workflow_kind: 'graph',
  start: 'a',
  nodes: [
    { id: 'a', kind: 'agent', label: 'A & <b>' },
    { id: 'b', kind: null, step_kind: 'human', name: 'B' },
    { id: 'c', kind: 'novel' },
  ],
  edges: [
    { source: 'a', target: 'b', label: 'yes', conditional: true },
    { source: 'a', target: 'b', label: null, conditional: false },
  ],
});

describe('graph model', () => {
  it('prefers the real kind and draws an unknown one as a step', () => {
    expect(graph.nodes.map(({ kind, start, label }) => [kind, start, label])).toEqual([
      ['agent', true, 'A & <b>'],
      ['human', false, 'B'],
      ['step', false, 'c'],
    ]);
  });

  it('gives parallel edges identities of their own', () => {
    expect(new Set(graph.edges.map(({ id }) => id)).size).toBe(2);
  });

  it('has one signature for what draws the same', () => {
    expect(graphSignature(structuredClone(graph))).toBe(graphSignature(graph));
  });
});

describe('layout model', () => {
  it('asks for the start first and for room for labels', () => {
    const elk = elkGraph(graph);
    expect(elk.children.map(({ layoutOptions }) => Object.keys(layoutOptions).length)).toEqual([
      1, 0, 0,
    ]);
    expect(elk.edges[0]?.labels).toHaveLength(1);
    expect(elk.edges[1]?.labels).toHaveLength(0);
  });

  it('puts the nodes of a nested workflow inside the node that runs it', () => {
    const nested = {
      ...graph,
      nodes: graph.nodes.map((node) => (node.id === 'a' ? node : { ...node, parent: 'group' })),
      groups: [{ id: 'group', label: 'inner', node: 'a' }],
    };
    const elk = elkGraph(nested);
    expect(elk.children.map(({ id, children }) => [id, children.map((child) => child.id)])).toEqual(
      [['a', ['b', 'c']]],
    );
    expect(containerIds(nested).has('a')).toBe(true);
  });

  it('bounds node width and label length', () => {
    expect(nodeSize({ label: 'x'.repeat(500), detail: '', kind: 'agent' }).width).toBe(260);
    expect(labelLines('y'.repeat(100))).toEqual([`${'y'.repeat(21)}…`]);
    expect(labelLines('status is "completed" or variable tries = 3')).toEqual([
      'status is "completed"',
      'or variable tries = 3',
    ]);
    expect(labelLines('word '.repeat(40).trim()).at(-1)).toMatch(/…$/);
  });

  it('rounds corners and keeps both ends', () => {
    const path = roundedPath([
      { x: 0, y: 0 },
      { x: 0, y: 40 },
      { x: 40, y: 40 },
    ]);
    expect(path.startsWith('M 0 0')).toBe(true);
    expect(path.endsWith('L 40 40')).toBe(true);
    expect(path).toContain('Q 0 40');
    expect(roundedPath([])).toBe('');
  });
});

describe('graphSvg', () => {
  it('escapes texts', () => {
    const { svg } = graphSvg(graph, {
      nodes: graph.nodes.map(({ id }, i) => ({ id, x: 0, y: i * 100, width: 120, height: 48 })),
      edges: graph.edges.map(({ id }) => ({
        id,
        points: [
          { x: 0, y: 0 },
          { x: 0, y: 9 },
        ],
        label: { x: 1, y: 1 },
      })),
    });
    expect(svg).toContain('A &amp; &lt;b&gt;');
    expect(svg).toContain('stroke-dasharray');
    expect(svg).not.toContain('<b>');
  });
});
