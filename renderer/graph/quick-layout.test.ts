import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GraphModel } from './graph-model.ts';
import type { PlacedNode } from './layout-model.ts';
import { quickLayout } from './quick-layout.ts';

function graphOf(count: number, links: readonly (readonly [number, number])[]): GraphModel {
  return {
    kind: 'graph',
    nodes: Array.from({ length: count }, (_, index) => ({
      id: `n${index}`,
      label: `node ${index}`,
      detail: '',
      kind: 'agent' as const,
      start: index === 0,
      disabled: false,
      parent: null,
    })),
    edges: links.map(([from, to], index) => ({
      id: `e${index}`,
      source: `n${from}`,
      target: `n${to}`,
      label: index % 2 === 0 ? null : 'ready',
      conditional: false,
    })),
    groups: [],
  };
}

const overlap = (a: PlacedNode, b: PlacedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('every node and edge of any graph has a place, and no two nodes overlap', () => {
  const graphs = fc
    .integer({ min: 1, max: 24 })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 40 }),
      ),
    );
  fc.assert(
    fc.property(graphs, ([count, links]) => {
      const { nodes, edges } = quickLayout(graphOf(count, links));
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(count);
      expect(edges).toHaveLength(links.length);
      expect(edges.every(({ points }) => points.length >= 2)).toBe(true);
      const clash = nodes.some((a, at) => nodes.slice(at + 1).some((b) => overlap(a, b)));
      expect(clash).toBe(false);
    }),
  );
});

test('what leads to a node stands above it; a circle does not hinder', () => {
  const { nodes } = quickLayout(
    graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 1],
      [2, 3],
      [0, 3],
    ]),
  );
  const y = new Map(nodes.map((node) => [node.id, node.y]));
  expect(['n0', 'n1', 'n2', 'n3'].map((id) => y.get(id))).toEqual(
    [...y.values()].toSorted((a, b) => a - b),
  );
  expect(new Set(y.values()).size).toBe(4);
});

test('a chain of 5,000 nodes is laid out without a deep stack', () => {
  const links = Array.from({ length: 4_999 }, (_, index) => [index, index + 1] as const);
  expect(quickLayout(graphOf(5_000, links)).nodes).toHaveLength(5_000);
});

test('the nodes of a nested workflow stand inside the node that runs it', () => {
  const flat = graphOf(3, [
    [0, 1],
    [1, 2],
  ]);
  const graph = {
    ...flat,
    nodes: flat.nodes.map((node) => (node.id === 'n0' ? node : { ...node, parent: 'g' })),
    groups: [{ id: 'g', label: 'inner', node: 'n0' }],
  };
  const [outer, ...inner] = quickLayout(graph).nodes;
  if (outer === undefined) throw new Error('nothing is placed');
  expect(inner).toHaveLength(2);
  for (const node of inner) {
    expect(node.x).toBeGreaterThan(outer.x);
    expect(node.y).toBeGreaterThan(outer.y);
    expect(node.x + node.width).toBeLessThan(outer.x + outer.width);
    expect(node.y + node.height).toBeLessThan(outer.y + outer.height);
  }
});
